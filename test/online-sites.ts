// Online sites: properties of a Foyer with guests' pages, jobs and RADIUS over real UDP, each with a gateway that brings guests online.
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { redirectOf } from '#scripts/simulation/gateway-kinds.ts'
import { openSimulatedGateway, type SimulatedGateway } from '#scripts/simulation/gateway.ts'
import type { Holder } from '#scripts/simulation/site.ts'
import { connect } from '#server/db/logins.ts'
import type { Brought } from '#server/gateways/simulated.ts'
import { freePort } from '#server/start/free-port.ts'
import { aMacAddress, openFoyer, type TestFoyer } from '#test/foyer.ts'
import { codesOf } from '#test/voucher-codes.ts'

export const kinds = { generic: 13, mikroTik: 1, coovaChilli: 2 }
export const openNds = 3
export const host = 'hotspot.example'

export interface OnlineSites {
  foyer: TestFoyer
  admin: Client
  site: (gateway_type_id: number, values?: Parameters<TestFoyer['package']>[1]) => ReturnType<typeof openSite>
}

/** Call it at the top of a file; `opened` is called before its first test. */
export function openOnlineSites(opened: (sites: OnlineSites) => void) {
  let foyer: TestFoyer
  let admin: Client
  const gateways: SimulatedGateway[] = []
  beforeAll(async () => {
    const port = await freePort(1)
    foyer = await openFoyer({
      env: { ROLES: 'api,guest,radius,jobs', ALLOWED_HOSTS: '127.0.0.1', PORTAL_URL: `http://127.0.0.1:${port}` },
    })
    await foyer.guest?.listen({ host: '127.0.0.1', port })
    admin = await connect(foyer.database.adminUrl)
    opened({
      foyer,
      admin,
      async site(gateway_type_id, values = {}) {
        const made = await openSite({ foyer, admin, gateway_type_id, values })
        gateways.push(made.gateway)
        return made
      },
    })
  })
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()))
    await admin.end()
    await foyer.close()
  })
  // Each test has its own customer, and more sign up here than one address is allowed.
  beforeEach(() => admin.query('delete from rate_limits'))
}

interface SiteOptions {
  foyer: TestFoyer
  admin: Client
  gateway_type_id: number
  /** Limits of the package. */
  values: Parameters<TestFoyer['package']>[1]
}

/** A property with a portal, a batch of vouchers, and a gateway that uses RADIUS. */
async function openSite({ foyer, admin, gateway_type_id, values }: SiteOptions) {
  if (!foyer.radius) throw new Error('no role')
  const ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
  const editor = await foyer.customer()
  const { free, voucher, account, room, conference } = authMethods
  const auth_method_ids = [free, voucher, account, room, conference]
  const { id: portal_id, url } = await foyer.portal(editor, {
    auth_method_ids,
    redirect_url: 'https://lantern.example/',
  })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 2, volume_gb: 1, ...values })
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
  const mac_address = aMacAddress()
  const made = await foyer.gateway(editor, { property_id, gateway_type_id, mac_address, dns_name: host })
  const batch = await foyer.voucherBatch(editor, { property_id, package_id, quantity: 3 })
  const codes = await codesOf(admin, batch.id)
  const box = { ...made, gateway_type_id, mac_address }
  const gateway = await openSimulatedGateway(ports, { gateway: box })
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
  return {
    editor,
    property_id,
    url,
    box,
    gateway,
    vouchers: codes.map((voucher_code) => ({ method: voucher, typed: { voucher_code } })),
    /** What the guest's browser brings back to the gateway, and the gateway's verdict. */
    async signIn(holder: Holder, device = aMacAddress()) {
      const redirect = redirectOf({ gateway: box, mac_address: device, portal_url: url })
      const answer = await signIn(await openPage(url + redirect.query), holder, false)
      if ('page' in answer) throw new Error(answer.page.html.querySelector('[role=alert]')?.text ?? 'another page')
      const verdict = await gateway.admit(device, redirect.ask(answer.brought, answer.to))
      return { device, brought: answer.brought, asked: redirect.ask(answer.brought, answer.to), verdict }
    },
    async sessionOf(device: string) {
      const { rows: sessions } = await admin.query<{
        online: boolean
        termination_cause: string | null
        auth_method_id: number
      }>(
        `select stopped_at is null as online, termination_cause, auth_method_id from radius_sessions
         where property_id = $1 and mac_address = $2 order by id desc limit 1`,
        [property_id, device],
      )
      return sessions[0]
    },
  }
}

/** The page to which each kind of gateway sends the guest back. */
export const backIn = ({ userurl, dst, redir }: Brought) => userurl ?? dst ?? redir ?? ''
export const look = async (address: string) => (await openPage(address)).html
export const heading = async (address: string) => (await look(address)).querySelector('h2')?.text
/** Presses the button on the page; returns where that leads. */
export const signOut = async (address: string) => {
  const { status, headers } = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ sign_out: '1' }),
    redirect: 'manual',
  })
  expect(status).toBe(303)
  return new URL(headers.get('location') ?? '', address).href
}
