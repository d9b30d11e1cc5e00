-- Whether the caller's customer runs the installation: it is the first one.

CREATE OR REPLACE FUNCTION public.runs_installation()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select app_customer_id() = (select min(c.id) from customers as c)
$function$
;

grant execute on function runs_installation() to foyer_app;
