-- Written by `npm run tables` from what the migrations made, never by hand.

create table pseudonym_key (
  id integer not null,
  key bytea not null,
  constraint pseudonym_key_pkey PRIMARY KEY (id),
  constraint pseudonym_key_id_check CHECK ((id = 1))
);

comment on table pseudonym_key is 'What pseudonyms of guests are made with: without it nobody tells whose one is, not even by trying every device.';
