-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_sweep()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  delete from rate_limits where expires_at < now();
  delete from sessions where expires_at < now();
  delete from password_resets where expires_at < now() - interval '1 day';
  delete from idempotency_keys where created_at < now() - interval '24 hours';
  delete from login_addresses where last_used_at < now() - interval '90 days';
  delete from login_devices where last_used_at < now() - interval '400 days';
  delete from attention_marks where marked_at < now() - interval '90 days';
  delete from shift_notes where done_at < now() - interval '30 days' or created_at < now() - interval '400 days';
  delete from events where created_at < now() - interval '30 days';
  -- Past the time in which a message may be repeated, and a stay be told anew.
  delete from told_messages where received_at < now() - interval '7 days';
  delete from told_stays where told is null and told_at < now() - interval '30 days';
  -- Of an interface that is gone only a departure still takes effect.
  delete from told_stays w using property_interfaces i where i.customer_id = w.customer_id and i.id = w.property_interface_id
    and i.deleted_at is not null and w.leaves_at is null;
  delete from property_link_records where created_at < now() - interval '30 days';
  delete from sign_in_challenges where expires_at < now();
  select end_sign_up(l.id) from logins l where l.taken_off_at < now() - interval '7 days';
  delete from second_factors where confirmed_at is null and created_at < now() - interval '1 day';
$function$;
