-- Indexes of sessions whose keys grow, so that their pages are filled, and that leave out who signed in by something else.
-- once
create index concurrently if not exists radius_sessions_made on radius_sessions (customer_id, created_at, id);
drop index concurrently if exists radius_sessions_customer_id_created_at_id_idx;
create index concurrently if not exists radius_sessions_begun on radius_sessions (customer_id, started_at, id);
drop index concurrently if exists radius_sessions_customer_id_started_at_id_idx;
create index concurrently if not exists radius_sessions_made_at_property on radius_sessions (customer_id, property_id, created_at, id);
drop index concurrently if exists radius_sessions_customer_id_property_id_created_at_id_idx;
create index concurrently if not exists radius_sessions_begun_at_property on radius_sessions (customer_id, property_id, started_at, id);
drop index concurrently if exists radius_sessions_customer_id_property_id_started_at_id_idx;
create index concurrently if not exists radius_sessions_of_account on radius_sessions (customer_id, account_id, created_at, id)
  where account_id is not null;
drop index concurrently if exists radius_sessions_customer_id_account_id_created_at_id_idx;
drop index concurrently if exists radius_sessions_customer_id_account_id_started_at_idx;
create index concurrently if not exists radius_sessions_of_device on radius_sessions (customer_id, device_id, created_at, id)
  where device_id is not null;
drop index concurrently if exists radius_sessions_customer_id_device_id_created_at_id_idx;
