-- Two usernames of a property that are the same once their case, spaces and look-alike signs are folded sign in as one: the second is
-- refused. Those that stand already go on to, each signed in by its exact spelling.
create function refuse_second_username() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from accounts as a
      where a.customer_id = new.customer_id and a.property_id = new.property_id and a.username_key = new.username_key
        and a.id <> new.id and a.deleted_at is null) then
    raise unique_violation using message = 'another account of the property signs in by this username',
      table = 'accounts', constraint = 'accounts_username_unique';
  end if;
  return null;
end $$;

create trigger refuse_second_username_of_new after insert on accounts
  for each row when (new.username is not null and new.deleted_at is null) execute function refuse_second_username();
create trigger refuse_second_username after update of username, property_id on accounts
  for each row when (new.deleted_at is null and (new.username is distinct from old.username or new.property_id <> old.property_id))
  execute function refuse_second_username();
