-- Adds periods of usage that began more than kept_s ago to one of their holder that begins at no time, so what a holder has used in all
-- stays the same, since an allowance that does not recur is reckoned from it. Looks at the next rows_max rows after an id; returns the id
-- to go on after, and null once it comes to rows that are not that old. No row is inserted, which would wait for an erasure of its holder.

CREATE OR REPLACE FUNCTION public.door_fold_usage(kept_s integer, after bigint, rows_max integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with looked_at as materialized (
    select u.*, u.starts_at < now() - make_interval(secs => kept_s) as is_old from usage_periods u where u.id > after
    order by u.id limit rows_max
  ), old as (
    select l.*, min(l.id) over (partition by l.customer_id, l.account_id, l.voucher_id, l.device_id, l.guest_id) as first_id
    from looked_at l where l.is_old and l.starts_at > '-infinity'
  ), folds as materialized (
    select o.id, coalesce(known.id, o.first_id) as into_id
    from old o left join lateral (
      select u.id from usage_periods u where u.customer_id = o.customer_id and u.account_id = o.account_id and u.starts_at = '-infinity'
      union all
      select u.id from usage_periods u where u.customer_id = o.customer_id and u.voucher_id = o.voucher_id and u.starts_at = '-infinity'
      union all
      select u.id from usage_periods u where u.customer_id = o.customer_id and u.device_id = o.device_id and u.starts_at = '-infinity'
      union all
      select u.id from usage_periods u where u.customer_id = o.customer_id and u.guest_id = o.guest_id and u.starts_at = '-infinity'
    ) known on true
  ), folded as (
    delete from usage_periods t using folds f where t.id = f.id and f.into_id <> f.id
    returning f.into_id, t.seconds_used, t.bytes_used
  ), added as (
    update usage_periods t set starts_at = '-infinity', seconds_used = t.seconds_used + s.seconds, bytes_used = t.bytes_used + s.bytes
    from (
      select i.into_id, coalesce(sum(f.seconds_used), 0) as seconds, coalesce(sum(f.bytes_used), 0) as bytes
      from (select distinct into_id from folds) i left join folded f using (into_id) group by i.into_id) s
    where t.id = s.into_id
  )
  -- A period is written on its day or later: after rows none of which is old, hardly any is.
  select max(l.id) from looked_at l having bool_or(l.is_old) and count(*) >= rows_max
$function$;
