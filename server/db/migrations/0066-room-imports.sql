-- Rooms come from spreadsheets, too.
alter table imports drop constraint imports_kind_check;
alter table imports add constraint imports_kind_check check (kind in ('accounts', 'devices', 'rooms', 'portal'));
