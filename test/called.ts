// Called: a Foyer with its portal, RADIUS and jobs, and properties whose guests come to the portal with what their boxes say, and are let
// in by a call, or fetched.
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import type { Input } from '#contract/endpoint.ts'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import type * as gateways from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import * as sessions from '#contract/sessions.ts'
import { openPage, signIn, type Page } from '#scripts/simulation/browser.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { controllerLane } from '#server/gateways/controller-state.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import type { SimulatedBox } from '#server/gateways/simulated.ts'
import { freePort } from '#server/start/free-port.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

export const patiently = { timeout: 20_000, interval: 100 }

export const said = ({ html }: Page) => html.querySelector('h2')?.text
export const refresh = ({ html }: Page) => html.querySelector('meta[http-equiv=refresh]')?.getAttribute('content')
export const reads = (page: () => Promise<Page>, title: string) =>
  vi.waitFor(async () => expect(said(await page())).toBe(title), patiently)

interface Opened {
  foyer: TestFoyer
  editor: Person
  ports: RadiusPorts
}

/** For the tests of a file. What is opened with `keep` is closed after each. */
export function withCalled(use: (opened: Opened) => void) {
  let foyer: TestFoyer
  let editor: Person
  const kept: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    const port = await freePort(1)
    const env = {
      ROLES: 'api,guest,radius,jobs',
      PORTAL_URL: `http://127.0.0.1:${port}`,
      ALLOWED_HOSTS: '127.0.0.1',
    }
    foyer = await openFoyer({ env })
    await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
    await foyer.guest?.listen({ host: '127.0.0.1', port })
    if (!foyer.radius) throw new Error('no role')
    const ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
    editor = await foyer.customer()
    use({ foyer, editor, ports })
  })
  afterEach(async () => {
    await Promise.all(kept.splice(0).map((one) => one.close()))
  })
  afterAll(() => foyer.close())

  function keep<O extends { close(): Promise<void> }>(one: O): O {
    kept.push(one)
    return one
  }

  /** A property whose guests come to the portal with what its box says. */
  async function siteOf(
    registered: Partial<Input<typeof gateways.create>> & { gateway_type_id: number },
    queryOf: (gateway: SimulatedBox, mac_address: string, portal_url: string) => string,
  ) {
    const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [authMethods.free] })
    const { id: package_id } = await foyer.package(editor, { speed_mbps: 20, volume_gb: 5, session_time_hrs: 1 })
    const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
    const mac_address = aMacAddress()
    const made = await foyer.gateway(editor, { property_id, mac_address, ...registered })
    const gateway = { ...made, mac_address }
    const come = async (mac = aMacAddress()) => {
      const page = await openPage(url + queryOf(gateway, mac, url))
      const answer = await signIn(page, { method: authMethods.free, typed: {} }, true)
      if ('page' in answer) throw new Error(answer.page.html.text)
      return { mac, page: () => openPage(answer.to.href) }
    }
    const online = async () => (await foyer.get(sessions.list, { params: { property_id } }, editor)).data
    return { gateway, property_id, package_id, portal_url: url, come, online }
  }

  async function problemOf(id: number) {
    const [row] = await foyer.query<{ problem: string | null; shown_fingerprint: string | null }>(
      'select problem, shown_fingerprint from gateway_controllers where gateway_id = $1',
      [id],
    )
    return row
  }
  async function lampsOf(id: number) {
    const { data } = await foyer.get(gatewayKinds.check, { id }, editor)
    const { lamps } = data
    return Object.fromEntries(lamps.map(({ key, state }) => [key, state]))
  }
  /** Has what waits for its time at a gateway tried now. */
  const hurry = async (gateway_id: number) => {
    await foyer.query("update due_work set next_at = now() where state = 'waiting' and lane = $1", [
      controllerLane(gateway_id),
    ])
  }
  /** As if they had been let in earlier. */
  async function age(gateway_id: number, minutes: number) {
    const by = `${minutes} minutes`
    await foyer.query(
      `update controller_grants set granted_at = granted_at - $2::interval, ends_at = ends_at - $2::interval where gateway_id = $1`,
      [gateway_id, by],
    )
    await foyer.query(`update radius_authorisations set created_at = created_at - $2::interval where gateway_id = $1`, [
      gateway_id,
      by,
    ])
  }
  return { keep, siteOf, problemOf, lampsOf, hurry, age }
}
