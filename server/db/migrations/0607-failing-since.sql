-- Since when work fails: counted tries and the age of its row do not say so.
alter table due_work add column failing_since timestamptz;
comment on column due_work.failing_since is 'When it was first tried in vain, since it was last done or given up.';
