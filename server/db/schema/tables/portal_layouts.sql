-- Written by `npm run tables` from what the migrations made, never by hand.

create table portal_layouts (
  id integer not null,
  name text not null,
  constraint portal_layouts_pkey PRIMARY KEY (id),
  constraint portal_layouts_name_key UNIQUE (name)
);

comment on table portal_layouts is 'Look-up. Ids are fixed.';

grant select on portal_layouts to foyer_app;
