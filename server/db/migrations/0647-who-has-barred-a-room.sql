-- Several interfaces may speak of one property: only the one that has barred a room, or has said that nobody is to disturb there, can take
-- that back.

alter table rooms add column barred_by integer, add column do_not_disturb_by integer;
comment on column rooms.barred_by is
  'The interface whose system has barred it. Empty: nobody has, or it was said before this column was there.';
comment on column rooms.do_not_disturb_by is
  'The interface whose system has said so. Empty: nobody has, or it was said before this column was there.';
