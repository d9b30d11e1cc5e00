-- Leaves those of the packed sessions in one row that began or ended after the edge, and no row where there are none. Where the others are
-- the first of them, their arrays are cut there; sessions that were over for less than a day may stay for that. Else they are picked one by
-- one, which takes five times as long. The columns are those of the table, so that none is forgotten: of equal places in all arrays that do
-- not begin with address, and in all that do. Called by door_forget_packed_sessions.

CREATE OR REPLACE FUNCTION public.cut_packed_sessions(customer integer, pack bigint, edge timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  kept bigint[];
  kept_addresses bigint[];
  is_run boolean;
  changes text;
begin
  with sessions as materialized (
    select u.n, u.id, greatest(u.began, u.began + u.stopped * interval '1 microsecond') as over
    from packed_sessions k
    cross join lateral unnest(k.session_ids, k.started_ats, k.stopped_after) with ordinality as u(id, began, stopped, n)
    where k.customer_id = customer and k.id = pack
  ), from_first as materialized (
    select s.n, s.id, s.over >= edge as stays, s.over >= edge - interval '1 day' as may_stay from sessions s
    where s.n >= (select min(f.n) from sessions f where f.over >= edge)
  ), run as materialized (
    select bool_and(f.may_stay) as is_run from from_first f
  ), picked as materialized (
    select f.n, f.id from from_first f, run where run.is_run or f.stays
  )
  select array_agg(p.n order by p.n), (select run.is_run from run),
      array(select a.n from packed_sessions k cross join lateral unnest(k.address_session_ids) with ordinality as a(id, n)
        where k.customer_id = customer and k.id = pack and a.id in (select f.id from picked f) order by a.n)
    into kept, is_run, kept_addresses from picked p;
  if kept is null then
    delete from packed_sessions k where k.customer_id = customer and k.id = pack;
    return;
  end if;
  select string_agg(format(case
        when a.attname like 'address%'
          then '%1$I = array(select u.v from unnest(k.%1$I) with ordinality as u(v, n) where u.n = any ($4) order by u.n)'
        when is_run then '%1$I = k.%1$I[$5:]'
        else '%1$I = array(select u.v from unnest(k.%1$I) with ordinality as u(v, n) where u.n = any ($3) order by u.n)'
      end, a.attname), ', ')
    into changes from pg_attribute a
    where a.attrelid = 'packed_sessions'::regclass and a.attndims > 0 and a.attnum > 0 and not a.attisdropped;
  execute format('update packed_sessions k set (began_at, first_over_at) = (
      select min(u.began), min(greatest(u.began, u.began + u.stopped * interval ''1 microsecond''))
      from unnest(k.started_ats, k.stopped_after) with ordinality as u(began, stopped, n) where u.n = any ($3)), %s
      where k.customer_id = $1 and k.id = $2', changes)
    using customer, pack, kept, kept_addresses, kept[1]::integer;
end $function$;
