// Guest failures: real problems of guests, each with a failing sign-in over UDP, what the desk types to find it, the answer, and the
// call that fixes it.
import { endpointsOf, type Endpoint } from '#contract/endpoint.ts'
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import * as gateways from '#contract/gateways.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Holder } from '#server/admission/holders.ts'
import { makePass } from '#server/admission/passes.ts'
import { expect } from 'vitest'
import { code } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import type { RadiusRequest, TestGateway } from '#test/radius-client.ts'
import type { TestRadius } from '#test/radius.ts'

const endpoints = new Map(
  [accounts, devices, gateways, guestHelp, packages, properties, roomGuests, batches, vouchers].flatMap((module) =>
    endpointsOf(module).map(([, endpoint]): [string, Endpoint] => [endpoint.path, endpoint]),
  ),
)
export function endpointAt(path: string): Endpoint {
  const found = endpoints.get(path)
  if (!found) throw new Error(`a fix names ${path}`)
  return found
}

/** The part of a fix's answer that the guest needs. */
export interface Mended {
  id?: number
  password?: string | null
  radius_secret?: string
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** A new property with a gateway that sends requests, and the actions of the tests. */
export async function openSite(radius: TestRadius, values: Parameters<TestFoyer['property']>[1] = {}) {
  const { foyer, admin, editor } = radius
  const pack = await foyer.package(editor, {})
  const portal = await foyer.portal(editor, { auth_method_ids: [2, 3, 4] })
  const property = await foyer.property(editor, { package_id: pack.id, portal_id: portal.id, ...values })
  const { made, gateway } = await radius.gatewayAt(property.id)
  await admin.query(`update gateways set dns_name = 'hotspot.example' where id = $1`, [made.id])
  const caller = callerOfGateway({
    customer_id: editor.user.customer.id,
    id: made.id,
    property_id: property.id,
    name: 'box',
  })
  const at = {
    radius,
    foyer,
    admin,
    editor,
    property,
    made,
    gateway,
    /** A device tries to sign in; true if it is let in. No answer counts as a refusal. */
    async signIn(asked: RadiusRequest, by: TestGateway = gateway) {
      const packet = by.accessPacket({ calling_station_id: aMacAddress(), ...asked })
      const answer = await by.send(packet, radius.ports.access, 8000)
      return answer?.code === code.access_accept
    },
    async sql(text: string, ...values: unknown[]) {
      await admin.query(text, values)
    },
    async codeOf(batch_id: number | undefined) {
      const { data } = await foyer.get(vouchers.list, { params: { voucher_batch_id: batch_id ?? 0 } }, editor)
      return data[0]?.code ?? ''
    },
    async voucher(wifi: object = {}, values: object = {}) {
      const { id: package_id } = await foyer.package(editor, wifi)
      const batch = await foyer.voucherBatch(editor, { quantity: 1, property_id: property.id, package_id, ...values })
      return { batch, package_id, typed: await at.codeOf(batch.id) }
    },
    account: (values: object = {}) =>
      foyer.account(editor, {
        property_id: property.id,
        username: `guest-${aMacAddress()}`,
        password: 'right password',
        ...values,
      }),
    /** A guest known from a portal. */
    async guest(room_guest_id: number | null = null, email: string | null = null) {
      const { rows } = await admin.query<{ id: number }>(
        `insert into guests (customer_id, property_id, auth_method_id, room_guest_id, name, email)
         values ($1, $2, 4, $3, $4, $5) returning id`,
        [editor.user.customer.id, property.id, room_guest_id, room_guest_id === null ? null : 'From a room', email],
      )
      return rows[0]?.id ?? 0
    },
    async signInByPass(holder: Holder, mac = aMacAddress()) {
      const pass = await foyer.services.tenancy.enter(caller, 'write', (scope) =>
        makePass(scope, foyer.services.seal, { gateway_id: made.id, mac_address: mac, auth_method_id: 4, holder }),
      )
      return at.signIn({ user_name: pass.username, password: pass.password, calling_station_id: mac })
    },
    /** A guest fills in the portal's page, and the gateway then signs them in. */
    async signInOnPage(form: Record<string, string>) {
      const mac = aMacAddress()
      const answer = await foyer.guest?.inject({
        method: 'POST',
        url: `${new URL(portal.url).pathname}?nasid=${made.nas_identifier}&client_mac=${mac}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(form).toString(),
      })
      const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(answer?.body ?? '')?.[1] ?? ''
      const [user_name, password] = [hidden('username'), hidden('password')]
      return user_name !== '' && at.signIn({ user_name, password, calling_station_id: mac })
    },
    /** Waits for a row that is written after the answer. */
    async noted(table: string) {
      await expect
        .poll(async () => (await admin.query(`select from ${table} where property_id = $1`, [property.id])).rowCount)
        .toBeGreaterThan(0)
    },
    /** Brings a device online: it is admitted, and reported by the gateway. */
    async online(asked: RadiusRequest, mac = aMacAddress()) {
      const answer = await gateway.access({ calling_station_id: mac, ...asked })
      if (answer.code !== code.access_accept) throw new Error('it should have been let in')
      const known = answer.attributes.filter(({ type }) => type === 25).map(({ value }) => value)
      const report = { acct_status_type: 1, acct_session_id: mac.replaceAll(':', ''), calling_station_id: mac }
      await gateway.report({
        ...report,
        ...(asked.user_name !== undefined && { user_name: asked.user_name }),
        class: known,
      })
      return mac
    },
  }
  return at
}

/** One failure. `seed` creates it; `fixed` is the answer of the call that fixes it. */
export interface Failure {
  name: string
  seed: (at: Site) => Promise<{
    /** What is typed at the desk. */
    search: string
    /** True if the guest gets online. */
    tries: (fixed?: Mended) => Promise<boolean>
    /** Which of the subjects found; by default the first. */
    kind?: guestHelp.Kind
    /** The caller; by default a front desk of the customer. */
    asks?: Person
    /** What fixes it outside the product, if no call can. */
    remedy?: () => Promise<void>
  }>
  reason: string
  says: RegExp
  /** The fix by its label. */
  fix: RegExp
  /** The front desk may not do it. */
  editors?: true
}
