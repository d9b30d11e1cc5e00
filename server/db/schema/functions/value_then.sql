-- What a field of an object was at a moment, by the first change in the log from then on; present where there was none. Asked when nights
-- are written late.

CREATE OR REPLACE FUNCTION public.value_then(customer integer, object text, object_number bigint, field text, at timestamp with time zone, present jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce((
    -- A change of many at once tells what became of them and not what was.
    select case when a.before ? field then a.before -> field else to_jsonb(not (a.after ->> field)::boolean) end
    from activity a
    where a.customer_id = customer and a.object_type = object and a.object_id = object_number and a.created_at >= at
      and (a.before ? field or a.before is null and a.action <> 'create' and jsonb_typeof(a.after -> field) = 'boolean')
    order by a.created_at, a.id limit 1), present, 'null')
$function$;
