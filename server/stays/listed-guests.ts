// Listed guests: what a list of who lives where says of guests and their days, written to the guests of those rooms. They are known by name
// within their room.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { saidByList } from './guests.ts'
import { listedDay } from './in-house.ts'

interface ListedPerson {
  room_id: number
  first_name: string | null
  last_name: string
  email: string | null
  mobile_number: string | null
  external_reference: string | null
  arrives_on: string | null
  departs_on: string | null
}

/** Columns of a guest that a list may overwrite. */
export const listedColumns = ['email', 'mobile_number', 'external_reference', 'arrives_on', 'departs_on'] as const

const listOf = (people: readonly ListedPerson[]) => sql`json_to_recordset(${JSON.stringify(people)})
  as r(room_id integer, first_name text, last_name text, email text, mobile_number text, external_reference text, arrives_on date,
    departs_on date)`
const isSame = (scope: Scope) => sql`
  t.room_id = r.room_id and lower(t.name) = lower(btrim(coalesce(r.first_name, '') || ' ' || r.last_name))
    and ${scope.inReach('room_guests', 't')}`

/** Those who are known. */
export const listedThere = async (scope: Scope, people: readonly ListedPerson[]): Promise<number[]> =>
  (
    await scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
      select t.id from room_guests as t join ${listOf(people)} on ${isSame(scope)}`)
  ).map(({ id }) => id)

/** Values that the list lacks are kept. */
export const changeListed = (scope: Scope, people: readonly ListedPerson[], ids: readonly number[]) =>
  scope.run(sql`
    update room_guests as t set ${sql.join(listedColumns.map((name) => sql`${sql.ref(name)} = ${listedDay(name)}`))}
    from ${listOf(people)} where ${isSame(scope)} and t.id = any(${[...ids]})`)

/** Makes guests of those who are not known. */
export async function addListed(scope: Scope, people: readonly ListedPerson[]): Promise<number[]> {
  // A trigger fills in the property from the room.
  const made = await scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
    insert into room_guests as t (room_id, first_name, last_name, ${sql.join(listedColumns.map((name) => sql.ref(name)))})
    select r.room_id, r.first_name, r.last_name, ${sql.join(listedColumns.map((name) => sql.ref(`r.${name}`)))}
    from ${listOf(people)} where not exists (select from room_guests as t where ${isSame(scope)}) returning t.id`)
  const ids = made.map(({ id }) => id)
  await saidByList(scope, ids)
  return ids
}

/** They leave on that day, since the list has others from the next. */
export const leaveOn = (scope: Scope, ids: readonly number[], departs_on: string) =>
  scope.change('room_guests', ids, { departs_on })
