-- The numbers of the rooms that were let on a night of the caller's customer's property, as it is known now. Compared with what the ledger
-- says.

CREATE OR REPLACE FUNCTION public.rooms_now(property integer, night date, time_zone text)
 RETURNS text[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select occupied_rooms(app_customer_id(), property, night, day_begins(night + 1, time_zone), 'infinity', false)
$function$
;

grant execute on function rooms_now(integer,date,text) to foyer_app;
