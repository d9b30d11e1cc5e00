// Guest help instructions: what a guest needs to know to get online: the network, the page, and what to type there.
import { sql } from 'kysely'
import type { HelpSubject } from '#contract/guest-help.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { GuestRecord } from './guest-record.ts'
import { codeFor } from './search.ts'

type Tell = HelpSubject['tell']

/** None for a device, which gets online by itself, or for an unmatched attempt. */
function rowsFor(scope: Scope, { kind, room, stay, typed, voucher, email }: GuestRecord) {
  if (stay?.checked_out) return []
  if (kind === 'stay' && room !== null)
    return [{ label: 'Room', value: room }, ...(stay?.last_name ? [{ label: 'Last name', value: stay.last_name }] : [])]
  if (kind === 'account' && typed[0] !== undefined) return [{ label: 'Username', value: typed[0] }]
  if (voucher !== null) return [{ label: 'Code', value: codeFor(scope, voucher.code) }]
  if (kind === 'guest' && email !== null) return [{ label: 'E-mail', value: email }]
  return []
}

/** `portal_url`: the base URL of guests' pages. The portal is the property's own, or else its group's. */
export async function instructionsOf(scope: Scope, known: GuestRecord, portal_url: string): Promise<Tell> {
  const rows = rowsFor(scope, known)
  if (rows.length === 0 || known.property === null) return null
  const [found] = await scope.run(sql<{ network: string | null; public_id: string | null }>`
    select t.network_name as network, (
      select p.public_id from portals as p
      where p.customer_id = t.customer_id and p.deleted_at is null and p.id = coalesce(t.portal_id, (
        select g.portal_id from groups as g where g.customer_id = t.customer_id and g.id = t.group_id))) as public_id
    from properties as t where t.id = ${known.property.id} and ${scope.inReach('properties', 't')}`)
  const page = found?.public_id == null ? null : `${portal_url}/p/${found.public_id}`
  return { network: found?.network ?? null, page, rows, email: known.email }
}
