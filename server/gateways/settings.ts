// Settings: what the gateways of makes with parameters were told, opened for a redirect or for RADIUS.
import { sql } from 'kysely'
import type { Setting, Settings } from '#contract/parameters.ts'
import type { Doors } from '#server/access/doors.ts'
import { fromDoor, openSettingSecrets, type SecretsOf } from '#server/connections/setting-secrets.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { kindOf } from './find-kind.ts'

interface Stored {
  customer_id: number
  id: number
  settings: Record<string, Setting>
  /** Sealed, in Base64. */
  secrets: Record<string, string>
}

export const gatewaySecrets: SecretsOf = { table: 'gateway_setting_secrets', of: 'gateway_id' }

export const noSettings: Settings = {}

/** By id; those of makes without parameters have none, and are not looked up. */
export async function gatewaySettings(
  { guestDoors, seal }: { guestDoors: Pick<Doors, 'callFunction'>; seal: Seal },
  gateways: readonly { id: number; gateway_type_id: number }[],
): Promise<ReadonlyMap<number, Settings>> {
  const told = gateways.filter(({ gateway_type_id }) => kindOf(gateway_type_id)?.definition.parameters.length)
  if (told.length === 0) return none
  const rows = await guestDoors.callFunction(
    sql<Stored>`select * from door_gateway_settings(${told.map(({ id }) => id)}::integer[])`,
  )
  return new Map(rows.map((row) => [row.id, openSettingSecrets(seal, gatewaySecrets, row, fromDoor(row.secrets))]))
}
const none: ReadonlyMap<number, Settings> = new Map()
