-- Notes that a login signed in in the browser with this mark. Returns whether it is a new one beside others, of which the person is told by
-- mail. Keeps the 50 used last.

CREATE OR REPLACE FUNCTION public.door_note_device(login integer, device bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  knows_others boolean := exists (select from login_devices where login_id = login);
begin
  update login_devices set last_used_at = now() where login_id = login and device_hash = device;
  if found then return false; end if;
  insert into login_devices (login_id, device_hash) values (login, device) on conflict do nothing;
  delete from login_devices d where d.login_id = login and d.device_hash in (
    select o.device_hash from login_devices o where o.login_id = login order by o.last_used_at desc, o.device_hash offset 50);
  return knows_others;
end $function$;
