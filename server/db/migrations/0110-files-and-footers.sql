-- Files that guests see, and the footer of the portals.

-- public_id is the unguessable part of a picture's address. A picture's measures let a page keep its place free.
alter table files add column public_id text not null unique default replace(gen_random_uuid()::text, '-', '');
alter table files add column width integer check (width > 0);
alter table files add column height integer check (height > 0);

-- What is still pointed at cannot be deleted: the database itself refuses, whatever a job thinks of it.
alter table portals
  drop constraint portals_customer_id_logo_file_id_fkey,
  drop constraint portals_customer_id_portal_image_file_id_fkey,
  drop constraint portals_customer_id_custom_file_id_fkey,
  add foreign key (customer_id, logo_file_id) references files (customer_id, id),
  add foreign key (customer_id, portal_image_file_id) references files (customer_id, id),
  add foreign key (customer_id, custom_file_id) references files (customer_id, id);
alter table portal_footers
  drop constraint portal_footers_customer_id_image_file_id_fkey,
  add foreign key (customer_id, image_file_id) references files (customer_id, id);

-- Takes away up to `rows_max` rows of files that nothing points at, a day after they were made, and answers how many. Which
-- tables point at files is read from the catalogue, so that a new one is never forgotten. Their content is removed by the job.
create function door_forget_files(rows_max integer) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  unused text;
  forgotten integer;
begin
  select string_agg(format('not exists (select from %s u where u.customer_id = f.customer_id and u.%I = f.id)',
      k.conrelid::regclass, a.attname), ' and ') into unused
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
    where k.contype = 'f' and k.confrelid = 'public.files'::regclass;
  execute format('delete from files where id in (select f.id from files f
    where f.created_at < now() - interval ''1 day'' and %s limit $1)', unused) using rows_max;
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

-- The picture at a public address, for whoever asks. No other kind of file has one.
create function door_picture(asked text) returns table (customer_id integer, hash text, content_type text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select f.customer_id, encode(f.sha256, 'hex'), f.content_type from files f
    where f.public_id = asked and f.deleted_at is null and f.content_type in ('image/jpeg', 'image/png');
$$;
grant execute on function door_forget_files(integer), door_picture(text) to foyer_app;

-- The footer is one of a customer. The log calls it by its link.
alter table portal_footers add column active boolean not null default true;
alter table portal_footers add column status text not null
  generated always as (case when active then 'active' else 'disabled' end) stored;
alter table portal_footers add column name text not null generated always as (coalesce(url, 'Portal footer')) stored;
alter table portal_footers add column search text not null
  generated always as (search_text(' ' || coalesce(url, ''))) stored;
select make_searchable('portal_footers');
-- Of the function that searches, only the list of tables changes.
do $$
declare
  before constant text := $sql$'portals',$sql$;
  after constant text := $sql$'portals', 'portal_footers',$sql$;
  written constant text := pg_get_functiondef('search_ids(text, text, integer, integer[])'::regprocedure);
begin
  if position(before in written) = 0 then raise exception 'search_ids names its tables in another way'; end if;
  execute replace(written, before, after);
end $$;

-- What is only marked as deleted would keep its picture for ever.
create function let_go_of_picture() returns trigger language plpgsql as $$
begin
  new.image_file_id = null;
  return new;
end $$;
create trigger let_go_of_picture before update of deleted_at on portal_footers
  for each row when (new.deleted_at is not null) execute function let_go_of_picture();
alter table portal_footers add check (image_file_id is not null or deleted_at is not null);
create unique index portal_footers_one_of_customer on portal_footers (customer_id) where deleted_at is null;
