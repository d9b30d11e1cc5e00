-- How many people the caller's customer has, and how many of them without a confirmed second factor.

CREATE OR REPLACE FUNCTION public.people_without_second_factor()
 RETURNS TABLE(people integer, without integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select count(*)::integer, count(*) filter (where f.login_id is null)::integer
  from users u left join second_factors f on f.login_id = u.login_id and f.confirmed_at is not null
  where u.customer_id = app_customer_id() and u.login_id is not null and u.active and not u.draft and u.deleted_at is null
$function$
;

grant execute on function people_without_second_factor() to foyer_app;
