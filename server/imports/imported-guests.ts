// Imported guests: guests listed with the rooms of a file, stored in the rooms that the import has stored.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Person } from '#server/imports/definition.ts'
import type { OtherRecords } from '#server/imports/engine.ts'
import { imagesOf, type KeptRecord } from '#server/imports/record-images.ts'
import type { StoredRecord } from '#server/imports/store.ts'
import { saidByList } from '#server/stays/guests.ts'
import { listedDay } from '#server/stays/in-house.ts'

export const guestsOf = ({ record: { guests } }: Pick<StoredRecord, 'record'>): Person[] =>
  Array.isArray(guests) ? guests : []

/** Columns of a guest that a file may overwrite. */
const written = ['email', 'mobile_number', 'external_reference', 'arrives_on', 'departs_on']
export const importedGuests = { table: 'room_guests', columns: written } as const

/** Matches guests by name within their room. Values that the file lacks are kept, and so are guests whom it does not name. */
export async function storeGuests(scope: Scope, stored: StoredRecord[]): Promise<OtherRecords> {
  const guests = stored.flatMap((room) => guestsOf(room).map((guest) => ({ room_id: room.id, ...guest })))
  const records: KeptRecord[] = []
  if (guests.length === 0) return { table: 'room_guests', records }
  const given = sql`json_to_recordset(${JSON.stringify(guests)}) as r(room_id integer, first_name text, last_name text,
    email text, mobile_number text, external_reference text, arrives_on date, departs_on date)`
  const sameGuest = sql`t.room_id = r.room_id and lower(t.name) = lower(btrim(coalesce(r.first_name, '') || ' ' || r.last_name))
    and ${scope.inReach('room_guests', 't')}`
  const there = await scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
    select t.id from room_guests as t join ${given} on ${sameGuest}`)
  const images = await imagesOf(
    scope,
    importedGuests,
    there.map(({ id }) => id),
  )
  for (const [id, before] of images) records.push({ id, before })
  const fromFile = written.map((name) => sql`${sql.ref(name)} = ${listedDay(name)}`)
  await scope.run(sql`
    update room_guests as t set ${sql.join(fromFile)}
    from ${given} where ${sameGuest} and t.id = any(${[...images.keys()]})`)
  // A trigger fills in the property from the room.
  const made = await scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
    insert into room_guests as t (room_id, first_name, last_name, ${sql.join(written.map((name) => sql.ref(name)))})
    select r.room_id, r.first_name, r.last_name, ${sql.join(written.map((name) => sql.ref(`r.${name}`)))}
    from ${given} where not exists (select from room_guests as t where ${sameGuest}) returning t.id`)
  await saidByList(
    scope,
    made.map(({ id }) => id),
  )
  for (const { id } of made) records.push({ id, before: null })
  return { table: 'room_guests', records }
}
