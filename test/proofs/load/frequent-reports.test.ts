// Frequent reports: an OPNsense reports each of its guests every five seconds, whatever interval it was told, by their session's id alone.
// Guests who sign in meanwhile, at another customer's and at the same property, are let in as without it, and what was reported is exact.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { redirectOf } from '#scripts/simulation/gateway-kinds.ts'
import type { SimulatedSite } from '#scripts/simulation/site.ts'
import { code, status_type } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aMacAddress, aProperty } from '#test/foyer.ts'
import { aPicture } from '#test/pictures.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { openGateway } from '#test/radius-client.ts'
import { bytesOf, formOf } from '#test/uploads.ts'
import { neighbours, type Neighbours } from '#test/proofs/neighbours.ts'
import { full } from '#test/proofs/proof.ts'
import { codesOf } from '#test/voucher-codes.ts'

const [opnsense, generic] = [12, 13]
const guests = full ? 1000 : 100
const rounds = full ? 12 : 2
const every_ms = 5000
/** A sign-in a time, as long as the reports go on. */
const pause_ms = 100

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-reports-'))
let foyer: Foyer
let database: TestDatabase
let port = 0
let ports: { access: number; accounting: number }
beforeAll(async () => {
  database = await freshDatabase()
  port = await freePort(4)
  ports = { access: port + 2, accounting: port + 3 }
  foyer = await startFoyer({
    DATA_DIR: scratch,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    DISK_RESERVE_MB: '0',
    PORT: String(port),
    PORTAL_PORT: String(port + 1),
    PORTAL_URL: `http://127.0.0.1:${port + 1}`,
    RADIUS_AUTH_PORT: String(ports.access),
    RADIUS_ACCT_PORT: String(ports.accounting),
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    SECRET_KEY: database.secretKey,
  })
}, 120_000)
afterAll(async () => {
  await foyer?.kill()
  killAll()
  await database?.drop()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

type Customer = Awaited<ReturnType<Neighbours['aCustomer']>>
type Made = SimulatedSite['gateway']

/** A property with a portal for free access, and gateways there. */
async function aSite({ ask, made }: Customer, types: number[]) {
  const look = { name: 'Lobby', headline: 'Welcome', company_name: 'A house', portal_layout_id: 1, portal_font_id: 1 }
  const form = formOf({ ...look, logo: aPicture('logo.png'), auth_method_ids: [authMethods.free] })
  const { data: portal } = await ask<{ id: number; url: string }>('/portals-create', await bytesOf(form))
  const package_id = await made('/packages-create', { name: 'A day', session_time_hrs: 24 })
  const property_id = await made('/properties-create', { ...aProperty(), portal_id: portal.id, package_id })
  const gateways: Made[] = []
  for (const gateway_type_id of types) {
    const box = { property_id, gateway_type_id, mac_address: aMacAddress(), dns_name: 'hotspot.example' }
    gateways.push((await ask<Made>('/gateways-create', box)).data)
  }
  return { url: portal.url, property_id, package_id, gateways }
}

/** Guests who sign in one after the other: by the portal's page, and by RADIUS. */
async function signsIn(url: string, gateway: Made) {
  const box = await openGateway(ports, gateway)
  const took_ms: number[] = []
  return {
    took_ms,
    async comes() {
      const began = performance.now()
      const mac_address = aMacAddress()
      const redirect = redirectOf({ gateway, mac_address, portal_url: url })
      const answer = await signIn(await openPage(url + redirect.query), { method: authMethods.free, typed: {} }, false)
      if ('page' in answer) throw new Error(`not let in: ${answer.page.html.text}`)
      const asked = redirect.ask(answer.brought, answer.to)
      const verdict = await box.access({ ...asked, calling_station_id: mac_address })
      expect(verdict.code).toBe(code.access_accept)
      took_ms.push(performance.now() - began)
    },
    close: () => box.close(),
  }
}

const p95 = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0

test(
  `${guests} guests of an OPNsense with a report every five seconds: nobody else’s sign-in is hurt, and nothing is miscounted`,
  { timeout: 600_000 },
  async ({ task }) => {
    const { aCustomer } = neighbours(foyer)
    const busy = await aCustomer('busy', '203.0.113.1')
    const other = await aCustomer('other', '203.0.113.2')
    const house = await aSite(busy, [opnsense, generic])
    const theirs = await aSite(other, [generic])
    const [firewall, beside] = house.gateways
    const [away] = theirs.gateways
    if (!firewall || !beside || !away) throw new Error('no gateways')

    const { property_id, package_id } = house
    const batch = await busy.made('/voucher-batches-create', { property_id, package_id, quantity: guests })
    const admin = new Client({ connectionString: database.adminUrl })
    await admin.connect()
    const listed = await codesOf(admin, batch)

    const box = await openGateway(ports, firewall)
    const present = listed.map((user_name, n) => ({
      user_name,
      mac_address: aMacAddress(),
      acct_session_id: `opnsense-${n}`,
    }))
    await Promise.all(
      present.map(async ({ user_name, mac_address, acct_session_id }) => {
        const { code: verdict } = await box.access({ user_name, password: user_name, calling_station_id: mac_address })
        expect(verdict).toBe(code.access_accept)
        // No Calling-Station-Id, no Class, no gigawords.
        await box.report({ user_name, acct_session_id, acct_status_type: status_type.start })
      }),
    )

    const [here, there] = [await signsIn(house.url, beside), await signsIn(theirs.url, away)]
    const measured = async (goesOn: () => boolean) => {
      const before = [here.took_ms.length, there.took_ms.length]
      while (goesOn()) {
        await Promise.all([here.comes(), there.comes()])
        await sleep(pause_ms)
      }
      return [p95(here.took_ms.slice(before[0])), p95(there.took_ms.slice(before[1]))] as const
    }
    // The first ones meet a node that has cached nothing.
    for (let n = 0; n < 3; n++) await Promise.all([here.comes(), there.comes()])
    const until = Date.now() + (full ? 20_000 : 4000)
    const alone = await measured(() => Date.now() < until)

    let isReporting = true
    let reports = 0
    const answered_ms: number[] = []
    const reporting = Promise.all(
      present.map(async ({ user_name, acct_session_id }, n) => {
        await sleep((every_ms * n) / guests)
        const began = Date.now()
        for (let round = 1; round <= rounds; round++) {
          await sleep(Math.max(0, began + (round - 1) * every_ms - Date.now()))
          const asked_at = performance.now()
          await box.report({
            user_name,
            acct_session_id,
            acct_status_type: status_type.interim,
            acct_session_time: round * 5,
            acct_input_octets: round * 1000 + n,
            acct_output_octets: round * 9000 + n,
          })
          answered_ms.push(performance.now() - asked_at)
          reports++
        }
      }),
    ).finally(() => (isReporting = false))
    const during = await measured(() => isReporting)
    await reporting

    const { rows } = await admin.query<{ sessions: number; up: string; down: string }>(
      `select count(*)::integer as sessions, sum(bytes_up)::text as up, sum(bytes_down)::text as down
       from radius_sessions where gateway_id = $1`,
      [firewall.id],
    )
    const sum = (per_round: number) => guests * rounds * per_round + (guests * (guests - 1)) / 2
    await Promise.all([box.close(), here.close(), there.close(), admin.end()])
    const shown = ([own, others]: readonly [number, number]) =>
      `${Math.round(own)} ms at the property and ${Math.round(others)} ms at another customer’s`
    task.meta.figures =
      `${reports} reports in ${(rounds * every_ms) / 1000} s, 95 % answered within ${Math.round(p95(answered_ms))} ms; ` +
      `95 % of whole sign-ins within ${shown(alone)} alone, ${shown(during)} meanwhile (${there.took_ms.length} each)`
    expect(rows).toEqual([{ sessions: guests, up: String(sum(1000)), down: String(sum(9000)) }])
    if (full) for (const [n, ms] of during.entries()) expect(ms).toBeLessThan(Math.max(4 * (alone[n] ?? 0), 250))
  },
)
