-- How many were online by any of the methods asked, as bits, of an hour's numbers by methods. Only nodes of the release before call it.

CREATE OR REPLACE FUNCTION public.online_among(by_methods jsonb, everybody integer, asked integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when by_methods is null then everybody else coalesce(
    (select max(k.value::integer) from jsonb_each_text(by_methods) as k where k.key::integer & ~asked = 0), 0) end
$function$
;

grant execute on function online_among(jsonb,integer,integer) to foyer_app;
