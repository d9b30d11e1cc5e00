-- Security notes: the activity log tells of what was denied, of passwords that were reset and of keys in use.

alter table activity drop constraint activity_action_check;
alter table activity add constraint activity_action_check check (action in ('create', 'update', 'activate', 'deactivate',
  'delete', 'invite', 'permission', 'import', 'export', 'login', 'failed_login', 'integration', 'denied', 'reset_asked',
  'reset', 'key_use'));

-- Guesses from many addresses must not fill a customer's log: the first thirty in an hour stand there.
create or replace function door_failed(login integer, address inet) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into activity (customer_id, user_id, actor_name, actor_email, action, object_type, object_id, object_name, ip, group_id, property_id)
    select u.customer_id, u.user_id, u.name, u.email, 'failed_login', 'users', u.user_id, u.name, address, u.group_id, u.property_id
    from (select * from door_users(login) limit 1) u
    where (select count(*) from (
      select from activity a where a.customer_id = u.customer_id and a.user_id = u.user_id and a.action = 'failed_login'
        and a.created_at > now() - interval '1 hour' limit 30) recent) < 30
$$;
