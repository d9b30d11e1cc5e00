-- Written by `npm run tables` from what the migrations made, never by hand.

create table connectivity_types (
  id integer not null,
  name text not null,
  constraint connectivity_types_pkey PRIMARY KEY (id),
  constraint connectivity_types_name_key UNIQUE (name)
);

comment on table connectivity_types is 'Look-up: what connects a property to the internet. Ids are fixed.';

grant select on connectivity_types to foyer_app;
