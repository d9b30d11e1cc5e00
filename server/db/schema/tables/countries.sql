-- Written by `npm run tables` from what the migrations made, never by hand.

create table countries (
  id integer not null,
  name text not null,
  code character(2) not null,
  dialling_code text not null,
  time_zone text not null,
  time_zones text[] not null,
  several_clocks boolean not null,
  currency character(3) not null,
  constraint countries_pkey PRIMARY KEY (id),
  constraint countries_code_key UNIQUE (code),
  constraint countries_name_key UNIQUE (name)
);

comment on table countries is 'Look-up: ISO 3166-1, with dialling codes and time zones. Ids are fixed.';
comment on column countries.several_clocks is 'Its zones do not all show the same time, so that a property''s is to be given.';

grant select on countries to foyer_app;
