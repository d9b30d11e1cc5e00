-- Takes a sign-in that waits for its second factor, once it is given: whoever comes second gets false.

CREATE OR REPLACE FUNCTION public.door_challenge_met(token bytea)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with met as (delete from sign_in_challenges where token_hash = token returning 1)
  select exists (select from met)
$function$;
