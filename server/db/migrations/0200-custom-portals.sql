-- Custom portals: their pages, as each imported zip had them, so that an earlier design brings its own pages back.

-- zip_number counts the zips that were imported for a portal; of a portal and of a version it says whose pages are shown.
alter table portals add column zip_number integer;
alter table portal_versions add column zip_number integer;
alter table portal_files add column zip_number integer not null default 1 check (zip_number > 0);
alter table portal_files alter column zip_number drop default;
alter table portal_files drop constraint portal_files_customer_id_portal_id_path_key;
alter table portal_files add unique (customer_id, portal_id, zip_number, path);

-- What is only marked as deleted would keep its pages for ever.
create function let_go_of_portal_files() returns trigger language plpgsql as $$
begin
  delete from portal_files where customer_id = new.customer_id and portal_id = new.id;
  return null;
end $$;
create trigger let_go_of_portal_files after update of deleted_at on portals
  for each row when (new.deleted_at is not null) execute function let_go_of_portal_files();
