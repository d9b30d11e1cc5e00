-- Another address in place of one that its holder has taken off, within seven days: one that no login has, and not the same again. Returns
-- whether it was taken. Called at the sign-in of whoever signed up with it.

CREATE OR REPLACE FUNCTION public.door_another_address(login integer, address text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtext('foyer sign-up'));
  update logins l set email = lower(address), taken_off_at = null
    where l.id = login and l.taken_off_at > now() - interval '7 days' and l.taken_off <> lower(address)
      and not exists (select from logins other where other.email = lower(address));
  if not found then return false; end if;
  update users set email = lower(address) where login_id = login;
  return true;
end $function$;
