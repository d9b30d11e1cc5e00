-- Written by `npm run tables` from what the migrations made, never by hand.

create table gateway_types (
  id integer not null,
  name text not null,
  constraint gateway_types_pkey PRIMARY KEY (id),
  constraint gateway_types_name_key UNIQUE (name)
);

comment on table gateway_types is 'Look-up: makes of gateways. Ids are fixed; a new one goes at the end.';

grant select on gateway_types to foyer_app;
