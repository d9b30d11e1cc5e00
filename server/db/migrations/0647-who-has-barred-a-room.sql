-- Several interfaces may speak of one property: only the one that has barred a room can take that back.

alter table rooms add column told_by integer;
comment on column rooms.told_by is
  'The interface whose system has said last that it is barred or not to be disturbed. Empty: it was said before this column was there.';
