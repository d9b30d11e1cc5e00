// Simulation: simulated guests arrive, use the real portal, RADIUS and accounting on each kind of gateway, and leave.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import { authMethods } from '#contract/portals.ts'
import { disconnect } from '#contract/sessions.ts'
import { simulate } from '#scripts/simulation/simulate.ts'
import type { SimulatedSite } from '#scripts/simulation/site.ts'
import { connect } from '#server/db/logins.ts'
import { freePort } from '#server/start/free-port.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let admin: Client
let editor: Person
let portal_url = ''
beforeAll(async () => {
  const port = await freePort(1)
  portal_url = `http://127.0.0.1:${port}`
  foyer = await openFoyer({ env: { ROLES: 'api,guest,radius,jobs', PORTAL_URL: portal_url } })
  await foyer.guest?.listen({ host: '127.0.0.1', port })
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

async function siteOf(gateway_type_id: number): Promise<SimulatedSite> {
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [authMethods.free], terms: 'Be kind.' })
  const { id: property_id, name } = await foyer.property(editor, { portal_id })
  const mac_address = aMacAddress()
  const made = await foyer.gateway(editor, { property_id, gateway_type_id, mac_address, dns_name: 'hotspot.example' })
  const { id, nas_identifier, radius_secret } = made
  const guest = { method: authMethods.free, typed: {} }
  return {
    name,
    portal_path: url.replace(portal_url, ''),
    gateway: { id, nas_identifier, radius_secret, gateway_type_id, mac_address },
    holders: Array.from({ length: 20 }, () => ({ ...guest })),
  }
}

test('guests arrive, use data and time, are disconnected at the desk, and leave', { timeout: 120_000 }, async () => {
  if (!foyer.radius) throw new Error('no role')
  const ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
  const sites = await Promise.all([13, 1, 2].map(siteOf))
  const stop = new AbortController()
  const state = async () => {
    const { rows } = await admin.query<{ gateways: number; left: number; bytes: number; ended: number }>(
      `select count(distinct gateway_id)::integer as gateways, sum(bytes_down)::double precision as bytes,
         count(*) filter (where termination_cause in ('User-Request', 'Lost-Carrier', 'Idle-Timeout'))::integer as left,
         count(*) filter (where termination_cause = 'Admin-Reset')::integer as ended from radius_sessions`,
    )
    return rows[0]
  }
  const simulation = simulate({
    sites,
    portal_url,
    ports,
    pace: { arrival_ms: 100, stay_ms: 4000, report_ms: 500 },
    signal: stop.signal,
    farewell_max_ms: 60_000,
    listening: async (id, port) => {
      await admin.query('update gateways set disconnect_port = $2 where id = $1', [id, port])
    },
  })
  try {
    await expect
      .poll(state, { timeout: 60_000 })
      .toMatchObject({ gateways: 3, left: expect.toSatisfy((left: number) => left > 2) })
    await expect
      .poll(
        async () => {
          const { rows } = await admin.query<{ id: number }>('select id from radius_sessions where stopped_at is null')
          const ids = rows.map(({ id }) => id)
          if (ids.length > 0) await foyer.ask(disconnect, { ids, reason: 'A try' }, editor)
          return (await state())?.ended
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0)
  } finally {
    stop.abort()
  }
  const counts = await simulation
  expect(counts.came).toBeGreaterThan(3)
  expect((await state())?.bytes).toBeGreaterThan(0)
  // Nobody stays online at a gateway that is gone.
  const stillOnline = async () => (await admin.query('select from radius_sessions where stopped_at is null')).rowCount
  await expect.poll(stillOnline, { timeout: 30_000 }).toBe(0)
})
