-- Known devices: whether a login has been used on the device of a mark (server/access/device.ts).
create function door_knows_device(address text, mark text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from logins l join login_devices d on d.login_id = l.id
    where l.email = lower(address) and d.device_hash = sha256(convert_to(l.id || ' ' || mark, 'UTF8')))
$$;
