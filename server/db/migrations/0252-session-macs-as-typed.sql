-- A MAC of a session or an attempt is found however it is typed: with colons, hyphens (as Windows shows it) or dots.

-- Of the function that says what a search must hold, these words change; whatever else has become of it stays.
do $$
declare
  before constant text := $sql$entity in ('devices', 'gateways')$sql$;
  after constant text := $sql$entity in ('devices', 'gateways', 'radius_authorisations', 'radius_sessions')$sql$;
  written constant text := pg_get_functiondef('search_pattern(text, text)'::regprocedure);
begin
  if position(before in written) = 0 then raise exception 'search_pattern names its tables in another way'; end if;
  execute replace(written, before, after);
end $$;
