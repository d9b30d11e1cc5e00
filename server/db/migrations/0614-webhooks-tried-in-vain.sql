-- Days of failure are days in which a webhook was tried: what failed once long ago says nothing of the days between.
alter table webhooks add column failed_at timestamptz;
comment on column webhooks.failed_at is 'When it was last tried in vain.';
