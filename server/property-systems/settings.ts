// Settings: what interfaces were told, opened for what a system posts, or for a link.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Setting, Settings } from '#contract/parameters.ts'
import type { Doors } from '#server/access/doors.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'

export const settingPlace = (customer: { customer_id: number }, interface_id: number, key: string) =>
  placeIn('property_interface_setting_secrets.sealed_value', customer, `${interface_id} ${key}`)

/** An active interface as it is known by its uuid alone. */
export interface Addressed {
  customer_id: number
  id: number
  type_id: number
  settings: Settings
}

export async function interfaceAt(
  { guestDoors, seal }: { guestDoors: Pick<Doors, 'callFunction'>; seal: Seal },
  uuid: string,
): Promise<Addressed | undefined> {
  const [row] = await guestDoors.callFunction(
    sql<Omit<Addressed, 'settings'> & { settings: Record<string, Setting>; secrets: Record<string, string> }>`
      select * from door_interface(${uuid}::uuid)`,
  )
  if (!row) return undefined
  const { secrets, ...known } = row
  const opened = Object.entries(secrets).map(([key, sealed]): [string, string] => [
    key,
    seal.open(Buffer.from(sealed, 'base64'), settingPlace(row, row.id, key)),
  ])
  return { ...known, settings: { ...known.settings, ...Object.fromEntries(opened) } }
}

/** Whether somebody has given their consent at the system. */
export async function hasConsent(scope: Scope, id: number): Promise<boolean> {
  const [kept] = await scope.run(sql<ColumnsOf<'integration_tokens', 'id'>>`
    select t.id from integration_tokens as t where t.property_interface_id = ${id} and ${scope.inReach('integration_tokens', 't')}`)
  return kept !== undefined
}

/** With its secrets. */
export async function settingsOf(scope: Scope, seal: Seal, id: number, settings: Settings): Promise<Settings> {
  const rows = await scope.run(sql<{ key: string; sealed_value: Buffer }>`select * from interface_secrets(${id})`)
  const opened = rows.map(({ key, sealed_value }): [string, string] => [
    key,
    seal.open(sealed_value, settingPlace(scope, id, key)),
  ])
  return { ...settings, ...Object.fromEntries(opened) }
}
