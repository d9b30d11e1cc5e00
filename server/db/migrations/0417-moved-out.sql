-- Moved out: a list of rooms may say who lives there, so that others are checked out; that is taken back with the import.

-- A record that was there, and that the import took out.
alter table import_rows add column removed boolean not null default false;
alter table imports add column moved_out integer not null default 0;
