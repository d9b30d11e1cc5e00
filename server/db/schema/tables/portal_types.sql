-- Written by `npm run tables` from what the migrations made, never by hand.

create table portal_types (
  id integer not null,
  name text not null,
  constraint portal_types_pkey PRIMARY KEY (id),
  constraint portal_types_name_key UNIQUE (name)
);

comment on table portal_types is 'Look-up: standard, custom, external. Ids are fixed.';

grant select on portal_types to foyer_app;
