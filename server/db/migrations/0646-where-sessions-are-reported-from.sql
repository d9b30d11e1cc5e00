-- A gateway may be many boxes, each of which knows its own guests alone: what is asked about a session goes to the one that reports it.

alter table radius_sessions add column reported_from inet;
comment on column radius_sessions.reported_from is
  'Where its last report came from, by RADIUS. Empty once it has ended, or where nothing has come since this column is there.';
