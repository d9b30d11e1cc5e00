-- Finds what a trial has left in guest_devices.
-- once
create index concurrently if not exists guest_devices_trial_id_idx on guest_devices (trial_id) where trial_id is not null;
