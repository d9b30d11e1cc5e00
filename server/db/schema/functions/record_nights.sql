-- Writes the nights of the caller's customer that are over. Unused: a later release drops it, write_nights does it.

CREATE OR REPLACE FUNCTION public.record_nights()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
  due record;
  written integer := 0;
  rooms_let text[];
begin
  insert into night_ledgers (customer_id, property_id, begins_on, kept_from, kept_until)
    select customer, p.id, d.today, d.today, d.today - 1
    from properties p, lateral (select local_day(app_now(), p.time_zone) as today) d
    where p.customer_id = customer and not p.draft and p.deleted_at is null
      and not exists (select from night_ledgers l where l.customer_id = customer and l.property_id = p.id)
    order by p.id
    on conflict do nothing;
  for due in
    select l.id as ledger_id, l.kept_until + 1 as night, p as property, n.ends_at, app_now() > n.ends_at + interval '15 minutes' as late,
      (select h.name from property_holidays h
        where h.customer_id = customer and h.property_id = p.id and h.deleted_at is null and l.kept_until + 1 between h.starts_on and h.ends_on
        order by h.starts_on, h.id limit 1) as holiday,
      exists (select from imports i where i.customer_id = customer and i.property_id = p.id and i.kind in ('accounts', 'rooms')
        and i.outcome = 'done' and i.created_at >= n.ends_at) as imported
    from night_ledgers l join properties p on p.customer_id = l.customer_id and p.id = l.property_id,
      lateral (select day_begins(l.kept_until + 2, p.time_zone) as ends_at) n
    where l.customer_id = customer and n.ends_at <= app_now() and (p.deleted_at is null or p.deleted_at >= n.ends_at)
    order by l.id for no key update of l
  loop
    rooms_let := case when due.late and due.imported then null
      else occupied_rooms(customer, (due.property).id, due.night, due.ends_at, due.ends_at, due.late) end;
    insert into occupancy_nights (customer_id, property_id, night, total_units, occupied_units, room_numbers, unknown_because,
        is_holiday, holiday, minimum_billable_percentage, holiday_billable_percentage, rate_per_unit, currency, time_zone,
        property_name, group_id, accounting_contact_id)
      select customer, (due.property).id, due.night, case when rooms_let is null then null else t.total_units end,
        cardinality(rooms_let), coalesce(rooms_let, '{}'),
        case when rooms_let is null then 'Guests were imported before this night was written down, and the file says nothing of it.' end,
        due.holiday is not null, due.holiday, t.minimum_billable_percentage, t.holiday_billable_percentage, t.rate_per_unit,
        t.currency, (due.property).time_zone, t.name, t.group_id, t.accounting_contact_id
      from jsonb_to_record(case when not due.late
        then to_jsonb(due.property) || jsonb_build_object('currency', property_currency(due.property))
        else (select jsonb_object_agg(f.field, value_then(customer, 'properties', (due.property).id, f.field, due.ends_at,
            case when f.field = 'currency' then to_jsonb(property_currency(due.property)) else to_jsonb(due.property) -> f.field end))
          from unnest(array['total_units', 'minimum_billable_percentage', 'holiday_billable_percentage', 'rate_per_unit', 'currency',
            'name', 'group_id', 'accounting_contact_id']) as f(field)) end)
        as t(total_units integer, minimum_billable_percentage numeric, holiday_billable_percentage numeric, rate_per_unit numeric,
          currency text, name text, group_id integer, accounting_contact_id integer)
      on conflict do nothing;
    update night_ledgers set kept_until = due.night where id = due.ledger_id;
    written := written + 1;
  end loop;
  return written;
end $function$
;

grant execute on function record_nights() to foyer_app;
