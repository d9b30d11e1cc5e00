-- Makes a customer with its first user, and what every customer begins with: packages, a portal, categories of devices. Returns login and
-- user; zeros: the address has a login with another password. With only_first it makes nothing where a customer exists.

CREATE OR REPLACE FUNCTION public.door_sign_up(company text, person text, address text, own_hash text, only_first boolean)
 RETURNS TABLE(login_id integer, user_id integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer integer;
  login integer;
  person_id integer;
begin
  perform pg_advisory_xact_lock(hashtext('foyer sign-up'));
  if only_first and exists (select from customers) then return; end if;
  insert into logins (email, password_hash, name, confirmed_at)
    values (lower(address), own_hash, person, case when only_first then now() end)
    on conflict (email) do nothing returning id into login;
  if login is null then
    select l.id into login from logins l where l.email = lower(address) and l.password_hash = own_hash;
  end if;
  if login is null then return query select 0, 0; return; end if;
  insert into customers (name, contact_email, confirmed_at)
    select company, lower(address), case when l.confirmed_at is not null then now() end from logins l where l.id = login
    returning id into customer;
  insert into users (customer_id, login_id, user_type_id, name, email) values (customer, login, 2, person, lower(address)) returning id into person_id;
  insert into packages (customer_id, name, volume_gb, speed_mbps, max_users, session_time_hrs, idle_timeout_hrs, recurs) values
    (customer, 'Free Wi-Fi', 1, 5, 2, 24, 1, 'daily'),
    (customer, 'Standard', 0, 20, 3, 24, 4, 'none'),
    (customer, 'Premium', 0, 100, 5, 168, 12, 'none');
  insert into portals (customer_id, slug, name, company_name, auth_method_ids) values (customer, 'welcome', 'Welcome', company, '{1,2}');
  insert into mac_categories (customer_id, name, blocks) select customer, t.name, t.blocks from mac_category_templates t order by t.id;
  insert into activity (customer_id, user_id, actor_name, actor_email, action, object_type, object_id, object_name)
    values (customer, person_id, person, lower(address), 'create', 'customers', customer, company);
  return query select login, person_id;
end $function$;
