// Storage: what a session costs on the disk, by table and index, when it is written as gateways report it (it begins, is reported three
// times and ends, among thousands that are online), and what is asked of many; and both once more with those of former months packed. It
// sets no limits: docs/growth.md has its figures.
import { askOfHistory, subjectsOf } from './asked-of-history.ts'
import { writeInBulk } from './many-rows.ts'
import { packAll } from './packing.ts'
import type { Server } from './server.ts'
import { openStage, type Stage } from './stage.ts'

const places = 100
const guests = 20_000
const months = 24
/** Of each kind of change as many are made in one transaction, as a batch of packets makes them. */
const batch = 25
const online = 3000

/** The tables that each session adds to. Sums of days and hours grow by property. */
const tables = [
  'radius_sessions',
  'session_addresses',
  'guest_days',
  'guest_first_days',
  'usage_periods',
  'packed_sessions',
]

const makePlaces = `
  insert into gateways (customer_id, property_id, name, nas_identifier, gateway_type_id)
    select customer_id, id, name, name || ' ' || id, 1 from properties where customer_id = $1 order by id`
const makeGuests = `
  insert into guests (customer_id, property_id, email)
    select $1, min(id), 'guest' || i || '@example.com' from properties, generate_series(1, ${guests}) as i
    where customer_id = $1 group by i order by i`

/** Half of the sessions are of guests, a fifth each of vouchers and accounts, a tenth of devices. */
const makeLife = `
  create function begin_sessions(customer integer, first integer, of integer, one integer[]) returns void language sql as $$
    with made as (
      insert into radius_sessions (customer_id, gateway_id, property_id, group_id, session_key, acct_session_id, auth_method_id,
        package_id, guest_id, voucher_id, account_id, device_id, authorisation_id, identifier, username, mac_address, calling_station, ip,
        started_at, last_seen_at, ends_at, accepted_at, created_at, days)
      select customer, one[2] + place, one[1] + place, null, acct || chr(31) || 'gateway-' || place, acct, 1 + i % 4,
        1 + i % 5, case when i % 10 < 5 then one[3] + who end, case when i % 10 in (5, 6) then i end,
        case when i % 10 in (7, 8) then who % 3000 end, case when i % 10 = 9 then who % 500 end, i, name, name, mac,
        upper(replace(mac::text, ':', '-')), ('10.' || place || '.' || i / 250 % 250 || '.' || i % 250)::inet, at, at,
        at + interval '1 day', at, at, '{}'
      from generate_series(first, first + ${batch - 1}) as i
      cross join lateral (select (i * 7919::bigint % ${places})::integer as place, (i * 48271::bigint % ${guests})::integer as who,
        now() - interval '${months} months' + i::float8 / of * interval '${months} months' as at,
        upper(lpad(to_hex(i::bigint * 2654435761 % 4294967296), 8, '0')) as acct) as there
      cross join lateral (select case when i % 10 < 5 then 'guest' || who || '@example.com' when i % 10 < 7 then 'ABCD-' || i
        else 'user' || who end as name, ('a483' || lpad(to_hex(who * 1000003::bigint % 4294967296), 8, '0'))::macaddr as mac) as names
      returning customer_id, property_id, id, ip, started_at)
    insert into session_addresses (customer_id, property_id, radius_session_id, address, since) select * from made;
  $$;
  create function report_sessions(customer integer, numbers integer[]) returns void language sql as $$
    update radius_sessions t set last_seen_at = last_seen_at + interval '5 minutes', seconds = seconds + 300,
      bytes_up = bytes_up + 1234567, bytes_down = bytes_down + 12345678, days = jsonb_build_object((started_at at time zone 'UTC')::date,
        jsonb_build_array(seconds + 300, bytes_up + 1234567, bytes_down + 12345678))
    where t.customer_id = customer and t.id = any (numbers);
  $$;
  create function end_sessions(customer integer, numbers integer[]) returns void language sql as $$
    update radius_sessions t set last_seen_at = last_seen_at + interval '2 minutes', stopped_at = last_seen_at + interval '2 minutes',
      seconds = seconds + 120, termination_cause = 'User-Request'
    where t.customer_id = customer and t.id = any (numbers);
  $$;
  create procedure live(customer integer, sessions integer, one integer[], inout begun integer, inout ended integer) language plpgsql as $$
    declare until constant integer := least(sessions, ended + 1000); held integer[];
    begin
      while ended < until loop
        if begun < sessions then
          perform begin_sessions(customer, begun + 1, sessions, one);
          begun := begun + ${batch};
        end if;
        held := array(select id from radius_sessions where customer_id = customer and stopped_at is null
          order by random() limit ${batch * 4});
        for n in 0..2 loop
          perform report_sessions(customer, held[n * ${batch} + 1 : (n + 1) * ${batch}]);
          commit;
        end loop;
        if begun - ended >= least(sessions - ended, ${online}) then
          perform end_sessions(customer, held[${batch * 3 + 1} : ]);
          ended := ended + cardinality(held[${batch * 3 + 1} : ]);
          if ended < begun and cardinality(held) <= ${batch * 3} then
            perform end_sessions(customer, held);
            ended := begun;
          end if;
        end if;
        commit;
      end loop;
    end $$;`

/** What accounting adds up with each report. */
const addUp = [
  `insert into guest_days (customer_id, property_id, day, guest, auth_method_id, first_seen)
   select distinct customer_id, property_id, (started_at at time zone 'UTC')::date, sha256(convert_to(identifier, 'UTF8')), auth_method_id,
     false from radius_sessions`,
  `insert into guest_first_days (customer_id, property_id, guest, first_day, last_day)
   select customer_id, property_id, guest, min(day), max(day) from guest_days group by 1, 2, 3`,
  `insert into usage_periods (customer_id, guest_id, voucher_id, account_id, device_id, starts_at, seconds_used, bytes_used)
   select customer_id, guest_id, voucher_id, account_id, device_id, date_trunc('day', started_at, 'UTC'), sum(seconds), sum(bytes_down)
   from radius_sessions group by 1, 2, 3, 4, 5, 6`,
]

/** @param sessions how many are written */
export async function benchStorage(server: Server, sessions: number) {
  const stage = await openStage(server, places)
  try {
    const { raw, customers } = stage
    const { id } = customers.large
    await writeInBulk(raw)
    // A year is written in minutes: autovacuum looks as often as it would in that time.
    await raw.query(`alter system set autovacuum_naptime = '1s'`)
    await raw.query(`select pg_reload_conf()`)
    await raw.query(makePlaces, [id])
    await raw.query(makeGuests, [id])
    const { rows: first } = await raw.query<{ one: number[] }>(
      `select array[(select min(id) from properties where customer_id = $1), (select min(id) from gateways where customer_id = $1),
         (select min(id)::integer from guests where customer_id = $1)] as one`,
      [id],
    )
    await raw.query(makeLife)
    // What vouchers, accounts and devices there are makes no difference here.
    await raw.query(`set session_replication_role = replica`)
    // In many calls: autovacuum hears of changes between them alone.
    for (let at = { begun: 0, ended: 0 }; at.ended < sessions;) {
      const { rows } = await raw.query<typeof at>('call live($1, $2, $3, $4, $5)', [
        id,
        sessions,
        first[0]?.one,
        at.begun,
        at.ended,
      ])
      at = rows[0] ?? at
    }
    for (const sums of addUp) await raw.query(sums)
    await raw.query(`reset session_replication_role`)
    const { rows: updates } = await raw.query<{ all: number; kept: number }>(
      `select n_tup_upd::float8 as "all", n_tup_hot_upd::float8 as kept from pg_stat_user_tables where relname = 'radius_sessions'`,
    )
    for (const table of tables) await raw.query(`vacuum analyze ${table}`)
    await sizes(stage, sessions)
    const [made] = updates
    if (made)
      console.log(`changes that found room on the page of their row: ${((100 * made.kept) / made.all).toFixed(0)} %`)
    const subjects = await subjectsOf(stage, atAThird)
    await askOfHistory(stage, subjects, 'before')
    await pack(stage)
    await askOfHistory(stage, subjects, 'packed')
    await forget(stage)
  } finally {
    await stage.close()
  }
}

async function sizes({ raw }: Stage, sessions: number) {
  const { rows } = await raw.query<{ table: string; index: string; bytes: number }>(
    `select c.relname as "table", '(rows)' as index, pg_table_size(c.oid) / $2::float8 as bytes from pg_class c
       where c.relname = any ($1) and c.relkind = 'r'
     union all
     select c.relname, x.relname, pg_relation_size(x.oid) / $2::float8 from pg_index i join pg_class c on c.oid = i.indrelid
       join pg_class x on x.oid = i.indexrelid where c.relname = any ($1)
     order by 1, 3 desc`,
    [tables, sessions],
  )
  console.log(`${sessions.toLocaleString('en')} sessions of ${months} months, bytes of each on the disk:`)
  console.table(rows.map(({ bytes, ...of }) => ({ ...of, bytes: Math.round(bytes) })))
  for (const table of tables) {
    const bytes = rows.filter((row) => row.table === table).reduce((sum, row) => sum + row.bytes, 0)
    console.log(`${table}: ${Math.round(bytes)} bytes a session`)
  }
}

/** Of a session long ago. */
const atAThird = `
  select host(a.address) as address, a.since as at, a.property_id as property
  from session_addresses a where a.customer_id = $1 and a.id = (select max(id) / 3 from session_addresses where customer_id = $1)`

async function pack({ raw }: Stage) {
  const taken_ms = await packAll(raw)
  await raw.query('vacuum full packed_sessions')
  const { rows } = await raw.query<{ sessions: number; packs: number; bytes: number }>(
    `select coalesce(sum(cardinality(session_ids)), 0)::integer as sessions, count(*)::integer as packs,
       pg_total_relation_size('packed_sessions')::float8 as bytes from packed_sessions`,
  )
  const [packed] = rows
  if (!packed) throw new Error('nothing was answered')
  const { sessions, packs, bytes } = packed
  const us = Math.round((1000 * taken_ms) / sessions)
  console.log(`${sessions.toLocaleString('en')} sessions with their addresses in ${packs} packs, in ${us} µs each`)
  console.log(`packed_sessions: ${Math.round(bytes / sessions)} bytes a session`)
}

/** Whole packs, and those in whose middle the time ends. */
async function forget({ raw }: Stage) {
  const began_at = performance.now()
  await raw.query('select door_forget_packed_sessions(400 * 86400, 1000000)')
  console.log(`all but the last 400 days forgotten in ${Math.round(performance.now() - began_at)} ms`)
}
