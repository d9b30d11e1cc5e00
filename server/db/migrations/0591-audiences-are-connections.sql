-- The same for connections to marketing providers, in a transaction of its own: each table is locked by itself.
create trigger noted_as_connections after insert or update or delete on marketing_integrations
  for each row execute function note_connection('marketing', 'audience_id');
