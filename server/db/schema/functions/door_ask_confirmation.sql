-- Keeps the hash of a link by which a login's address is confirmed, for lifetime_s seconds. While another link is good it stays, unless
-- asked for anew. Returns whether the link is to be mailed.

CREATE OR REPLACE FUNCTION public.door_ask_confirmation(login integer, token bytea, lifetime_s integer, anew boolean)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with asked as (
    insert into address_confirmations as c (login_id, token_hash, expires_at)
    values (login, token, now() + make_interval(secs => lifetime_s))
    on conflict (login_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
      where anew or c.expires_at < now()
    returning 1)
  select exists (select from asked)
$function$;
