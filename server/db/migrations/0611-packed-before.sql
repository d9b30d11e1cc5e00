-- Lists show the sessions that are not packed, and say since when.
alter table customers add column sessions_packed_before timestamptz;
comment on column customers.sessions_packed_before is 'Sessions that ended before may be packed. Null: none are.';
