// Setting secrets: the secret settings of what is plugged in, sealed by the keys of its parameters. The app's login writes them and
// cannot read them; functions of the database give them to what calls in their name.
import { sql } from 'kysely'
import type { Settings } from '#contract/parameters.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { CheckedSettings } from '#server/entities/parameters.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'

/** Whose they are: a table of secrets, and its column with the id of what has them. */
export interface SecretsOf {
  table: 'connection_secrets' | 'gateway_setting_secrets' | 'property_interface_setting_secrets'
  of: 'connection_id' | 'gateway_id' | 'property_interface_id'
}

interface Stored {
  key: string
  sealed_value: Buffer
}

const placeOf = ({ table }: SecretsOf, customer: { customer_id: number }, id: number, key: string) =>
  placeIn(`${table}.sealed_value`, customer, `${id} ${key}`)

/** The caller has locked the row `id` that has them, or just made it. */
export async function keepSecrets(
  scope: Scope,
  seal: Seal,
  { id, ...secrets }: SecretsOf & { id: number },
  given: CheckedSettings['secrets'],
): Promise<void> {
  const { table, of } = secrets
  for (const [key, value] of Object.entries(given)) {
    if (value === null) {
      await scope.unlink(table, { [of]: id, key })
      continue
    }
    const sealed_value = seal.close(value, placeOf(secrets, scope, id, key))
    const its = sql<boolean>`${sql.ref(`t.${of}`)} = ${id} and t.key = ${key}`
    const changed = await scope.change(table, its, { sealed_value, changed_at: sql`now()` })
    if (changed.length === 0) await scope.insert(table, { [of]: id, key, sealed_value })
  }
}

/** Settings with their secrets. */
export function openSettingSecrets(
  seal: Seal,
  secrets: SecretsOf,
  { customer_id, id, settings }: { customer_id: number; id: number; settings: Settings },
  stored: readonly Stored[],
): Settings {
  const opened = stored.map(({ key, sealed_value }): [string, string] => [
    key,
    seal.open(sealed_value, placeOf(secrets, { customer_id }, id, key)),
  ])
  return { ...settings, ...Object.fromEntries(opened) }
}

/** As a door gives them: in Base64, by their keys. */
export const fromDoor = (secrets: Readonly<Record<string, string>>): Stored[] =>
  Object.entries(secrets).map(([key, sealed]) => ({ key, sealed_value: Buffer.from(sealed, 'base64') }))

/** The keys of those that are set, of a row `t`. */
export const settingsSet = ({ table, of }: SecretsOf) => sql`(
  select coalesce(json_agg(s.key order by s.key), '[]') from ${sql.table(table)} as s
  where s.customer_id = t.customer_id and ${sql.ref(`s.${of}`)} = t.id)`
