-- Takes back a try at a second factor that ended in an error of ours.

CREATE OR REPLACE FUNCTION public.door_challenge_untried(token bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update sign_in_challenges set tries = greatest(0, tries - 1) where token_hash = token
$function$;
