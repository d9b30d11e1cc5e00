-- Tells the planner that few rows bear the mark of a trial; where there are none, that tables are empty would be believed for too long.
-- once
do $$ begin
  if exists (select from radius_sessions) then
    analyze radius_sessions (trial_id), radius_authorisations (trial_id), guests (trial_id), guest_devices (trial_id),
      consent_records (trial_id), access_passes (trial_id), outbox_mails (trial_id), gateways (trial_id); end if; end $$;
