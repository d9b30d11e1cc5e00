-- Trigger of accounts: two of a property do not sign in by the same name, however it is written.

CREATE OR REPLACE FUNCTION public.refuse_second_username()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (select from accounts as a
      where a.customer_id = new.customer_id and a.property_id = new.property_id and a.username_key = new.username_key
        and a.id <> new.id and a.deleted_at is null) then
    raise unique_violation using message = 'another account of the property signs in by this username',
      table = 'accounts', constraint = 'accounts_username_unique';
  end if;
  return null;
end $function$;
