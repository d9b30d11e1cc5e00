-- The ledger of nights: what each property let on each date, with everything that its bill needs, and in which currency.

-- ISO 4217, by the country that uses it.
alter table countries add column currency char(3);
update countries as c set currency = k.currency from (values
  ('EUR', 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT'),
  ('USD', 'US AS AQ BQ EC FM GU IO MH MP PR PW SV TC TL UM VG VI'), ('GBP', 'GB GG GS IM JE'),
  ('AUD', 'AU CC CX HM KI NF NR TV'), ('NZD', 'NZ CK NU PN TK'), ('NOK', 'NO BV SJ'), ('DKK', 'DK FO GL'),
  ('CHF', 'CH LI'), ('XOF', 'BF BJ CI GW ML NE SN TG'), ('XAF', 'CF CG CM GA GQ TD'), ('XPF', 'NC PF WF'),
  ('XCD', 'AG AI DM GD KN LC MS VC'), ('XCG', 'CW SX'), ('ILS', 'IL PS'), ('MAD', 'MA EH'), ('AED', 'AE'),
  ('AFN', 'AF'), ('ALL', 'AL'), ('AMD', 'AM'), ('AOA', 'AO'), ('ARS', 'AR'), ('AWG', 'AW'), ('AZN', 'AZ'),
  ('BAM', 'BA'), ('BBD', 'BB'), ('BDT', 'BD'), ('BHD', 'BH'), ('BIF', 'BI'), ('BMD', 'BM'), ('BND', 'BN'),
  ('BOB', 'BO'), ('BRL', 'BR'), ('BSD', 'BS'), ('BTN', 'BT'), ('BWP', 'BW'), ('BYN', 'BY'), ('BZD', 'BZ'),
  ('CAD', 'CA'), ('CDF', 'CD'), ('CLP', 'CL'), ('CNY', 'CN'), ('COP', 'CO'), ('CRC', 'CR'), ('CUP', 'CU'),
  ('CVE', 'CV'), ('CZK', 'CZ'), ('DJF', 'DJ'), ('DOP', 'DO'), ('DZD', 'DZ'), ('EGP', 'EG'), ('ERN', 'ER'),
  ('ETB', 'ET'), ('FJD', 'FJ'), ('FKP', 'FK'), ('GEL', 'GE'), ('GHS', 'GH'), ('GIP', 'GI'), ('GMD', 'GM'),
  ('GNF', 'GN'), ('GTQ', 'GT'), ('GYD', 'GY'), ('HKD', 'HK'), ('HNL', 'HN'), ('HTG', 'HT'), ('HUF', 'HU'),
  ('IDR', 'ID'), ('INR', 'IN'), ('IQD', 'IQ'), ('IRR', 'IR'), ('ISK', 'IS'), ('JMD', 'JM'), ('JOD', 'JO'),
  ('JPY', 'JP'), ('KES', 'KE'), ('KGS', 'KG'), ('KHR', 'KH'), ('KMF', 'KM'), ('KPW', 'KP'), ('KRW', 'KR'),
  ('KWD', 'KW'), ('KYD', 'KY'), ('KZT', 'KZ'), ('LAK', 'LA'), ('LBP', 'LB'), ('LKR', 'LK'), ('LRD', 'LR'),
  ('LSL', 'LS'), ('LYD', 'LY'), ('MDL', 'MD'), ('MGA', 'MG'), ('MKD', 'MK'), ('MMK', 'MM'), ('MNT', 'MN'),
  ('MOP', 'MO'), ('MRU', 'MR'), ('MUR', 'MU'), ('MVR', 'MV'), ('MWK', 'MW'), ('MXN', 'MX'), ('MYR', 'MY'),
  ('MZN', 'MZ'), ('NAD', 'NA'), ('NGN', 'NG'), ('NIO', 'NI'), ('NPR', 'NP'), ('OMR', 'OM'), ('PAB', 'PA'),
  ('PEN', 'PE'), ('PGK', 'PG'), ('PHP', 'PH'), ('PKR', 'PK'), ('PLN', 'PL'), ('PYG', 'PY'), ('QAR', 'QA'),
  ('RON', 'RO'), ('RSD', 'RS'), ('RUB', 'RU'), ('RWF', 'RW'), ('SAR', 'SA'), ('SBD', 'SB'), ('SCR', 'SC'),
  ('SDG', 'SD'), ('SEK', 'SE'), ('SGD', 'SG'), ('SHP', 'SH'), ('SLE', 'SL'), ('SOS', 'SO'), ('SRD', 'SR'),
  ('SSP', 'SS'), ('STN', 'ST'), ('SYP', 'SY'), ('SZL', 'SZ'), ('THB', 'TH'), ('TJS', 'TJ'), ('TMT', 'TM'),
  ('TND', 'TN'), ('TOP', 'TO'), ('TRY', 'TR'), ('TTD', 'TT'), ('TWD', 'TW'), ('TZS', 'TZ'), ('UAH', 'UA'),
  ('UGX', 'UG'), ('UYU', 'UY'), ('UZS', 'UZ'), ('VES', 'VE'), ('VND', 'VN'), ('VUV', 'VU'), ('WST', 'WS'),
  ('YER', 'YE'), ('ZAR', 'ZA'), ('ZMW', 'ZM'), ('ZWG', 'ZW')
) as k(currency, codes) where c.code = any (string_to_array(k.codes, ' '));
alter table countries alter column currency set not null;

-- Its country's, unless it is set. It could not be set until now.
alter table properties alter column currency drop default, alter column currency drop not null;
update properties set currency = null;
-- Dinars have three places.
alter table properties alter column rate_per_unit type numeric(14, 4);

create function property_currency(property properties) returns text
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(property.currency, (select c.currency from countries c where c.id = property.country_id),
    (select c.currency from customers c where c.id = property.customer_id))
$$;
grant execute on function property_currency(properties) to foyer_app;

-- From which date on a property has nights, since when they are kept, and until when that is done. A night between the first two
-- is unknown until a person gives its figure. It stays when the property is removed: its last nights are still to be billed.
create table night_ledgers (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  begins_on date not null,
  kept_from date not null,
  kept_until date not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, property_id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('night_ledgers');

alter table property_holidays add column deleted_at timestamptz;
update property_holidays set name = 'Holiday' where name is null;
alter table property_holidays alter column name set not null,
  drop constraint property_holidays_customer_id_property_id_starts_on_ends_on_key;
create unique index property_holidays_once on property_holidays (customer_id, property_id, starts_on, ends_on) where deleted_at is null;
select make_list('property_holidays', 'property_id');

-- What was kept of nights before named neither rate nor currency, and nothing wrote it.
alter table occupancy_nights
  drop constraint occupancy_nights_customer_id_property_id_night_key,
  drop column occupied_room_ids,
  alter column occupied_units drop not null,
  alter column total_units drop not null,
  add column version integer not null default 1,
  add column superseded boolean not null default false,
  add column known boolean not null generated always as (occupied_units is not null) stored,
  add column unknown_because text,
  add column property_name text not null default '',
  add column group_id integer,
  add column accounting_contact_id integer,
  add column time_zone text not null default 'UTC',
  add column currency char(3) not null default 'GBP',
  add column rate_per_unit numeric(14, 4) not null default 0,
  add column holiday text,
  add column room_numbers text[] not null default '{}',
  add column noted_by_user_id integer,
  add column noted_by text,
  add column note text,
  add unique (customer_id, property_id, night, version),
  add check (occupied_units is null or total_units is not null);
create index on occupancy_nights (customer_id, property_id, night, id) where not superseded;
create index on occupancy_nights (customer_id, property_id, created_at desc, id desc);

-- Rows are only added; that one is not the newest any more is the one thing written to it.
create function supersede_nights() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update occupancy_nights as t set superseded = true
    where t.customer_id = new.customer_id and t.property_id = new.property_id and t.night = new.night
      and t.version < new.version and not t.superseded;
  return null;
end $$;
create trigger supersede after insert on occupancy_nights for each row when (new.version > 1) execute function supersede_nights();

-- What a field held at a moment, by the log of what was changed since; what it holds now where nothing was.
create function value_then(customer integer, object text, object_number bigint, field text, at timestamptz, present jsonb)
returns jsonb language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((
    -- A change of many at once tells what became of them and not what was.
    select case when a.before ? field then a.before -> field else to_jsonb(not (a.after ->> field)::boolean) end
    from activity a
    where a.customer_id = customer and a.object_type = object and a.object_id = object_number and a.created_at >= at
      and (a.before ? field or a.before is null and a.action <> 'create' and jsonb_typeof(a.after -> field) = 'boolean')
    order by a.created_at, a.id limit 1), present, 'null')
$$;

-- The numbers of the rooms that were let in a night: active ones where somebody stays that arrives by then and leaves later, or that
-- an account is for which is active and good beyond the night. `late` looks up what stood in the records when it ended;
-- `known_by` leaves out what was entered after it.
create function occupied_rooms(customer integer, property integer, night date, ends_at timestamptz, known_by timestamptz, late boolean)
returns text[] language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with let as (
    select case when late then value_then(customer, 'room_guests', g.id, 'room_id', ends_at, to_jsonb(g.room_id))::text
        else g.room_id::text end as room,
      case when late then value_then(customer, 'room_guests', g.id, 'arrives_on', ends_at, to_jsonb(g.arrives_on)) #>> '{}'
        else g.arrives_on::text end as arrives_on,
      case when late then value_then(customer, 'room_guests', g.id, 'departs_on', ends_at, to_jsonb(g.departs_on)) #>> '{}'
        else g.departs_on::text end as departs_on
    from room_guests g
    where g.customer_id = customer and g.property_id = property and g.created_at < known_by
      and (g.deleted_at is null or g.deleted_at >= ends_at)
  ), held as (
    select case when late then value_then(customer, 'accounts', a.id, 'room_id', ends_at, to_jsonb(a.room_id)) #>> '{}'
        else a.room_id::text end as room,
      case when late then value_then(customer, 'accounts', a.id, 'expires_at', ends_at, to_jsonb(a.expires_at)) #>> '{}'
        else a.expires_at::text end as expires_at,
      case when late then value_then(customer, 'accounts', a.id, 'active', ends_at, to_jsonb(a.active)) = 'true'
        and value_then(customer, 'accounts', a.id, 'draft', ends_at, to_jsonb(a.draft)) = 'false'
        else a.status = 'active' end as active
    from accounts a
    where a.customer_id = customer and a.property_id = property and a.created_at < known_by
      and (a.deleted_at is null or a.deleted_at >= ends_at)
  )
  select coalesce(array_agg(r.number::text order by r.number), '{}')
  from rooms r
  where r.customer_id = customer and r.property_id = property and r.created_at < known_by
    and (r.deleted_at is null or r.deleted_at >= ends_at)
    and case when late then value_then(customer, 'rooms', r.id, 'active', ends_at, to_jsonb(r.active)) = 'true'
      and value_then(customer, 'rooms', r.id, 'draft', ends_at, to_jsonb(r.draft)) = 'false' else r.status = 'active' end
    and r.id::text in (
      select l.room from let l where (l.arrives_on is null or l.arrives_on::date <= night)
        and (l.departs_on is null or l.departs_on::date > night)
      union all
      select h.room from held h where h.active and (h.expires_at is null or h.expires_at::timestamptz > ends_at))
$$;

-- Begins the ledger of properties that are no draft, and writes the next night of each property of the present customer that is
-- over and not written. Answers how many it wrote: none, and all is done.
create function record_nights() returns integer
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;
grant execute on function record_nights() to foyer_app;

-- What the rooms say now of a night of the present customer, to be proposed beside what was written then.
create function rooms_now(property integer, night date, time_zone text) returns text[]
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select occupied_rooms(app_customer_id(), property, night, day_begins(night + 1, time_zone), 'infinity', false)
$$;
grant execute on function rooms_now(integer, date, text) to foyer_app;

-- Customers with a night to write, or a ledger to begin.
create function door_customers_of_nights() returns table (customer_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct p.customer_id from properties p
    left join night_ledgers l on l.customer_id = p.customer_id and l.property_id = p.id
  where case when l.id is null then not p.draft and p.deleted_at is null
    else day_begins(l.kept_until + 2, p.time_zone) <= least(app_now(), p.deleted_at) end
$$;

-- Of properties that are there already, what was before today is unknown.
insert into night_ledgers (customer_id, property_id, begins_on, kept_from, kept_until)
  select p.customer_id, p.id, local_day(p.created_at, p.time_zone), d.today, d.today - 1
  from properties p, lateral (select local_day(app_now(), p.time_zone) as today) d
  where not p.draft and p.deleted_at is null;
