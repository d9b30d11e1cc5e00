-- Whether an address of a schedule's receiver is confirmed, unconfirmed or stopped at a customer, after it has answered yes, no or nothing.
-- The link in the mail proves the address; a stop stays, whatever is answered later.

CREATE OR REPLACE FUNCTION public.door_receiver(customer integer, address text, answer text)
 RETURNS TABLE(customer_name text, state text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from customers c where c.id = customer and c.deleted_at is null) then return; end if;
  if answer is not null then
    insert into report_receivers as r (customer_id, email, confirmed_at, stopped_at)
      values (customer, lower(address), case answer when 'yes' then now() end, case answer when 'no' then now() end)
      on conflict (customer_id, email) do update set
        confirmed_at = coalesce(r.confirmed_at, excluded.confirmed_at), stopped_at = coalesce(r.stopped_at, excluded.stopped_at);
  end if;
  return query select c.name, case
      when r.stopped_at is not null or exists (
        select from report_stops s where s.customer_id = customer and s.email = lower(address)) then 'stopped'
      when r.confirmed_at is not null then 'confirmed' else 'unconfirmed' end
    from customers c left join report_receivers r on r.customer_id = c.id and r.email = lower(address) where c.id = customer;
end $function$;
