-- Written by `npm run tables` from what the migrations made, never by hand.

create table gateway_types (
  id integer not null,
  name text not null,
  constraint gateway_types_pkey PRIMARY KEY (id),
  constraint gateway_types_name_key UNIQUE (name)
);

grant select on gateway_types to foyer_app;
