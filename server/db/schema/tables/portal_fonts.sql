-- Written by `npm run tables` from what the migrations made, never by hand.

create table portal_fonts (
  id integer not null,
  name text not null,
  constraint portal_fonts_pkey PRIMARY KEY (id),
  constraint portal_fonts_name_key UNIQUE (name)
);

comment on table portal_fonts is 'Look-up. Ids are fixed.';

grant select on portal_fonts to foyer_app;
