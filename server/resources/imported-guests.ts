// Imported guests: those who were read beside the rooms of a file, stored in the rooms that the import has stored.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Person } from '#server/imports/definition.ts'
import type { StoredRecord } from '#server/imports/store.ts'

export const guestsOf = ({ record: { guests } }: Pick<StoredRecord, 'record'>): Person[] =>
  Array.isArray(guests) ? guests : []

/** Matched by name within their room. What the file does not say of somebody who is there stays; who it does not name stays, too. */
export async function storeGuests(scope: Scope, stored: StoredRecord[]) {
  const guests = stored.flatMap((room) => guestsOf(room).map((guest) => ({ room_id: room.id, ...guest })))
  if (guests.length === 0) return
  const told = sql`json_to_recordset(${JSON.stringify(guests)}) as r(room_id integer, first_name text, last_name text,
    email text, mobile_number text, external_reference text, arrives_on date, departs_on date)`
  const sameGuest = sql`t.room_id = r.room_id and lower(t.name) = lower(btrim(coalesce(r.first_name, '') || ' ' || r.last_name))
    and ${scope.inReach('room_guests', 't')}`
  await scope.run(sql`
    update room_guests as t set email = coalesce(r.email, t.email), mobile_number = coalesce(r.mobile_number, t.mobile_number),
      external_reference = coalesce(r.external_reference, t.external_reference),
      arrives_on = coalesce(r.arrives_on, t.arrives_on), departs_on = coalesce(r.departs_on, t.departs_on)
    from ${told} where ${sameGuest}`)
  // Their property follows from the room.
  await scope.run(sql`
    insert into room_guests (room_id, first_name, last_name, email, mobile_number, external_reference, arrives_on, departs_on)
    select r.room_id, r.first_name, r.last_name, r.email, r.mobile_number, r.external_reference, r.arrives_on, r.departs_on
    from ${told} where not exists (select from room_guests as t where ${sameGuest})`)
}
