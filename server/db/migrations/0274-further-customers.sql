-- Further customers: whoever signs up with an address that has a login, and with that login's own password, gets a customer more.

-- Makes a customer with its first editor, starter packages, portal and MAC categories. `own_hash` is what the password becomes,
-- or the hash that the address's login has and that the password fits.
-- Null: closed (only_first and a customer exists). 0: the address has a login with another hash.
drop function door_sign_up(text, text, text, text, boolean);
create function door_sign_up(company text, person text, address text, own_hash text, only_first boolean)
returns table (login_id integer, user_id integer)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer integer;
  login integer;
  person_id integer;
begin
  perform pg_advisory_xact_lock(hashtext('foyer sign-up'));
  if only_first and exists (select from customers) then return; end if;
  insert into logins (email, password_hash, name) values (lower(address), own_hash, person)
    on conflict (email) do nothing returning id into login;
  if login is null then
    select l.id into login from logins l where l.email = lower(address) and l.password_hash = own_hash;
  end if;
  if login is null then return query select 0, 0; return; end if;
  insert into customers (name, contact_email) values (company, lower(address)) returning id into customer;
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
end $$;
