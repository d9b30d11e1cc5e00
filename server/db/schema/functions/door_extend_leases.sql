-- Keeps work that this node is trying from others for some seconds more: only under the lease that it took, so that what another node has
-- taken since is left.

CREATE OR REPLACE FUNCTION public.door_extend_leases(ids bigint[], leases uuid[], seconds integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  -- In the order of their ids, so that nodes cannot deadlock; what is just being settled needs no more time.
  with held as (
    select d.id from due_work d join unnest(ids, leases) as mine(id, lease) on d.id = mine.id and d.lease = mine.lease
    order by d.id for no key update of d skip locked)
  update due_work d set next_at = now() + make_interval(secs => seconds) from held where d.id = held.id
$function$;
