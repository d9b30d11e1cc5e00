// Online: the whole way of a guest over real UDP: a gateway's redirect, the page, the sign-in, and what RADIUS makes of the pass.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import { connect } from '#server/db/logins.ts'
import { code } from '#server/radius/dictionary.ts'
import { aMacAddress, openFoyer, type TestFoyer } from '#test/foyer.ts'
import { openGateway } from '#test/radius.ts'

const portal_url = 'http://guests.foyer.test'
let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api,guest,radius', PORTAL_URL: portal_url } })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

/** A property with a portal, and a gateway that asks RADIUS. */
async function site() {
  if (!foyer.radius) throw new Error('no role')
  const ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
  const editor = await foyer.customer()
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [1, 2] })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 2 })
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
  const made = await foyer.gateway(editor, { property_id, gateway_type_id: 13, dns_name: 'hotspot.example' })
  const batch = await foyer.voucherBatch(editor, { property_id, package_id, quantity: 1 })
  const { rows } = await admin.query<{ code: string }>('select code from vouchers where voucher_batch_id = $1', [
    batch.id,
  ])
  return {
    url,
    nas_identifier: made.nas_identifier,
    voucher_code: rows[0]?.code ?? '',
    gateway: await openGateway(ports, made),
  }
}
type Site = Awaited<ReturnType<typeof site>>

/** What the page gives the gateway for a guest who fills in the form. */
async function passOf({ url, nas_identifier }: Site, mac_address: string, form: Record<string, string>) {
  const answer = await foyer.guest?.inject({
    method: 'POST',
    url: `${url.replace(portal_url, '')}?nasid=${nas_identifier}&client_mac=${mac_address}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(answer?.body ?? '')?.[1] ?? ''
  return { user_name: hidden('username'), password: hidden('password') }
}

test('a guest gets online by voucher or freely, with a pass that is good once and for this device alone', async () => {
  const its = await site()
  try {
    const forms: Record<string, string>[] = [{ method: '2', voucher_code: its.voucher_code }, { method: '1' }]
    for (const form of forms) {
      const calling_station_id = aMacAddress()
      const pass = await passOf(its, calling_station_id, form)
      expect(pass.user_name).toMatch(/^pass-/)
      const stranger = await its.gateway.access({ ...pass, calling_station_id: aMacAddress() })
      expect(stranger.code).toBe(code.access_reject)
      const guest = await its.gateway.access({ ...pass, calling_station_id })
      expect(guest.code, form['method']).toBe(code.access_accept)
      const again = await its.gateway.access({ ...pass, calling_station_id })
      expect(again.code).toBe(code.access_reject)
    }
  } finally {
    await its.gateway.close()
  }
})
