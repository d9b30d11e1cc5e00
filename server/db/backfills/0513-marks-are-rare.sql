-- Tells the planner that hardly any row bears the mark of a trial.
-- once
analyze radius_sessions (trial_id), radius_authorisations (trial_id), guests (trial_id), guest_devices (trial_id),
  consent_records (trial_id), access_passes (trial_id), outbox_mails (trial_id), gateways (trial_id);
