-- Begins an hour in which a portal is tried, and ends the trial before it: makes a simulated gateway of the property, called by the given
-- NAS-Identifier. Returns its id. Called by start_trial; a property has one trial at a time.

CREATE OR REPLACE FUNCTION public.begin_trial(customer integer, property integer, called text, page text, ends timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  made integer := nextval(pg_get_serial_sequence('gateways', 'id'));
  before integer;
begin
  insert into trials (customer_id, property_id, gateway_id, ends_at) values (customer, property, null, ends)
    on conflict (customer_id, property_id) do nothing;
  select t.gateway_id into before from trials t where t.customer_id = customer and t.property_id = property for no key update;
  if before is not null then perform end_trial(customer, before); end if;
  update trials t set gateway_id = made, begun_at = now(), ends_at = ends where t.customer_id = customer and t.property_id = property;
  perform set_config('app.trial_id', made::text, true);
  insert into gateways (id, customer_id, property_id, gateway_type_id, name, nas_identifier, dns_name) overriding system value
    values (made, customer, property, 1000, 'Trial', called, page);
  perform set_config('app.trial_id', '', true);
  return made;
end $function$;
