-- Portals: what guests are told besides, and every design that was saved, so that an earlier one can be had again.

-- terms_version counts the wordings of the terms: who agreed, agreed to one of them.
alter table portals add column terms text;
alter table portals add column terms_version integer not null default 0;
alter table portals add column privacy_url text;
alter table portals add column marketing_text text;
create unique index portals_name_unique on portals (customer_id, lower(name)) where deleted_at is null;

-- design holds the other fields by their names, as they were saved.
create table portal_versions (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  portal_id integer not null,
  number integer not null check (number > 0),
  design jsonb not null,
  logo_file_id integer,
  portal_image_file_id integer,
  saved_by text not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, portal_id, number),
  foreign key (customer_id, portal_id) references portals (customer_id, id) on delete cascade,
  foreign key (customer_id, logo_file_id) references files (customer_id, id),
  foreign key (customer_id, portal_image_file_id) references files (customer_id, id)
);
create index on portal_versions (customer_id, logo_file_id) where logo_file_id is not null;
create index on portal_versions (customer_id, portal_image_file_id) where portal_image_file_id is not null;
select make_tenant_table('portal_versions');

-- What is only marked as deleted would keep its pictures for ever.
create function let_go_of_portal_pictures() returns trigger language plpgsql as $$
begin
  update portal_versions set logo_file_id = null, portal_image_file_id = null
    where customer_id = new.customer_id and portal_id = new.id;
  new.logo_file_id = null;
  new.portal_image_file_id = null;
  return new;
end $$;
create trigger let_go_of_portal_pictures before update of deleted_at on portals
  for each row when (new.deleted_at is not null) execute function let_go_of_portal_pictures();
