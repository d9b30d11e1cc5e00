-- A customer with one hotel that is invented: its rooms and guests, a gateway, codes, and a month of sessions. Returns its id. Called by
-- start_sample.

CREATE OR REPLACE FUNCTION public.make_sample(made_for integer, guest_names text[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  symbols constant text := '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  sample integer;
  house integer;
  portal integer;
  pack integer;
  batch integer;
begin
  insert into customers (name, contact_email, country_id, time_zone, currency, confirmed_at, sample_of, sample_day)
    select 'Sample hotel', c.contact_email, c.country_id, c.time_zone, c.currency, c.confirmed_at, c.id, local_day(now(), c.time_zone)
    from customers c where c.id = made_for returning id into sample;
  -- What triggers write belongs there, too.
  perform set_config('app.customer_id', sample::text, true);
  insert into mac_categories (customer_id, name, blocks) select sample, t.name, t.blocks from mac_category_templates t order by t.id;
  insert into packages (customer_id, name, volume_gb, speed_mbps, max_users, session_time_hrs, idle_timeout_hrs, recurs) values
    (sample, 'Guest Wi-Fi', 0, 20, 4, 24, 4, 'daily'), (sample, 'Premium', 0, 100, 6, 168, 12, 'none');
  select min(p.id) into pack from packages p where p.customer_id = sample;
  insert into portals (customer_id, slug, name, company_name, auth_method_ids)
    values (sample, 'welcome', 'Welcome', 'The Lantern Hotel', '{4,2,1}') returning id into portal;
  insert into properties (customer_id, name, address, city, postal_code, email, property_type_id, connectivity_type_id, portal_id,
      network_name, package_id, country_id, time_zone, total_units, rate_per_unit, minimum_billable_percentage)
    select sample, 'The Lantern Hotel', '14 Narrow Quay', 'Bristol', 'BS1 4QA', 'desk@lantern.example', 1, 1, portal,
      'Lantern Guest', pack, c.country_id, c.time_zone, 48, 4, 60
    from customers c where c.id = sample returning id into house;
  insert into voucher_batches (customer_id, property_id, package_id, quantity, batch_number, name, created_at)
    values (sample, house, pack, 40, '000001', 'Lobby and bar', now() - interval '20 days') returning id into batch;
  update customers set voucher_batches_made = 1 where id = sample;
  insert into vouchers (customer_id, voucher_batch_id, code, redeemed_at, expires_at, created_at)
    select sample, batch, v.code, v.at, v.at + interval '24 hours', now() - interval '20 days'
    from (select n, case when n <= 14 then now() - n * interval '29 hours' end as at,
        (select string_agg(substr(symbols, 1 + get_byte(b.bytes, i) % 31, 1), '')
         from (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as bytes where n > 0) b,
           unnest(array[0, 1, 2, 3, 4, 5, 16, 17, 18, 19, 20, 21]) as i) as code
      from generate_series(1, 40) n) v;
  update voucher_batches b set redeemed = 14 where b.customer_id = sample and b.id = batch;
  perform invent_business(sample, guest_names, 30);
  -- At no address: nothing is sent to it.
  update gateways g set name = 'The Lantern Hotel', ip_address = null, gateway_type_id = 13 where g.customer_id = sample;
  perform set_config('app.customer_id', made_for::text, true);
  return sample;
end $function$;
