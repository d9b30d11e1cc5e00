// Undone imports: what is undone for each kind of import, what counts as use of its records, and until when it can be undone.
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Scope } from '#server/access/tenancy.ts'
import * as contract from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import { clash } from '#server/errors/refused.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { accountImport } from '#server/imports/accounts.ts'
import type { ImportDefinition } from '#server/imports/definition.ts'
import { deviceImport } from '#server/imports/devices.ts'
import { ofProperties } from '#server/imports/engine.ts'
import { roomImport } from '#server/imports/rooms.ts'
import { writtenBy } from '#server/imports/store.ts'
import { undoImport, type UndoneTable } from '#server/imports/undo.ts'
import { importedGuests } from '#server/imports/imported-guests.ts'
import type { Services } from '#server/services.ts'
import { applyOverwritten, overwrittenBy } from './overwritten.ts'

export const imports = entity({
  table: 'imports',
  label: 'file_name',
  row: contract.ImportRow,
  detail: contract.ImportRow,
  computed: {
    property: nameOf('properties', 'property_id'),
    problem_count: sql`coalesce(jsonb_array_length(t.problems), 0)`,
  },
  belongs: { property_id: 'property_id' },
})

const uniqueOf = ({ columns }: ImportDefinition) =>
  Object.entries(columns).flatMap(([name, { unique }]) =>
    unique ? [{ name, ...(unique.fold && { fold: unique.fold }) }] : [],
  )

/**
 * Somebody has signed in as `holder`: shown by its sessions, by accepted attempts, or by passes from portals, which are all that is
 * known of guests behind a gateway without RADIUS.
 */
const signedIn =
  (column: 'account_id' | 'device_id' | 'guest_id', holder = sql.ref('t.id')) =>
  (scope: Scope, _import_id: number, since: RawBuilder<unknown>): RawBuilder<boolean> => {
    const traceIn = (table: 'access_passes' | 'radius_authorisations' | 'radius_sessions', more = sql`true`) => sql`
      exists (select from ${sql.table(table)} as s where s.${sql.ref(column)} = ${holder} and s.created_at > ${since}
        and ${more} and ${scope.inReach(table, 's')})`
    const accepted = traceIn('radius_authorisations', sql`s.property_id = t.property_id and s.accepted`)
    return sql`${traceIn('radius_sessions')} or ${traceIn('access_passes')} or ${accepted}`
  }

/** A sign-in by room and last name is recorded in `guests`, which refers to the room's guest until it is erased. */
const signedInByRoom = (scope: Scope, import_id: number, since: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  exists (select from guests as g where g.room_guest_id = t.id and ${scope.inReach('guests', 'g')}
    and (${signedIn('guest_id', sql.ref('g.id'))(scope, import_id, since)}))`

/** A room that the import created has since got guests, accounts or devices that the import did not bring. */
function isOccupied(scope: Scope, import_id: number): RawBuilder<boolean> {
  const inIt = (table: 'accounts' | 'devices') =>
    sql`exists (select from ${sql.table(table)} as o where o.room_id = t.id and ${scope.inReach(table, 'o')})`
  return sql`
    i.before is null and (${inIt('accounts')} or ${inIt('devices')} or exists (
      select from room_guests as o where o.room_id = t.id and ${scope.inReach('room_guests', 'o')} and not exists (
        select from import_rows as m where m.import_id = ${import_id} and m.record_table = 'room_guests'
          and m.record_id = o.id and m.before is null and ${scope.inReach('import_rows', 'm')})))`
}

/** Guests who were checked out return to their room, unless the desk has checked them in again. */
const ofTheirRoom = {
  mayBe: (scope: Scope) =>
    sql<boolean>`exists (select from rooms as r where r.id = t.room_id and ${scope.inReach('rooms', 'r')})`,
  isTaken: (scope: Scope) => sql<boolean>`exists (
    select from room_guests as o where o.room_id = t.room_id and lower(o.name) = lower(t.name) and ${scope.inReach('room_guests', 'o')})`,
}

const undoneTables: Record<z.output<typeof contract.ImportRow>['kind'], readonly UndoneTable[]> = {
  accounts: [
    {
      table: 'accounts',
      columns: writtenBy(accountImport),
      label: 'name',
      many: 'accounts',
      unique: uniqueOf(accountImport),
      refers: { package_id: 'packages', room_id: 'rooms' },
      used: signedIn('account_id'),
    },
  ],
  devices: [
    {
      table: 'devices',
      columns: writtenBy(deviceImport),
      label: 'name',
      many: 'devices',
      unique: uniqueOf(deviceImport),
      refers: { mac_category_id: 'mac_categories', package_id: 'packages', room_id: 'rooms' },
      used: signedIn('device_id'),
    },
  ],
  // Nothing is recorded for these.
  portal: [],
  rooms: [
    { ...importedGuests, label: 'name', many: 'guests', used: signedInByRoom, back: ofTheirRoom },
    { table: 'rooms', columns: writtenBy(roomImport), label: 'number', many: 'rooms', used: isOccupied },
  ],
}

/** Locks the properties that got records, in the order in which imports lock them, so that undoing waits its turn, too. */
const lockProperties = (scope: Scope, id: number) =>
  scope.lock(
    'properties',
    sql`t.id = any((select i.property_ids from imports as i where i.id = ${id} and ${scope.inReach('imports', 'i')})::integer[])`,
  )

export async function undo(scope: Scope, queue: Services['queue'], id: number) {
  const asked = await lockedRow(scope, imports, id)
  const { outcome, undone_at, undo_until, file_name, kind } = asked
  if (outcome !== 'done') throw clash(messages.imports.nothingToUndo)
  if (undone_at !== null) throw clash(messages.imports.undoneAlready)
  if (undo_until === null || Date.parse(undo_until) <= Date.now()) throw clash(messages.imports.tooLateToUndo)
  const ids = await lockProperties(scope, id)
  const changed = await overwrittenBy(scope, id)
  const counts = await undoImport(scope, asked, undoneTables[kind])
  await applyOverwritten(scope, queue, changed)
  await scope.change('imports', [id], { undone_at: sql`now()`, undone_by: scope.principal.name })
  const after = { file_name, undone: kind, ...counts }
  await logActivityOfMany(scope, { action: 'import', entity: ofProperties, ids, after })
  return oneRow(scope, imports, id)
}
