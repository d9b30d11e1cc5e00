-- For migrations: the trigram index of a table's column search, and its line in searched_tables, by which search_ids may search it.
-- narrowing is the condition by which it is searched within properties ($2).

CREATE OR REPLACE FUNCTION public.make_searchable(searched_table regclass, narrowing text DEFAULT 'true'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    execute format('create index on %s using gin (customer_id, search gin_trgm_ops, (customer_id::bigint))
      with (gin_pending_list_limit = 1024)', searched_table);
  end if;
  insert into searched_tables (entity, present, narrowing)
  select searched_table::text,
    case when exists (select from pg_attribute where attrelid = searched_table and attname = 'deleted_at')
      then 'deleted_at is null' else 'true' end
    || case when exists (select from pg_attribute where attrelid = searched_table and attname = 'trial_id')
      then ' and trial_id is null' else '' end,
    make_searchable.narrowing
  -- A table whose texts change is made searchable again, and stays as narrow as it was.
  on conflict (entity) do update set present = excluded.present;
end $function$;
