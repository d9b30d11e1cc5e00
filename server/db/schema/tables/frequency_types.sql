-- Written by `npm run tables` from what the migrations made, never by hand.

create table frequency_types (
  id integer not null,
  name text not null,
  constraint frequency_types_pkey PRIMARY KEY (id),
  constraint frequency_types_name_key UNIQUE (name)
);

grant select on frequency_types to foyer_app;
