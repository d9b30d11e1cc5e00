-- Keeps a sign-in whose password was right until its second factor is given, for lifetime_s seconds.

CREATE OR REPLACE FUNCTION public.door_challenge(login integer, acting_user integer, token bytea, lifetime_s integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into sign_in_challenges (token_hash, login_id, user_id, expires_at)
    values (token, login, acting_user, now() + make_interval(secs => lifetime_s))
$function$;
