-- Whether a user of the caller's customer has a confirmed second factor.

CREATE OR REPLACE FUNCTION public.own_second_factor(own_user integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from users u join second_factors f on f.login_id = u.login_id and f.confirmed_at is not null
    where u.customer_id = app_customer_id() and u.id = own_user)
$function$
;

grant execute on function own_second_factor(integer) to foyer_app;
