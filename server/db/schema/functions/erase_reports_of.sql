-- Deletes the files of reports that name these guests of the caller's customer, or may do so, from mails that are to take them along, too;
-- reports that are being made are made anew. Called by erase_guests, whose devices have the addresses of nobodies by then.

CREATE OR REPLACE FUNCTION public.erase_reports_of(guests bigint[], nobodies macaddr[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
  -- When they were, as far as single sessions say.
  online tstzmultirange;
  files_naming integer[];
begin
  -- A report that is being made has perhaps read them: it is made anew.
  update report_runs set outcome = 'queued', progress = null, attempts = attempts + 1, touched_at = now()
    where id = any (array(
      select r.id from report_runs r where r.customer_id = customer and r.outcome = 'running' order by r.id for no key update));
  -- One that names guests, of days on which one of them was online: its file goes, from mails that are to take it along, too. By UTC, a
  -- day of a property begins and ends within a day of its date. Whose sessions are no longer kept may be in any file of their days.
  select range_agg(tstzrange(began_at, greatest(began_at, over_at), '[]')) into online from (
    select s.started_at as began_at, coalesce(s.stopped_at, s.last_seen_at) as over_at from radius_sessions s
      where s.customer_id = customer and (s.guest_id = any (erase_reports_of.guests) or s.mac_address = any (nobodies))
    union all select k.began_at, k.over_at from packed_sessions k
      where k.customer_id = customer and (k.guest_ids && erase_reports_of.guests or k.mac_addresses && nobodies)) as theirs;
  with naming as (
    select r.id, r.file_id from report_runs r join customers c on c.id = r.customer_id
      cross join lateral (select (r.period_start - 1)::timestamp at time zone 'UTC' as first,
        (r.period_end + 2)::timestamp at time zone 'UTC' as last) as days
      where r.customer_id = customer and r.names_guests and r.file_id is not null
        and (tstzrange(days.first, days.last) && online or days.first < c.sessions_kept_since)
      order by r.id for no key update of r),
    gone as (update report_runs r set file_id = null from naming where r.id = naming.id)
  select coalesce(array_agg(file_id), '{}') into files_naming from naming;
  update outbox_mails set file_id = null, good_until = now() where customer_id = customer and file_id = any (files_naming);
  delete from files where customer_id = customer and id = any (files_naming);
end $function$;
