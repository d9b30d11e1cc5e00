// Interface settings: settings of interfaces with their secrets decrypted, for messages, polls and links.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Setting, Settings } from '#contract/parameters.ts'
import type { Doors } from '#server/access/doors.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { fromDoor, openSettingSecrets, type SecretsOf } from '#server/connections/setting-secrets.ts'
import type { Seal } from '#server/secrets/seal.ts'

export const interfaceSecrets: SecretsOf = {
  table: 'property_interface_setting_secrets',
  of: 'property_interface_id',
}

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
  return { ...known, settings: openSettingSecrets(seal, interfaceSecrets, row, fromDoor(secrets)) }
}

/** Whether somebody has given their consent at the system. */
export async function hasConsent(scope: Scope, id: number): Promise<boolean> {
  const [kept] = await scope.run(sql<ColumnsOf<'integration_tokens', 'id'>>`
    select t.id from integration_tokens as t where t.property_interface_id = ${id} and ${scope.inReach('integration_tokens', 't')}`)
  return kept !== undefined
}

/** The settings with their secrets decrypted. */
export async function interfaceSettings(scope: Scope, seal: Seal, id: number, settings: Settings): Promise<Settings> {
  const rows = await scope.run(sql<{ key: string; sealed_value: Buffer }>`select * from interface_secrets(${id})`)
  return openSettingSecrets(seal, interfaceSecrets, { customer_id: scope.customer_id, id, settings }, rows)
}
