-- Deletes packed sessions that began and ended longer ago than kept_s, in steps of some rows, and notes since when single sessions stand. A
-- row in whose middle that is is cut where one of them ended a day before. Returns whether more is left.

CREATE OR REPLACE FUNCTION public.door_forget_packed_sessions(kept_s bigint, packs_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  edge constant timestamptz := now() - make_interval(secs => kept_s);
  customer integer;
  touched integer[] := '{}';
  pack record;
  gone integer;
  total integer := 0;
begin
  -- All customers share the rows of a call, which is one transaction with a limit of time; the next call begins with another one.
  for customer in select id from customers order by random() loop
    gone := 0;
    for pack in
      select k.id, k.over_at from packed_sessions k
        where k.customer_id = customer and k.began_at < edge
          and (k.over_at < edge or coalesce(k.first_over_at, k.began_at) < edge - interval '1 day')
        order by k.began_at limit packs_max - total for update skip locked
    loop
      if pack.over_at < edge then
        delete from packed_sessions k where k.customer_id = customer and k.id = pack.id;
      else
        perform cut_packed_sessions(customer, pack.id, edge);
      end if;
      gone := gone + 1;
    end loop;
    total := total + gone;
    if gone > 0 then touched := touched || customer; end if;
    exit when total >= packs_max;
  end loop;
  -- In one order: another job may note something of the same customers.
  perform from customers c where c.id = any (touched) order by c.id for no key update;
  update customers c set sessions_kept_since = greatest(c.sessions_kept_since, edge) where c.id = any (touched);
  return total >= packs_max;
end $function$;
