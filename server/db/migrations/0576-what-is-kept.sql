-- What is kept of sums and of the activity log: since when both stand, as customers.sessions_kept_since says it of single sessions.

-- The first day of which sums stand; those of days before are deleted. Null: none are.
alter table customers add column sums_kept_since date;
-- Lines of the activity log from before this moment are deleted. Null: none are.
alter table customers add column activity_kept_since timestamptz;
