-- Keeps a second factor's sealed secret until its first code confirms it; a confirmed one stays. Returns whether it was kept.

CREATE OR REPLACE FUNCTION public.door_second_factor_begin(login integer, sealed bytea)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with begun as (
    insert into second_factors as f (login_id, sealed_secret) values (login, sealed)
    on conflict (login_id) do update set sealed_secret = excluded.sealed_secret, created_at = now() where f.confirmed_at is null
    returning 1)
  select exists (select from begun)
$function$;
