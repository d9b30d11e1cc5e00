-- Trigger of accounting and marketing integrations: keeps their line in the list of all connections. Its arguments are the kind, and the
-- column that says what was chosen there.

CREATE OR REPLACE FUNCTION public.note_connection()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from connections where customer_id = old.customer_id and kind = tg_argv[0] and own_id = old.id;
    return null;
  end if;
  insert into connections as c (customer_id, group_id, property_id, kind, own_id, integration_type, name, chosen, connected_at, synced_at,
      last_error, needs_reconnect, failures, active, created_at, deleted_at)
    values (new.customer_id, new.group_id, new.property_id, tg_argv[0], new.id, new.integration_type, new.name,
      to_jsonb(new) ->> tg_argv[1] is not null, new.connected_at, new.synced_at, new.last_error, new.needs_reconnect, new.failures,
      new.active, new.created_at, new.deleted_at)
    on conflict (customer_id, kind, own_id) do update set group_id = excluded.group_id, property_id = excluded.property_id,
      integration_type = excluded.integration_type, name = excluded.name, chosen = excluded.chosen,
      connected_at = excluded.connected_at, synced_at = excluded.synced_at, last_error = excluded.last_error,
      needs_reconnect = excluded.needs_reconnect, failures = excluded.failures, active = excluded.active,
      deleted_at = excluded.deleted_at;
  return null;
end $function$;
