-- What a gap in `sequence` tells, for whoever looks at the table with psql.

comment on table event_sequences is
  'What has happened to one object, counted whatever its type, so that whoever has taken all of it since the first knows what is missing.';
