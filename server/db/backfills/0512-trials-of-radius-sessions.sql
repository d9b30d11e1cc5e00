-- Finds what a trial has left in radius_sessions.
-- once
create index concurrently if not exists radius_sessions_trial_id_idx on radius_sessions (trial_id) where trial_id is not null;
