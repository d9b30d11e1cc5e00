// Today: one property's day at the desk, in one answer. Each list is cut to a readable length, and counted no further than other
// lists are, so that a property with thousands of guests costs as much as a small one.
import { sql } from 'kysely'
import { constants } from '#contract/constants.ts'
import type { Output } from '#contract/endpoint.ts'
import * as contract from '#contract/today.ts'
import type { StayKind } from '#contract/room-guests.ts'
import { helpIn } from '#catalogue/spoken.ts'
import type { Sql } from '#server/entities/entity.ts'
import { notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { holderIn } from '#server/admission/passes.ts'
import { serve } from '#server/api/serve.ts'
import { dayOrders, isIn, isNoShow, stayDays, stayIs } from '#server/stays/in-house.ts'
import { sourceOf } from '#server/stays/stay-source.ts'
import { guestsOfGroup } from '#server/stays/travel-groups.ts'
import { propertyStateOf, type PropertyState } from './property-state.ts'
import { verdictOn } from './subject.ts'

type Today = Output<typeof contract.ofProperty>
type Stays = Today['leaving']
type Row = Stays['rows'][number]
type Group = Output<typeof contract.ofGroup>

const { counted_max } = constants.list
const { shown_max, shown_in_house_max } = contract
const placesOf = (kind: StayKind) => (kind === 'in_house' ? shown_in_house_max : shown_max)
const refused_max = 5
/** A busy property has more; its earliest refusals are then left out. */
const tries_max = 2000

interface At {
  property: Today['property']
  day: string
  contact: string | null
}

async function placeOf(scope: Scope, property_id: number): Promise<At> {
  const [at] = await scope.run(sql<At>`
    select json_build_object('id', t.id, 'name', t.name) as property, local_day(app_now(), t.time_zone)::text as day,
      coalesce(
        (select c.desk_contact from customers as c where c.id = t.customer_id),
        (select g.contact_email from groups as g where g.customer_id = t.customer_id and g.id = t.group_id)) as contact
    from properties as t where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
  if (!at) throw notFound()
  return at
}

/** A room's guest is online through the `guests` row that refers to it. */
const isOnline = sql`
  exists (select from guests as g join radius_sessions as s on s.customer_id = g.customer_id and s.guest_id = g.id
    where g.customer_id = t.customer_id and g.room_guest_id = t.id and s.stopped_at is null)`

async function staysOf(scope: Scope, kind: StayKind, { property, day }: At): Promise<Stays> {
  const which = sql`
    t.property_id = ${property.id} and ${stayIs(kind, 't', sql`${day}::date`)} and ${scope.inReach('room_guests', 't')}`
  const rows = sql`
    select t.id, t.name, json_build_object('id', r.id, 'name', r.number) as room, ${stayDays('t')},
      ${isOnline} as online, t.stay_id
    from rooms as r join room_guests as t on t.customer_id = r.customer_id and t.room_id = r.id
    where r.property_id = ${property.id} and ${which} and ${scope.inReach('rooms', 'r')}
    order by ${dayOrders[kind]} limit ${placesOf(kind)}`
  const count = sql`select from room_guests as t where ${which}`
  return listed(scope, rows, count)
}

/** Who did not come, of the stays that are not over. */
function noShowsOf(scope: Scope, { property, day }: At): Promise<Stays> {
  const which = sql`
    ${isNoShow('s', sql`${day}::date`)} and s.property_id = ${property.id} and s.customer_id = ${scope.customer_id}
    and s.property_id in (select p.id from properties as p where ${scope.inReach('properties', 'p')})
    and t.customer_id = s.customer_id and t.stay_id = s.id`
  const rows = sql`
    select t.id, t.name, json_build_object('id', r.id, 'name', r.number) as room, ${stayDays('t')}, false as online, t.stay_id
    from stays as s, room_guests as t join rooms as r on r.customer_id = t.customer_id and r.id = t.room_id
    where ${which} and ${scope.inReach('rooms', 'r')} order by r.number, t.id limit ${shown_max}`
  return listed(scope, rows, sql`select from stays as s, room_guests as t where ${which}`)
}

/** With whether each has come. */
async function groupOf(scope: Scope, group_name: string, { property, day }: At): Promise<Group> {
  const which = guestsOfGroup(scope, property.id, sql`s.group_name = ${group_name}`)
  const rows = sql`
    select w.*, json_build_object('id', r.id, 'name', r.number) as room
    from (select t.id, t.name, t.customer_id, t.room_id, ${stayDays('t')}, ${isOnline} as online, t.stay_id, ${isIn('t')} as is_in
      ${which}) as w join rooms as r on r.customer_id = w.customer_id and r.id = w.room_id
    order by r.number, w.id limit ${shown_max}`
  const found = await listed<Group['rows'][number]>(scope, rows, sql`select ${which}`)
  return { name: group_name, day, ...found }
}

/** With what the desk has given for each stay, and where it comes from. */
async function listed<R extends Row = Row>(scope: Scope, of: Sql, counted: Sql) {
  const [found] = await scope.run(sql<{ total: number; rows: R[] }>`
    select (select count(*)::integer from (
        ${counted} limit ${counted_max + 1}) as c) as total,
      (select coalesce(jsonb_agg(to_jsonb(w) - array['place', 'stay_id', 'customer_id', 'room_id'] order by w.place), '[]')
        from (select o.*, to_char(g.until_time, 'HH24:MI') as until_time, g.note, g.group_name, ${sourceOf(scope, 'g')}
          from (select o.*, row_number() over () as place from (${of}) as o) as o
          left join stays as g on g.customer_id = ${scope.customer_id} and g.id = o.stay_id) as w) as rows`)
  const { total, rows } = found ?? { total: 0, rows: [] }
  return total > counted_max ? { total: counted_max, more: true as const, rows } : { total, rows }
}

async function differencesAt(scope: Scope, property_id: number): Promise<number> {
  const [found] = await scope.run(sql<{ count: number }>`
    select count(*)::integer as count from (select from stay_differences as t
      where t.property_id = ${property_id} and not t.kept and ${scope.inReach('stay_differences', 't')} limit ${counted_max}) as c`)
  return found?.count ?? 0
}

interface Try {
  id: number
  created_at: string
  account_id: number | null
  voucher_id: number | null
  device_id: number | null
  guest_id: number | null
  room_guest_id: number | null
}

/** Guests whose last attempt within the hour was refused, on a device that has not got online since. */
const lastRefused = (scope: Scope, property_id: number) =>
  scope.run(sql<Try>`
    with tries as (
      select t.id, t.created_at, t.accepted, t.mac_address, t.identifier, t.account_id, t.voucher_id, t.device_id, t.guest_id,
        (select g.room_guest_id from guests as g where g.customer_id = t.customer_id and g.id = t.guest_id) as room_guest_id
      from radius_authorisations as t
      where t.property_id = ${property_id} and t.created_at > now() - interval '1 hour' and t.reason <> 'let_again'
        and ${scope.inReach('radius_authorisations', 't')}
      order by t.created_at desc limit ${tries_max}),
    last as (
      select distinct on (coalesce('a' || account_id, 'v' || voucher_id, 'd' || device_id, 'g' || guest_id,
          'm' || mac_address::text, identifier)) *
      from tries
      order by coalesce('a' || account_id, 'v' || voucher_id, 'd' || device_id, 'g' || guest_id, 'm' || mac_address::text,
        identifier), created_at desc)
    select l.id, l.created_at, l.account_id, l.voucher_id, l.device_id, l.guest_id, l.room_guest_id from last as l
    where not l.accepted and not exists (
      select from tries as u where u.accepted and u.mac_address = l.mac_address and u.created_at > l.created_at)
    order by l.created_at desc limit ${refused_max}`)

function subjectIn({ id, room_guest_id, ...tried }: Try) {
  if (room_guest_id !== null) return { kind: 'stay', id: room_guest_id } as const
  return holderIn(tried) ?? ({ kind: 'attempt', id } as const)
}

async function refusedAt(scope: Scope, property_id: number, propertyState: PropertyState): Promise<Today['refused']> {
  const tries = await lastRefused(scope, property_id)
  // Their statements are sent together, not one guest after the other.
  const verdicts = await Promise.all(
    tries.map(async (tried) => ({
      tried_at: tried.created_at,
      ...(await verdictOn(scope, { ...subjectIn(tried), property_id }, propertyState)),
    })),
  )
  const found: Today['refused'] = []
  for (const { tried_at, known, against, fixes } of verdicts) {
    const { kind, id, name, room } = known
    // Leaves out what has been fixed since, and who is there already, refused on another device.
    const [first] = against
    if (first && !found.some((other) => other.kind === kind && other.id === id))
      found.push({ kind, id, name, room, tried_at, message: first.message, fix: fixes[0] ?? null })
  }
  return found
}

export default serve(contract, {
  ofGroup: async ({ scope, input: { property_id, group_name } }) =>
    groupOf(scope, group_name, await placeOf(scope, property_id)),
  ofProperty: async ({ scope, input: { property_id } }) => {
    const [at, propertyState] = await Promise.all([placeOf(scope, property_id), propertyStateOf(scope, property_id)])
    const [arriving, leaving, overdue, in_house, no_shows, refused, differences] = await Promise.all([
      staysOf(scope, 'arriving', at),
      staysOf(scope, 'leaving', at),
      staysOf(scope, 'overdue', at),
      staysOf(scope, 'in_house', at),
      noShowsOf(scope, at),
      refusedAt(scope, at.property.id, propertyState),
      differencesAt(scope, at.property.id),
    ])
    const { warnings } = propertyState.others
    return {
      property: at.property,
      day: at.day,
      arriving,
      leaving,
      overdue,
      in_house,
      no_shows,
      refused,
      differences,
      network: {
        warnings,
        sentence: warnings[0]?.message ?? helpIn(scope.language)('network.works'),
        contact: at.contact,
      },
    }
  },
})
