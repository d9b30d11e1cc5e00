-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_interface_types (
  id integer not null,
  name text not null,
  constraint property_interface_types_pkey PRIMARY KEY (id),
  constraint property_interface_types_name_key UNIQUE (name)
);

comment on table property_interface_types is 'Look-up: systems of properties. Ids are fixed; a new one goes at the end.';

grant select on property_interface_types to foyer_app;
