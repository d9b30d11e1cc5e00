-- The gateways of samples are heard, and their guests go on using the network until they are disconnected. Nothing else reports for them.
-- Called each minute by a job.

CREATE OR REPLACE FUNCTION public.door_keep_samples()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  samples integer[] := (select array_agg(c.id) from customers c where c.sample_of is not null and c.sample_day is not null);
begin
  if samples is null then return; end if;
  update gateways g set last_seen_at = now() where g.customer_id = any (samples) and g.deleted_at is null;
  update radius_sessions s set last_seen_at = now(), seconds = extract(epoch from now() - s.started_at)::bigint,
      stopped_at = case when s.disconnect_asked_at is not null then now() end,
      termination_cause = case when s.disconnect_asked_at is not null then coalesce(s.disconnect_for, 'Admin-Reset') end
    where s.customer_id = any (samples) and s.stopped_at is null and s.trial_id is null;
end $function$;
