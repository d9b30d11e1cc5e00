-- Finds what a trial has left in radius_authorisations.
-- once
create index concurrently if not exists radius_authorisations_trial_id_idx on radius_authorisations (trial_id) where trial_id is not null;
