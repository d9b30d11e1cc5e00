-- Written by `npm run tables` from what the migrations made, never by hand.

create table releases (
  version text not null,
  serves_since text not null,
  upgraded_at timestamp with time zone not null default now(),
  constraint releases_pkey PRIMARY KEY (version),
  constraint releases_serves_since_check CHECK ((serves_since ~ '^\d+\.\d+\.\d+$'::text)),
  constraint releases_version_check CHECK ((version ~ '^\d+\.\d+\.\d+$'::text))
);

comment on table releases is 'Which releases have upgraded this database, and the oldest whose nodes each leaves at work.';
