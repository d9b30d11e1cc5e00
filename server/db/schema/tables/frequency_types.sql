-- Written by `npm run tables` from what the migrations made, never by hand.

create table frequency_types (
  id integer not null,
  name text not null,
  constraint frequency_types_pkey PRIMARY KEY (id),
  constraint frequency_types_name_key UNIQUE (name)
);

comment on table frequency_types is 'Look-up: how often a report is sent. Ids are fixed.';

grant select on frequency_types to foyer_app;
