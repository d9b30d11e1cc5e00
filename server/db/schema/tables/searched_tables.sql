-- Written by `npm run tables` from what the migrations made, never by hand.

create table searched_tables (
  entity text not null,
  present text not null,
  narrowing text not null,
  constraint searched_tables_pkey PRIMARY KEY (entity)
);

comment on table searched_tables is 'Tables with a search column, in which search_ids looks.';
