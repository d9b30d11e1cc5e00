-- Work that is done again and again may be wanted sooner while it is being tried: it is done once more then.

alter table due_work add column wanted_at timestamptz;
comment on column due_work.wanted_at is 'When it is wanted once more, by what happened while it was being tried.';
