// Erased columns: whatever a session has in words, or as an address, goes with the guest who is erased, in packs, too. A column that is
// added is found here: it is emptied, or it is named among those that say nothing of anybody.
import type { Client } from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as guests from '#contract/guests.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { packSessions } from './pack-sessions.ts'
import { sessionColumns, unpacked } from './pack-columns.ts'

/** Of the box, and why it ended. */
const said_of_nobody = ['disconnect_for', 'reported_from', 'termination_cause']
/** By them packets find their session, and its box. */
const not_packed = ['reported_from', 'session_key']
const inPacks = (names: string[]) => names.filter((name) => !not_packed.includes(name))
const hot_ms = 60 * 86_400_000
const values = { inet: '10.9.8.7', macaddr: '02:00:00:00:99:01', _text: '{2001:db8::99}' } as const

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

test('an erasure empties every column of a session that says something of a guest, packed or not', async () => {
  const editor = await foyer.customer()
  const customer_id = editor.user.customer.id
  const { id: property_id } = await foyer.property(editor)
  const { id: gateway_id } = await foyer.gateway(editor, { property_id })
  const { rows: columns } = await admin.query<{ name: string; type: 'text' | keyof typeof values }>(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_name = 'radius_sessions' and is_generated = 'NEVER' and udt_name = any($1)`,
    [['text', ...Object.keys(values)]],
  )
  const full = columns.map(({ name, type }) => [name, type === 'text' ? `says ${name}` : values[type]] as const)
  const aSession = async () => {
    const { rows } = await admin.query<{ id: number }>(
      `with guest as (insert into guests (customer_id, property_id, auth_method_id) values ($1, $2, 1) returning id)
       insert into radius_sessions (customer_id, property_id, gateway_id, guest_id, started_at, last_seen_at, stopped_at,
         ${full.map(([name]) => name).join(', ')})
       select $1, $2, $3, id, now() - interval '1 year', now() - interval '1 year', now() - interval '1 year',
         ${full.map((_, n) => `$${n + 4}`).join(', ')} from guest returning guest_id::integer as id`,
      [customer_id, property_id, gateway_id, ...full.map(([, value]) => value)],
    )
    return rows[0]?.id ?? 0
  }
  const packed = await aSession()
  await packSessions(foyer.services, hot_ms)
  const unpackedOne = await aSession()
  const isPacked = await admin.query('select from packed_sessions where customer_id = $1 and $2 = any(guest_ids)', [
    customer_id,
    packed,
  ])
  expect(isPacked.rowCount).toBe(1)

  const stillSaid = async (guest_id: number) => {
    const [row] = await foyer.services.tenancy.enter(callerOfJob(customer_id, 'test'), 'read', (scope) =>
      scope.run(sql<{ session: Record<string, unknown> }>`
        select to_jsonb(t) as session from radius_sessions as t where t.guest_id = ${guest_id}
        union all
        select to_jsonb(t) from (${unpacked(sessionColumns, sql`true`)}) as t where t.guest_id = ${guest_id}`),
    )
    if (!row) throw new Error('there is no such session')
    const isSaid = ([name, value]: (typeof full)[number]) =>
      JSON.stringify(row.session[name]) === JSON.stringify(value.startsWith('{') ? [value.slice(1, -1)] : value)
    return full
      .filter(isSaid)
      .map(([name]) => name)
      .toSorted()
  }
  const names = columns.map(({ name }) => name).toSorted()
  expect(await stillSaid(unpackedOne)).toEqual(names)
  expect(await stillSaid(packed)).toEqual(inPacks(names))
  await foyer.get(guests.erase, { ids: [packed, unpackedOne] }, editor)
  expect(await stillSaid(unpackedOne)).toEqual(said_of_nobody)
  expect(await stillSaid(packed)).toEqual(inPacks(said_of_nobody))
})
