-- Imports can be taken back for 24 hours: what each found and what it left, row by row, and how it stands.

alter table imports add column created integer not null default 0;
alter table imports add column overwritten integer not null default 0;
alter table imports add column actor_name text;
-- Where its records are; a file may be for many properties.
alter table imports add column property_ids integer[] not null default '{}';
-- Null: nothing was kept of it, because it failed or was done before this could be.
alter table imports add column undo_until timestamptz;
alter table imports add column undone_at timestamptz;
alter table imports add column undone_by text;
alter table imports add column search text not null generated always as
  (search_text(' ' || coalesce(file_name, '') || ' ' || coalesce(actor_name, ''))) stored;
select make_searchable('imports');
-- Of the function that searches, these words change; whatever else has become of it stays.
do $$
declare
  table_before constant text := $sql$'guests', 'rooms')$sql$;
  table_after constant text := $sql$'guests', 'imports', 'rooms')$sql$;
  deletion_before constant text := $sql$case entity when 'activity' then 'true'$sql$;
  deletion_after constant text := $sql$case when entity in ('activity', 'imports') then 'true'$sql$;
  written constant text := pg_get_functiondef('search_ids(text, text, integer, integer[])'::regprocedure);
begin
  if position(table_before in written) = 0 or position(deletion_before in written) = 0 then
    raise exception 'search_ids names its tables in another way';
  end if;
  execute replace(replace(written, table_before, table_after), deletion_before, deletion_after);
end $$;

-- `before` is what the columns that an import writes held, with a sealed password as it was sealed; null where the import
-- made the record. `left_as` is a digest of the whole record as the import left it: by it a later change shows.
create table import_rows (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  import_id integer not null,
  record_table text not null check (record_table in ('accounts', 'devices', 'rooms', 'room_guests')),
  record_id integer not null,
  before jsonb,
  left_as bytea not null,
  unique (customer_id, id),
  unique (customer_id, import_id, record_table, record_id),
  foreign key (customer_id, import_id) references imports (customer_id, id) on delete cascade
);
select make_tenant_table('import_rows');

-- The imports whose rows are still to be forgotten; few at any time.
create index on imports (undo_until) where undo_until is not null;

-- Forgets some rows of imports that cannot be undone any more. Answers whether there are more.
create function door_forget_imports(rows_max integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  past record;
  forgotten integer;
begin
  select i.customer_id, i.id into past from imports i
    where i.undo_until is not null and (i.undo_until <= now() or i.undone_at is not null)
    order by i.undo_until limit 1 for update skip locked;
  if not found then return false; end if;
  delete from import_rows where id in (
    select r.id from import_rows r where r.customer_id = past.customer_id and r.import_id = past.id limit rows_max);
  get diagnostics forgotten = row_count;
  if forgotten < rows_max then
    update imports set undo_until = null where customer_id = past.customer_id and id = past.id;
  end if;
  return true;
end $$;
grant execute on function door_forget_imports(integer) to foyer_app;
