// Overwritten: what an import, or its undo, has changed for guests who are online: their package, and the address of their device.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { applyHolders } from '#server/sessions/changes.ts'
import type { Services } from '#server/services.ts'
import { endFormerAddresses } from '#server/resources/devices/devices.ts'

interface Overwritten {
  accounts: number[]
  devices: number[]
  /** Devices that have had another address. */
  addresses: number[]
}

/** The records of the import whose present values are not those from before it: after it, and before it is undone. */
export async function overwrittenBy(scope: Scope, import_id: number): Promise<Overwritten> {
  const changed = (table: 'accounts' | 'devices', column: 'package_id' | 'mac_address') =>
    scope.run(sql<{ id: number }>`
      select t.id from import_rows as i
      join ${sql.table(table)} as t on t.customer_id = i.customer_id and t.id = i.record_id and ${scope.inReach(table, 't')}
      cross join lateral jsonb_populate_record(null::${sql.table(table)}, i.before) as b
      where i.import_id = ${import_id} and i.record_table = ${table} and i.before is not null and not i.removed
        and ${scope.inReach('import_rows', 'i')} and ${sql.ref(`b.${column}`)} is distinct from ${sql.ref(`t.${column}`)}`)
  const idsOf = async (...of: Parameters<typeof changed>) => (await changed(...of)).map(({ id }) => id)
  return {
    accounts: await idsOf('accounts', 'package_id'),
    devices: await idsOf('devices', 'package_id'),
    addresses: await idsOf('devices', 'mac_address'),
  }
}

/** As when each of them is changed by itself. Once all are written, so that sessions are locked in the order of their ids. */
export async function applyOverwritten(scope: Scope, queue: Services['queue'], changed: Overwritten) {
  const { accounts, devices, addresses } = changed
  if (addresses.length > 0) await endFormerAddresses(scope, queue, addresses)
  if (accounts.length + devices.length === 0) return
  await applyHolders(scope, queue, sql`(t.account_id = any(${accounts}) or t.device_id = any(${devices}))`)
}
