-- Finds what a trial has left in guests.
-- once
create index concurrently if not exists guests_trial_id_idx on guests (trial_id) where trial_id is not null;
