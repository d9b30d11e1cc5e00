// Guest sessions: who is or was online, and disconnecting them.
import { sql } from 'kysely'
import * as contract from '#contract/sessions.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { logActivityOfList, logActivityOfMany } from '#server/entities/activity-log.ts'
import { notFound } from '#server/errors/refused.ts'
import { columnsOf, entity, nameOf, type Merge, type Sql, type Stored } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import { listedSince, sessionsNamed } from '#server/history/read-sessions.ts'
import { sessionColumns } from '#server/history/pack-columns.ts'
import { startedToday } from '#server/sessions/today.ts'
import { queueDisconnects } from '#server/sessions/disconnects.ts'
import { guest_name, leftBut, sessionRoom, speed_mbps, voucher_batch_id } from '#server/sessions/session-facts.ts'
import { whoseAddress } from '#server/sessions/whose-address.ts'
import type { Services } from '#server/services.ts'
import {
  alsoFoundByCode,
  foundByIdentifier,
  identifierFor,
  listedWithCodes,
  withShownCodes,
} from '#server/vouchers/shown-codes.ts'

/** Sessions of all properties that are in the group now. */
export const ofGroup = {
  by: 'property_id',
  of: 'properties',
  where: ({ is }) => is(sql`p.group_id`),
} as const satisfies Merge

const reasons = sql.join(
  Object.entries(contract.terminationReasons).map(
    ([cause, words]) => sql`when ${sql.lit(cause)} then ${sql.lit(words)}`,
  ),
  sql` `,
)

const sessions = entity({
  table: 'radius_sessions',
  row: contract.GuestSessionRow,
  detail: contract.GuestSessionRow,
  // The log outlives a guest's data, so it names nobody.
  label: 'id',
  computed: {
    identifier: identifierFor,
    guest_name,
    voucher_batch_id,
    room: sessionRoom,
    speed_mbps,
    left: leftBut(sql`0`),
    property: nameOf('properties', 'property_id'),
    package: nameOf('packages', 'package_id'),
    gateway: sql`(select json_build_object('id', r.id, 'name', coalesce(r.name, r.nas_identifier)) from gateways as r
      where r.customer_id = t.customer_id and r.id = t.gateway_id)`,
    auth_method: sql`(select json_build_object('id', r.id, 'name', r.name) from auth_methods as r where r.id = t.auth_method_id)`,
    ip: sql`host(t.ip)`,
    online: sql`t.stopped_at is null`,
    termination_reason: sql`case when t.stopped_at is null then null else
      case t.termination_cause ${reasons} else ${sql.lit(contract.terminationReason(''))} end end`,
  },
  filters: {
    // Both values together ask for everything.
    online: ({ is }) => is(sql`(t.stopped_at is null)`),
    started: () => startedToday,
    group_id: ofGroup,
    voucher_batch_id: { by: 'voucher_id', of: 'vouchers', where: ({ is }) => is(sql`p.voucher_batch_id`) },
  },
  foundBy: foundByIdentifier('radius_sessions'),
  meta: listedSince,
  alsoFound: alsoFoundByCode('radius_sessions'),
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

/** Distinguishes sessions ended by the desk from those ended by the gateway. */
const desk_cause = 'Admin-Reset'
/** Why the desk ended a session, as the session keeps it. */
export const placeGivenAway = 'Its place was given to another device'

/** Asks the gateways to end these open sessions. */
export async function askToEnd(scope: Scope, queue: Services['queue'], session_ids: number[], cause: string) {
  if (session_ids.length === 0) return
  await scope.change('radius_sessions', session_ids, { disconnect_asked_at: sql`now()`, disconnect_for: cause })
  await queueDisconnects(scope, queue, session_ids)
}

/** Ends those of the sessions that are open; returns how many. */
export async function endAtDesk(scope: Scope, queue: Services['queue'], ids: readonly number[], reason: string) {
  const known = await scope.run(sql<{ id: number; open: boolean }>`
    select t.id, t.stopped_at is null as open from radius_sessions as t
    where t.id = any(${[...ids]}) and ${scope.inReach('radius_sessions', 't')}
    order by t.id for no key update`)
  if (known.length < new Set(ids).size) throw unreachableIds()
  const open = known.filter((session) => session.open).map(({ id }) => id)
  await askToEnd(scope, queue, open, desk_cause)
  if (open.length > 0) {
    const after = { disconnected: reason }
    await logActivityOfMany(scope, { action: 'update', entity: sessions, ids: open, after })
  }
  return open.length
}

/** Packed ones are looked for where the table does not have all. */
async function rowsNamed(scope: Scope, ids: number[]) {
  const rowsOf = (from: Sql) =>
    scope.run(sql<Stored<typeof sessions>>`
      select ${columnsOf(scope, sessions, contract.GuestSessionRow)} from ${from} as t
      where t.id = any(${ids}) and ${scope.inReach('radius_sessions', 't')}`)
  const found = await rowsOf(sql`radius_sessions`)
  const rows = found.length === new Set(ids).size ? found : await rowsOf(sessionsNamed(sessionColumns, ids))
  return withShownCodes(scope, 'radius_sessions', rows)
}

export default ({ queue }: Pick<Services, 'queue'>) =>
  serve(contract, {
    list: async ({ scope, input }) => listedWithCodes(scope, 'radius_sessions', await listRows(scope, sessions, input)),
    get: async ({ scope, input: { id } }) => {
      const [row] = await rowsNamed(scope, [id])
      if (!row) throw notFound()
      return row
    },
    whoseAddress: async ({ scope, input: { ip_address, at } }) => {
      const holders = await whoseAddress(scope, ip_address, at)
      await logActivityOfList(scope, { action: 'looked_up', table: 'session_addresses', after: { ip_address, at } })
      const ids = holders.map(({ session_id }) => session_id)
      const rows = await rowsNamed(scope, ids)
      return holders.flatMap(({ session_id, ...address }) => {
        const row = rows.find(({ id }) => id === session_id)
        if (!row) return []
        const { identifier, guest_name, mac_address, account_id, device_id, voucher_batch_id, property, room } = row
        const of = { account_id, device_id, voucher_batch_id }
        return [{ session_id, identifier, guest_name, mac_address, ...of, property, room, ...address }]
      })
    },
    disconnect: async ({ scope, input: { ids, reason } }) => ({
      ids,
      asked: await endAtDesk(scope, queue, ids, reason),
    }),
  })
