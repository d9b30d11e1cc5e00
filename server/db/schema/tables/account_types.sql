-- Written by `npm run tables` from what the migrations made, never by hand.

create table account_types (
  id integer not null,
  name text not null,
  constraint account_types_pkey PRIMARY KEY (id),
  constraint account_types_name_key UNIQUE (name)
);

comment on table account_types is 'Look-up: regular or conference. Ids are fixed.';

grant select on account_types to foyer_app;
