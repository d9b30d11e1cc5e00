-- Written by `npm run tables` from what the migrations made, never by hand.

create table user_types (
  id integer not null,
  name text not null,
  role text not null,
  constraint user_types_pkey PRIMARY KEY (id),
  constraint user_types_name_key UNIQUE (name),
  constraint user_types_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'front_desk'::text])))
);

comment on table user_types is 'Look-up: permissions of users. Ids are fixed; the role decides, never the name.';

grant select on user_types to foyer_app;
