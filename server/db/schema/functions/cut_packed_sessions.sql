-- Leaves those of the packed sessions in one row that began or ended after the edge, and no row where there are none. The columns are those
-- of the table, so that none is forgotten: of equal places in all arrays that do not begin with address, and in all that do.

CREATE OR REPLACE FUNCTION public.cut_packed_sessions(customer integer, pack bigint, edge timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  kept bigint[];
  kept_addresses bigint[];
  changes text;
begin
  select array_agg(u.n) filter (where u.began >= edge or u.began + u.stopped * interval '1 microsecond' >= edge),
      array(select a.n from unnest(k.address_session_ids) with ordinality as a(id, n)
        where a.id = any (array_agg(u.id) filter (where u.began >= edge or u.began + u.stopped * interval '1 microsecond' >= edge)))
    into kept, kept_addresses
    from packed_sessions k
    cross join lateral unnest(k.session_ids, k.started_ats, k.stopped_after) with ordinality as u(id, began, stopped, n)
    where k.customer_id = customer and k.id = pack group by k.address_session_ids;
  if kept is null then
    delete from packed_sessions k where k.customer_id = customer and k.id = pack;
    return;
  end if;
  select string_agg(format('%1$I = array(select u.v from unnest(k.%1$I) with ordinality as u(v, n) where u.n = any (%2$s) order by u.n)',
      a.attname, case when a.attname like 'address%' then '$4' else '$3' end), ', ')
    into changes from pg_attribute a
    where a.attrelid = 'packed_sessions'::regclass and a.attndims > 0 and a.attnum > 0 and not a.attisdropped;
  execute format('update packed_sessions k set (began_at, first_over_at) = (
      select min(u.began), min(greatest(u.began, u.began + u.stopped * interval ''1 microsecond''))
      from unnest(k.started_ats, k.stopped_after) with ordinality as u(began, stopped, n) where u.n = any ($3)), %s
      where k.customer_id = $1 and k.id = $2', changes)
    using customer, pack, kept, kept_addresses;
end $function$;
