-- Written by `npm run tables` from what the migrations made, never by hand.

create table auth_methods (
  id integer not null,
  name text not null,
  constraint auth_methods_pkey PRIMARY KEY (id),
  constraint auth_methods_name_key UNIQUE (name)
);

comment on table auth_methods is 'Look-up: ways to sign in at a portal. Ids are fixed.';

grant select on auth_methods to foyer_app;
