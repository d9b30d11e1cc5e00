-- Username key: what a guest's typed name is compared with, as a column of its own. Under row security PostgreSQL uses no index
-- on an expression such as lower(btrim(username)): it looked at each account of the property at every sign-in.
alter table accounts add column username_key text generated always as (lower(btrim(username))) stored;
create index on accounts (customer_id, property_id, username_key) where deleted_at is null and username_key is not null;
