-- The sample of the caller's customer, made if there is none. One of a former day is made anew, or where people have worked in it, its
-- stays are moved to today. Returns the person's user in it; null where the caller's customer is a sample itself, or does not know the
-- person.

CREATE OR REPLACE FUNCTION public.start_sample(person integer, guest_names text[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  own customers%rowtype;
  asker users%rowtype;
  sample integer;
  days integer;
  acting integer;
begin
  select * into own from customers c where c.id = app_customer_id() and c.sample_of is null for no key update;
  select * into asker from users u where u.customer_id = own.id and u.id = person and u.login_id is not null and u.deleted_at is null;
  if asker.id is null then return null; end if;
  select c.id, local_day(now(), c.time_zone) - c.sample_day into sample, days from customers c
    where c.sample_of = own.id and c.sample_day is not null;
  if days > 0 and not exists (select from activity a where a.customer_id = sample and a.principal_kind = 'user'
      and a.object_type is not null and a.action in ('create', 'import', 'update', 'activate', 'deactivate', 'delete')) then
    perform end_sample();
    sample := null;
    days := 0;
  end if;
  if sample is null then
    sample := make_sample(own.id, guest_names);
  end if;
  perform set_config('app.customer_id', sample::text, true);
  if days > 0 then
    update room_guests g set arrives_on = g.arrives_on + days, departs_on = g.departs_on + days,
      checked_in_at = g.checked_in_at + days * interval '1 day'
      where g.customer_id = sample and g.deleted_at is null and g.arrives_on is not null;
    update customers c set sample_day = c.sample_day + days where c.id = sample;
  end if;
  if (select count(*) from radius_sessions s where s.customer_id = sample and s.stopped_at is null and s.trial_id is null) < 5 then
    perform put_guests_online(sample, 9);
  end if;
  perform set_config('app.customer_id', own.id::text, true);
  update users u set name = asker.name, email = asker.email where u.customer_id = sample and u.login_id = asker.login_id
    returning u.id into acting;
  if acting is null then
    insert into users (customer_id, login_id, user_type_id, name, email) values (sample, asker.login_id, 2, asker.name, asker.email)
      returning id into acting;
  end if;
  perform door_keep_samples();
  return acting;
end $function$
;

grant execute on function start_sample(integer,text[]) to foyer_app;
