-- Principals: an idempotency key and a line of the log belong to whoever asked: a user, an API key, a gateway, a guest or a job.

-- A key is the principal's own. Rows without a user were made by the product itself: a job, which has no id.
alter table idempotency_keys add column principal_kind text not null default 'user'
  check (principal_kind in ('user', 'api_key', 'gateway', 'guest', 'job'));
alter table idempotency_keys add column principal_id integer not null default 0;
update idempotency_keys set principal_kind = case when user_id is null then 'job' else 'user' end, principal_id = coalesce(user_id, 0);
alter table idempotency_keys alter column principal_kind drop default;
alter table idempotency_keys alter column principal_id drop default;
alter table idempotency_keys drop column user_id;
alter table idempotency_keys add unique (customer_id, principal_kind, principal_id, endpoint, key);

-- A user's id stands in `user_id`, where it is a reference; any other principal's in `principal_id`.
alter table activity add column principal_kind text not null default 'user'
  check (principal_kind in ('user', 'api_key', 'gateway', 'guest', 'job'));
alter table activity add column principal_id integer check (principal_id is null or principal_kind <> 'user');
update activity set principal_kind = 'job' where user_id is null and actor_email is null;
