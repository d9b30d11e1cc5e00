-- Acting as another of one's users. It stays one and the same session: when it began and was proven, and the handle it is known by.

CREATE OR REPLACE FUNCTION public.door_switch(login integer, acting_user integer, former bytea, token bytea, address inet, agent text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  session sessions%rowtype;
begin
  delete from sessions where token_hash = former and login_id = login and expires_at > now() returning * into session;
  if not found then return false; end if;
  if not door_open(login, acting_user, token, 0, address, agent) then return false; end if;
  update sessions set expires_at = session.expires_at, created_at = session.created_at, proven_at = session.proven_at,
    handle = session.handle where token_hash = token;
  return true;
end $function$;
