// Today in the bench: the front desk's page for a property of 500 rooms, nearly all of them let, against one of 50, and against the
// queries that its lists need.
import type { Case } from './case.ts'
import { compare } from './lists.ts'
import type { Server } from './server.ts'
import { openStage, type Customer, type Stage } from './stage.ts'

const sizes = { small: 50, large: 500 }

/**
 * A tenth arrives, a tenth leaves, a few should have left, most others stay; a third of them are online. At least five were refused
 * lately in either house: the page looks into each of up to five, which takes as long as all of its lists.
 */
async function fillHouses({ raw, customers }: Stage) {
  for (const side of ['small', 'large'] as const) {
    const { id } = customers[side]
    await raw.query(
      `with house as (insert into properties (customer_id, name, time_zone) values ($1, 'House', 'UTC') returning id)
       insert into rooms (customer_id, property_id, number) select $1, id, n::text from house, generate_series(1, $2::integer) as n`,
      [id, sizes[side]],
    )
    await raw.query(
      `insert into gateways (customer_id, property_id, name, nas_identifier, gateway_type_id, last_seen_at)
       select $1, id, name, 'house ' || id, 13, now() from properties where customer_id = $1 and name = 'House'`,
      [id],
    )
    await raw.query(
      `insert into room_guests (customer_id, room_id, first_name, last_name, arrives_on, departs_on, checked_in_at)
       select $1, r.id, 'Guest', r.number, current_date - (r.nth % 10 <> 1)::integer * 2,
         current_date + case r.nth % 10 when 2 then 0 when 3 then case when r.nth % 40 = 3 then -1 else 2 end else 3 end, now()
       from (select *, row_number() over (order by id) as nth from rooms where customer_id = $1) as r where r.nth % 20 <> 0`,
      [id],
    )
    await raw.query(
      `update room_guests set checked_in_at = null where customer_id = $1 and arrives_on = current_date`,
      [id],
    )
    await raw.query(
      `insert into guests (customer_id, property_id, auth_method_id, room_guest_id, name, first_seen_at, last_seen_at)
       select customer_id, property_id, 4, id, name, now(), now() from room_guests where customer_id = $1 and checked_in_at is not null`,
      [id],
    )
    await raw.query(
      `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, auth_method_id, guest_id,
         identifier, started_at, last_seen_at)
       select $1, y.id, g.property_id, g.id::text, g.id::text, 4, g.id, g.name, now(), now()
       from guests g join gateways y on y.customer_id = $1 and y.property_id = g.property_id
       where g.customer_id = $1 and g.id % 3 = 0`,
      [id],
    )
    await raw.query(
      `insert into radius_authorisations (customer_id, gateway_id, property_id, auth_method_id, guest_id, identifier, accepted, reason)
       select $1, y.id, g.property_id, 4, g.id, g.name, g.id % 6 <> 4, case when g.id % 6 = 4 then 'device_limit' else 'accepted' end
       from guests g join gateways y on y.customer_id = $1 and y.property_id = g.property_id where g.customer_id = $1 and g.id % 5 <> 0`,
      [id],
    )
  }
  for (const table of ['rooms', 'room_guests', 'guests', 'radius_sessions', 'radius_authorisations'])
    await raw.query(`vacuum analyze ${table}`)
}

const house = async ({ ask }: Customer) => (await ask('/properties', { searchValue: 'House' })).data[0]?.id ?? 0

/** One list of stays: its total, and the first rows. */
const stays = (where: string) => `
  (select json_build_object('total', (select count(*) from room_guests t where ${where}), 'rows', (select json_agg(s) from (
    select t.id, t.name, r.number, t.arrives_on, t.departs_on, exists (select from guests g join radius_sessions s
      on s.customer_id = g.customer_id and s.guest_id = g.id
      where g.customer_id = t.customer_id and g.room_guest_id = t.id and s.stopped_at is null) as online
    from room_guests t join rooms r on r.customer_id = t.customer_id and r.id = t.room_id
    where ${where} order by r.number limit 50) as s)))`
const at = 't.customer_id = $1 and t.property_id = $2 and t.deleted_at is null'

const today: Case = {
  name: 'a day at the desk',
  call: '/today',
  body: async (customer) => ({ property_id: await house(customer) }),
  query: ({ id }, { property_id }: { property_id: number }) => ({
    text: `select
      ${stays(`${at} and t.checked_in_at is null and t.arrives_on <= current_date`)} as arriving,
      ${stays(`${at} and t.checked_in_at is not null and t.departs_on = current_date`)} as leaving,
      ${stays(`${at} and t.departs_on < current_date`)} as overdue,
      ${stays(`${at} and t.checked_in_at is not null and t.departs_on >= current_date`)} as in_house,
      (select json_agg(a) from (select distinct on (t.guest_id) t.id, t.created_at, t.accepted from radius_authorisations t
        where t.customer_id = $1 and t.property_id = $2 and t.created_at > now() - interval '1 hour'
        order by t.guest_id, t.created_at desc) as a where not a.accepted) as refused`,
    values: [id, property_id],
  }),
}

export async function benchToday(server: Server) {
  const stage = await openStage(server, 1000)
  try {
    await fillHouses(stage)
    await compare(stage, [today], sizes)
  } finally {
    await stage.close()
  }
}
