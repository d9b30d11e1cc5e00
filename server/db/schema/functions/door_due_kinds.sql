-- The kinds of work that waits or is being tried. Asked by the runner of due work.

CREATE OR REPLACE FUNCTION public.door_due_kinds()
 RETURNS TABLE(kind text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  -- Each step finds the next kind by the index, however many rows there are of one.
  with recursive kinds as (
    (select d.kind from due_work d where d.state in ('waiting', 'trying') order by d.kind limit 1)
    union all
    select (select d.kind from due_work d where d.state in ('waiting', 'trying') and d.kind > kinds.kind order by d.kind limit 1)
    from kinds where kinds.kind is not null)
  select kinds.kind from kinds where kinds.kind is not null
$function$;
