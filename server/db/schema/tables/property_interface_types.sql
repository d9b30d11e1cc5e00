-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_interface_types (
  id integer not null,
  name text not null,
  constraint property_interface_types_pkey PRIMARY KEY (id),
  constraint property_interface_types_name_key UNIQUE (name)
);

grant select on property_interface_types to foyer_app;
