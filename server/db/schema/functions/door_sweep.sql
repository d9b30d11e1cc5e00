-- Deletes what is kept for a time only and belongs to no list: counted tries, sessions, links, repeated requests, events, messages of
-- property systems, marks. Called by a job; each statement has a bound where traffic fills the table.

CREATE OR REPLACE FUNCTION public.door_sweep()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  -- What comes with the traffic is removed in parts: after days without it, all at once would not fit into the time of a statement.
  delete from rate_limits where key in (
    select key from rate_limits where expires_at < now() order by expires_at limit 50000);
  delete from sessions where token_hash in (
    select token_hash from sessions where expires_at < now() order by expires_at limit 50000);
  delete from password_resets where expires_at < now() - interval '1 day';
  delete from idempotency_keys where id in (
    select id from idempotency_keys where created_at < now() - interval '24 hours' order by created_at limit 50000);
  delete from login_addresses where last_used_at < now() - interval '90 days';
  delete from login_devices where last_used_at < now() - interval '400 days';
  delete from attention_marks where marked_at < now() - interval '90 days';
  delete from shift_notes where done_at < now() - interval '30 days' or created_at < now() - interval '400 days';
  delete from events where id in (
    select id from events where created_at < now() - interval '30 days' order by created_at limit 50000);
  -- Past the time in which a message may be repeated, and a stay be told anew.
  delete from told_messages where id in (
    select id from told_messages where received_at < now() - interval '7 days' order by received_at limit 50000);
  delete from told_stays where told is null and told_at < now() - interval '30 days';
  -- Of an interface that is gone only a departure still takes effect.
  delete from told_stays w using property_interfaces i where i.customer_id = w.customer_id and i.id = w.property_interface_id
    and i.deleted_at is not null and w.leaves_at is null;
  delete from property_link_records where id in (
    select id from property_link_records where created_at < now() - interval '30 days' order by created_at limit 50000);
  delete from sign_in_challenges where expires_at < now();
  select end_sign_up(l.id) from logins l where l.taken_off_at < now() - interval '7 days';
  delete from second_factors where confirmed_at is null and created_at < now() - interval '1 day';
$function$;
