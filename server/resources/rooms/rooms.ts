// Rooms: what a property lets, created one or many at once, and who is in them.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { z } from 'zod'
import { constants } from '#contract/constants.ts'
import * as contract from '#contract/rooms.ts'
import { serve } from '#server/api/serve.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRows, removeRow, toggleRow, updateRow } from '#server/entities/verbs.ts'
import { daySorts, isInStay, stayIs } from '#server/stays/in-house.ts'

const { names_shown_max } = constants
/** Guests and accounts of the room `t`, in the order in which they were added. */
const occupants = sql`
  (select o.name, row_number() over (order by o.created_at, o.name) as place from (
    select g.name, g.created_at from room_guests as g
      where g.customer_id = t.customer_id and g.room_id = t.id and g.deleted_at is null
    union all
    select a.name, a.created_at from accounts as a
      where a.customer_id = t.customer_id and a.room_id = t.id and a.deleted_at is null) as o)`
/** Of several guests, the one with whom there is most to do. */
const urgency = ['overdue', 'leaving', 'arriving', 'in_house'] as const
const guestFields = Object.keys(contract.Room.shape.guests.element.shape)

const rooms = entity({
  table: 'rooms',
  label: 'number',
  row: contract.RoomRow,
  detail: contract.Room,
  fields: contract.fields,
  computed: {
    name: sql`t.number`,
    property: nameOf('properties', 'property_id'),
    package: nameOf('packages', 'package_id'),
    stay: sql`(
      select case ${sql.join(
        urgency.map((kind) => sql`when bool_or(${stayIs(kind, 'g')}) then ${kind}::text`),
        sql` `,
      )} end
      from room_guests as g where g.customer_id = t.customer_id and g.room_id = t.id and g.deleted_at is null)`,
    occupants_string: sql`(
      select string_agg(s.name, ', ' order by s.place) filter (where s.place <= ${names_shown_max})
        || case when count(*) > ${names_shown_max} then ', +' || count(*) - ${names_shown_max} else '' end
      from ${occupants} as s)`,
    guests: sql`(
      select coalesce(json_agg(g order by g.created_at, g.id), '[]') from (
        select ${sql.join(guestFields.map((field) => sql.ref(field)))} from room_guests as r
        where r.customer_id = t.customer_id and r.room_id = t.id and r.deleted_at is null) as g)`,
  },
  filters: {
    group_id: ({ is }) => sql`
      t.property_id in (select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)})`,
    stay: (asked) => sql`
      exists (select from room_guests as g where g.customer_id = t.customer_id and g.room_id = t.id
        and g.deleted_at is null and ${isInStay(asked, 'g')})`,
  },
  sorts: daySorts,
  restrict: [
    { table: 'room_guests', column: 'room_id', noun: 'guests' },
    { table: 'accounts', column: 'room_id', noun: 'accounts' },
    { table: 'devices', column: 'room_id', noun: 'devices' },
  ],
  belongs: { property_id: 'property_id' },
})

type NewRooms = z.output<typeof contract.NewRooms>

/** Creates many rooms with the same settings: all, or none if a number exists already or is given twice. */
async function createRooms(
  scope: Scope,
  { numbers = [], number: _, ...settings }: NewRooms,
): Promise<{ ids: number[] }> {
  const folded = numbers.map((number) => number.toLowerCase())
  const twice = numbers.filter((_number, index) => folded.indexOf(folded[index] ?? '') !== index)
  if (twice.length > 0) throw invalid({ numbers: [`Given twice: ${firstOf(twice)}.`] })
  const there = await scope.run(sql<ColumnsOf<'rooms', 'number'>>`
    select t.number from rooms as t
    where t.property_id = ${settings.property_id} and lower(btrim(t.number)) = any(${folded}) and ${scope.inReach('rooms', 't')}
    order by t.number`)
  if (there.length > 0)
    throw invalid({ numbers: [`The property already has these rooms: ${firstOf(there.map((room) => room.number))}.`] })
  await scope.insertMany(
    'rooms',
    numbers.map((number) => ({ ...settings, number })),
  )
  const made = await scope.run(sql<ColumnsOf<'rooms', 'id'>>`
    select t.id from rooms as t
    where t.property_id = ${settings.property_id} and t.number = any(${numbers}) and ${scope.inReach('rooms', 't')}
    order by t.number`)
  const ids = made.map(({ id }) => id)
  await logActivityOfMany(scope, { action: 'create', entity: rooms, ids, after: settings })
  return { ids }
}

const shown_max = 10
const firstOf = (numbers: string[]) =>
  numbers.slice(0, shown_max).join(', ') + (numbers.length > shown_max ? ` and ${numbers.length - shown_max} more` : '')

const stays = 'A room cannot be moved to another property.'

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, rooms, input),
  exportList: (call) => exportRows(call, rooms),
  names: ({ scope }) => nameRows(scope, rooms, contract.RoomName),
  nameList: ({ scope, input }) => listRows(scope, rooms, input, contract.RoomOffered),
  get: ({ scope, input }) => oneRow(scope, rooms, input.id),
  create: async ({ scope, input }) => {
    const { number, numbers, ...settings } = input
    return number === undefined
      ? createRooms(scope, { numbers, ...settings })
      : createRow(scope, rooms, { number, ...settings })
  },
  update: async ({ scope, input }) => {
    const { property_id, ...changes } = input
    const room = await updateRow(scope, rooms, changes)
    if (property_id !== undefined && property_id !== room.property_id) throw invalid({ property_id: [stays] })
    return room
  },
  toggle: ({ scope, input }) => toggleRow(scope, rooms, input.id),
  deactivate: ({ scope, input }) => deactivateRows(scope, rooms, input.ids),
  activate: ({ scope, input }) => activateRow(scope, rooms, input.id),
  remove: ({ scope, input }) => removeRow(scope, rooms, input.id),
})
