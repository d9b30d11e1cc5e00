// Imported guests: guests listed with the rooms of a file, stored in the rooms that the import has stored.
import type { Scope } from '#server/access/tenancy.ts'
import type { Person } from '#server/imports/definition.ts'
import type { OtherRecords } from '#server/imports/engine.ts'
import { imagesOf, type KeptRecord } from '#server/imports/record-images.ts'
import type { StoredRecord } from '#server/imports/store.ts'
import { addListed, changeListed, listedColumns, listedThere } from '#server/stays/listed-guests.ts'

export const guestsInRecord = ({ record: { guests } }: Pick<StoredRecord, 'record'>): Person[] =>
  Array.isArray(guests) ? guests : []

export const importedGuests = { table: 'room_guests', columns: listedColumns } as const

/** Matches guests by name within their room. Values that the file lacks are kept, and so are guests whom it does not name. */
export async function storeGuests(scope: Scope, stored: StoredRecord[]): Promise<OtherRecords> {
  const people = stored.flatMap((room) => guestsInRecord(room).map((guest) => ({ room_id: room.id, ...guest })))
  if (people.length === 0) return { table: 'room_guests', records: [] }
  const images = await imagesOf(scope, importedGuests, await listedThere(scope, people))
  await changeListed(scope, people, [...images.keys()])
  const made = await addListed(scope, people)
  const records: KeptRecord[] = [
    ...[...images].map(([id, before]) => ({ id, before })),
    ...made.map((id) => ({ id, before: null })),
  ]
  return { table: 'room_guests', records }
}
