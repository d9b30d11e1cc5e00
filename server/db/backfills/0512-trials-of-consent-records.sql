-- Finds what a trial has left in consent_records.
-- once
create index concurrently if not exists consent_records_trial_id_idx on consent_records (trial_id) where trial_id is not null;
