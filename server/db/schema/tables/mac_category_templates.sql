-- Written by `npm run tables` from what the migrations made, never by hand.

create table mac_category_templates (
  id integer not null,
  name text not null,
  blocks boolean not null default false,
  constraint mac_category_templates_pkey PRIMARY KEY (id),
  constraint mac_category_templates_name_key UNIQUE (name)
);

comment on table mac_category_templates is 'Copied into the mac_categories of each new customer.';

grant select on mac_category_templates to foyer_app;
