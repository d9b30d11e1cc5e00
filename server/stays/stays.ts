// Stays: their records, and what changes in them. Its guests are locked before a stay, as whoever changes a guest does it.
import { sql } from 'kysely'
import type { Parsed } from '#contract/endpoint.ts'
import * as contract from '#contract/stays.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { wordsOf } from '#server/entities/list-search.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { refuseOvertaken } from '#server/entities/overtaken.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { updateRow } from '#server/entities/verbs.ts'
import { refuseFar, refuseImpossible, roomGuests } from './guests.ts'
import { daySorts } from './in-house.ts'

export const stays = entity({
  table: 'stays',
  label: 'room_number',
  row: contract.StayRow,
  detail: contract.Stay,
  fields: contract.fields,
  computed: {
    name: sql`t.room_number`,
    property: nameOf('properties', 'property_id'),
    room: nameOf('rooms', 'room_id', 'number'),
    package: nameOf('packages', 'package_id'),
    barred: sql`(select r.barred from rooms as r where r.customer_id = t.customer_id and r.id = t.room_id)`,
    do_not_disturb: sql`(select r.do_not_disturb from rooms as r where r.customer_id = t.customer_id and r.id = t.room_id)`,
    until_time: sql`to_char(t.until_time, 'HH24:MI')`,
    guests: sql`(
      select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id), '[]') from room_guests as g
      where g.customer_id = t.customer_id and g.stay_id = t.id and g.deleted_at is null)`,
  },
  filters: {
    group_id: ({ is }) => sql`
      t.property_id in (select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)})`,
    words: wordsOf(sql`concat_ws(' ', t.group_name, t.note)`),
  },
  sorts: daySorts,
  belongs: { property_id: 'property_id' },
})

/** The guests of a stay who have not left, locked in their order. */
export const guestsOf = (scope: Scope, stay_id: number): Promise<number[]> =>
  scope.lock('room_guests', sql`t.stay_id = ${stay_id}`)

/**
 * What the desk gives. Another departure is given to each guest, with a line of the log each: the nights are reckoned from those,
 * and a trigger keeps the stay's own days like them. It comes last, as guests who leave with those they came with share their stay
 * again, and the answer is that one.
 */
export async function updateStay(scope: Scope, { departs_on, was = {}, ...input }: Parsed<typeof contract.updateStay>) {
  const guests = await guestsOf(scope, input.id)
  const before = await lockedRow(scope, stays, input.id)
  if (departs_on !== undefined) await refuseOvertaken(scope, stays, { before, was, input: { ...input, departs_on } })
  // The departure that was read has been compared.
  const others = Object.fromEntries(Object.entries(was).filter(([name]) => name !== 'departs_on'))
  const stay = await updateRow(scope, stays, { ...input, was: others })
  if (departs_on === undefined) return { before, stay, guests }
  await leaveOn(scope, guests, departs_on)
  const [guest] = guests
  const { stay_id } = guest === undefined ? { stay_id: null } : await oneRow(scope, roomGuests, guest)
  return { before, stay: await oneRow(scope, stays, stay_id ?? input.id), guests }
}

/** All at once, so that none of them is parted from the others. */
async function leaveOn(scope: Scope, ids: number[], departs_on: string | null) {
  const before = await Promise.all(ids.map((id) => oneRow(scope, roomGuests, id)))
  await scope.change('room_guests', ids, { departs_on })
  for (const guest of before) {
    const after = { ...guest, departs_on }
    await refuseFar(scope, after, guest)
    refuseImpossible(scope, after)
    await logActivity(scope, { action: 'update', entity: roomGuests, row: guest, before: guest, after })
  }
}
