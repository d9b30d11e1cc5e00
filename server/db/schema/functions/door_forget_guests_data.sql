-- Deletes sessions, sign-in attempts, mails and texts that are kept no longer, used-up codes, and guests who never confirmed what they
-- typed. At most rows_max rows of each, shared by all customers; returns whether more is left, and notes since when sessions stand.

CREATE OR REPLACE FUNCTION public.door_forget_guests_data(sessions_kept_s integer, attempts_kept_s integer, rows_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer integer;
  touched integer[] := '{}';
  gone integer;
  total integer := 0;
begin
  -- All customers share the rows of a call, which is one transaction with a limit of time; the next call begins with another one.
  for customer in select id from customers order by random() loop
    delete from radius_sessions s using (
      select o.id from radius_sessions o where o.customer_id = customer and o.stopped_at is not null
        and o.started_at < now() - make_interval(secs => sessions_kept_s)
        and o.stopped_at < now() - make_interval(secs => sessions_kept_s)
      order by o.started_at limit rows_max) old
      where s.customer_id = customer and s.id = old.id;
    get diagnostics gone = row_count;
    total := total + gone;
    if gone > 0 then touched := touched || customer; end if;
    delete from radius_authorisations a using (
      select o.id from radius_authorisations o where o.customer_id = customer
        and o.created_at < now() - make_interval(secs => attempts_kept_s)
      order by o.created_at limit rows_max) old
      where a.customer_id = customer and a.id = old.id;
    get diagnostics gone = row_count;
    total := total + gone;
    delete from outbox_mails m using (
      select o.id from outbox_mails o where o.customer_id = customer and (o.sent_at is not null or o.failed_at is not null)
        and o.created_at < now() - make_interval(secs => attempts_kept_s)
      order by o.created_at limit rows_max) old
      where m.customer_id = customer and m.id = old.id;
    get diagnostics gone = row_count;
    total := total + gone;
    delete from outbox_texts m using (
      select o.id from outbox_texts o where o.customer_id = customer and (o.sent_at is not null or o.failed_at is not null)
        and o.created_at < now() - make_interval(secs => attempts_kept_s)
      order by o.created_at limit rows_max) old
      where m.customer_id = customer and m.id = old.id;
    get diagnostics gone = row_count;
    total := total + gone;
    exit when total >= rows_max;
  end loop;
  -- In one order: another job may note something of the same customers.
  perform from customers c where c.id = any (touched) order by c.id for no key update;
  update customers c set sessions_kept_since = greatest(c.sessions_kept_since, now() - make_interval(secs => sessions_kept_s))
    where c.id = any (touched);
  delete from one_time_codes k using (
    select o.id from one_time_codes o where o.expires_at < now() - interval '1 day' order by o.expires_at limit rows_max) old
    where k.id = old.id;
  get diagnostics gone = row_count;
  total := greatest(total, gone);
  -- Whoever typed an address and never confirmed it is nobody's guest.
  update guests g set email = null, mobile_number = null, waiting_mac_address = null, grace_ends_at = null, deleted_at = now()
    from (select o.id from guests o where o.waiting_mac_address is not null and o.deleted_at is null
      and o.last_seen_at < now() - make_interval(secs => attempts_kept_s) limit rows_max) old
    where g.id = old.id;
  get diagnostics gone = row_count;
  return greatest(total, gone) >= rows_max;
end $function$;
