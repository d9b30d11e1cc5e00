-- Adds periods of usage that began more than kept_s ago to the latest such period of their holder: what a holder has used in all stays the
-- same, since an allowance that does not recur is reckoned from it. Looks at the next rows_max rows after an id; returns the id to go on
-- after, and null once it comes to rows that are not that old.

CREATE OR REPLACE FUNCTION public.door_fold_usage(kept_s integer, after bigint, rows_max integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with until as materialized (
    select now() - make_interval(secs => kept_s) as moment
  ), looked_at as materialized (
    select u.*, u.starts_at < until.moment as is_old from usage_periods u, until where u.id > after order by u.id limit rows_max
  ), folded as (
    delete from usage_periods t using (
      select l.id, latest.id as into_id from looked_at l, until, lateral (
        select of_holder.id from (
          select o.id, o.starts_at from usage_periods o where o.customer_id = l.customer_id and o.account_id = l.account_id
          union all
          select o.id, o.starts_at from usage_periods o where o.customer_id = l.customer_id and o.voucher_id = l.voucher_id
          union all
          select o.id, o.starts_at from usage_periods o where o.customer_id = l.customer_id and o.device_id = l.device_id
          union all
          select o.id, o.starts_at from usage_periods o where o.customer_id = l.customer_id and o.guest_id = l.guest_id) of_holder
        where of_holder.starts_at < until.moment order by of_holder.starts_at desc limit 1) latest
      where l.is_old and latest.id <> l.id) fold
    where t.id = fold.id returning fold.into_id, t.seconds_used, t.bytes_used
  ), added as (
    update usage_periods t set seconds_used = t.seconds_used + s.seconds, bytes_used = t.bytes_used + s.bytes
    from (select f.into_id, sum(f.seconds_used) as seconds, sum(f.bytes_used) as bytes from folded f group by f.into_id) s
    where t.id = s.into_id
  )
  -- A period is written on its day or later: after rows none of which is old, hardly any is.
  select max(l.id) from looked_at l having bool_or(l.is_old) and count(*) >= rows_max
$function$;
