-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_types (
  id integer not null,
  name text not null,
  constraint property_types_pkey PRIMARY KEY (id),
  constraint property_types_name_key UNIQUE (name)
);

comment on table property_types is 'Look-up. Ids are fixed.';

grant select on property_types to foyer_app;
