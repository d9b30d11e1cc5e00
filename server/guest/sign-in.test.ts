// Signing in at a portal: from a gateway's redirect to the credentials for the gateway, for each kind; and who is refused.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as gateways from '#contract/gateways.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as portals from '#contract/portals.ts'
import { shown } from '#contract/vouchers.ts'
import { textsOf } from '#portal/languages.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import { aMacAddress, type TestFoyer } from '#test/foyer.ts'
import { waysToType } from '#test/typed-codes.ts'
import { openGuestPages, portal_url } from '#test/guest-pages.ts'
import { codesOf } from '#test/voucher-codes.ts'
import { expectRefused, nothingHere } from '#test/refused.ts'

const device = '02:00:00:00:00:02'
const host = 'hotspot.hotel.example'
const types = { mikroTik: 1, coovaChilli: 2, openNds: 3, generic: 13 }
const words = textsOf.en

let foyer: TestFoyer
let admin: Client
openGuestPages((pages) => ({ foyer, admin } = pages))

const ask = async (address: string, form?: Record<string, string>) => {
  const answer = await foyer.guest?.inject({
    method: form ? 'POST' : 'GET',
    url: address.replace(portal_url, ''),
    headers: { 'user-agent': 'Phone', ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(form && { payload: new URLSearchParams(form).toString() }),
  })
  if (!answer) throw new Error('there is no guest app')
  return answer
}
const rowsOf = async <R extends object>(text: string, ...values: unknown[]) => (await admin.query<R>(text, values)).rows

/** A property with a portal, a gateway of a kind and a batch of vouchers. */
async function place(gateway_type_id: number, portal: Parameters<TestFoyer['portal']>[1] = {}) {
  const editor = await foyer.customer()
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [1, 2], ...portal })
  const property = await foyer.property(editor, { name: 'The Lantern', portal_id })
  const gateway = await foyer.gateway(editor, { gateway_type_id, property_id: property.id, dns_name: host })
  const batch = await foyer.voucherBatch(editor, { property_id: property.id, quantity: 3 })
  const codes = await codesOf(admin, batch.id)
  return { editor, portal_id, url, property, gateway, batch, codes }
}
type Place = Awaited<ReturnType<typeof place>>

const generic = ({ url, gateway }: Place, mac = device) =>
  `${url}?nasid=${gateway.nas_identifier}&client_mac=${mac}&login_url=http://evil.example/login`

/** What each kind appends to the portal's address. */
const redirects: Record<number, (place: Place) => string> = {
  [types.generic]: generic,
  [types.mikroTik]: ({ url, gateway }) =>
    `${url}?mac=${device}&identity=${gateway.nas_identifier}&link-login-only=http://evil.example/login`,
  [types.coovaChilli]: ({ url, gateway }) => {
    const address =
      `${url}?res=notyet&uamip=10.1.0.1&uamport=3990&challenge=00112233445566778899aabbccddeeff` +
      `&called=02-00-00-00-00-01&mac=${device}&nasid=${gateway.nas_identifier}`
    const signature = createHash('md5').update(`${address}${gateway.radius_secret}`).digest('hex')
    return `${address}&md=${signature.toUpperCase()}`
  },
  [types.openNds]: ({ url, gateway }) => {
    const fas = `hid=d9b3fcb8a1c2, clientmac=${device}, gatewayname=${gateway.nas_identifier}, originurl=x`
    return `${url}?fas=${encodeURIComponent(Buffer.from(fas).toString('base64'))}`
  },
}

describe.each(Object.entries(types))('%s', (_name, gateway_type_id) => {
  test('a guest with a voucher is sent to the gateway with a pass for this gateway and device, and without the code', async () => {
    const its = await place(gateway_type_id)
    const address = redirects[gateway_type_id]?.(its) ?? ''
    const page = await ask(address)
    expect(page.body).toContain('The Lantern')
    expect(page.body).toContain('name="voucher_code"')
    expect(page.body).not.toContain('disabled=""')

    const code = its.codes[0] ?? ''
    const answer = await ask(address, { method: '2', voucher_code: shown(code).toLowerCase() })
    const [pass] = await rowsOf<{ username: string; gateway_id: number; mac_address: string; voucher: string }>(
      `select p.username, p.gateway_id, p.mac_address::text, k.last_four as voucher, p.used_at from access_passes p
       join voucher_codes k on k.voucher_id = p.voucher_id
       where p.gateway_id = $1 and p.expires_at between now() and now() + interval '90 seconds'`,
      its.gateway.id,
    )
    expect(pass).toMatchObject({ mac_address: device, voucher: code.slice(-4), used_at: null })
    const { location = '' } = answer.headers
    if (answer.statusCode === 303) expect(new URL(location).hostname).toBe(host)
    else {
      expect(answer.body).toContain(`action="http://${host}/login"`)
      expect(answer.body).toContain(`value="${pass?.username}"`)
      expect(answer.headers['content-security-policy']).toContain(
        `form-action 'self' http://${host}:* https://${host}:*`,
      )
    }
    expect(`${answer.body} ${location}`).not.toContain(code)
    expect(`${answer.body} ${location}`).not.toContain('evil.example')
  })
})

test('a code is accepted however it is typed', async () => {
  const its = await place(types.generic)
  for (const voucher_code of waysToType(its.codes[0] ?? '')) {
    const { body } = await ask(generic(its), { method: '2', voucher_code })
    expect([voucher_code, body.includes('name="username" value="pass-')]).toEqual([voucher_code, true])
  }
})

describe('a redirect that is refused', () => {
  const expectUnregistered = async (address: string) => {
    for (const answer of [await ask(address), await ask(address, { method: '1' })]) {
      expect(answer.body).toContain(words.unregistered_title)
      expect(answer.body).not.toContain('<form')
    }
  }

  test("names another customer's gateway, a disabled one, or none", async () => {
    const [here, elsewhere] = [await place(types.generic), await place(types.generic)]
    await expectUnregistered(generic({ ...here, gateway: elsewhere.gateway }))
    await expectUnregistered(`${here.url}?nasid=unknown&client_mac=${device}`)
    await admin.query('update gateways set active = false where id = $1', [here.gateway.id])
    await expectUnregistered(generic(here))
  })

  test('is of another kind than the gateway, names no device, or is not signed by its secret', async () => {
    const coova = await place(types.coovaChilli)
    await expectUnregistered(generic(coova))
    await expectUnregistered((redirects[types.coovaChilli]?.(coova) ?? '').replace('3990', '3991'))
    const plain = await place(types.generic)
    await expectUnregistered(generic(plain, 'nothing'))
  })

  test('comes in a way that is not supported: the guest is in the network, and is not asked to join it', async () => {
    const { url, editor, property } = await place(types.generic)
    const redirects_of_makes = {
      Ruckus: 'nbiIP=10.0.0.2&sip=10.0.0.2&mac=02000000000c&client_mac=ENC1234&uip=ENC5678&url=x&ssid=Guests',
      pfSense: 'zone=guests&redirurl=x',
    }
    for (const query of Object.values(redirects_of_makes)) await expectUnregistered(`${url}?${query}`)
    const listed = async () => (await foyer.get(gateways.unregistered, { property_id: property.id }, editor)).data
    await expect.poll(async () => (await listed()).length).toBe(2)
    expect(Object.fromEntries((await listed()).map(({ make, why }) => [make?.name, why]))).toEqual(
      Object.fromEntries(Object.keys(redirects_of_makes).map((name) => [name, 'not_served'])),
    )
  })

  test('is listed with the unregistered gateways, with the reason, until that is fixed; the guest’s address is not stored', async () => {
    const [elsewhere, named] = [await place(types.generic), `new-box-${process.pid}`]
    const coova = await place(types.coovaChilli)
    const { editor, property, gateway, url } = coova
    await expectUnregistered(generic(coova))
    await expectUnregistered((redirects[types.coovaChilli]?.(coova) ?? '').replace('3990', '3991'))
    await expectUnregistered(generic({ ...coova, gateway: { ...gateway, nas_identifier: named } }))
    const listed = async (of = coova) =>
      (await foyer.get(gateways.unregistered, { property_id: of.property.id }, of.editor)).data
        .map(({ why, nas_identifier, gateway: meant, make, address }) => [
          why,
          nas_identifier,
          meant?.id,
          make?.id,
          address,
        ])
        .toSorted(([one], [other]) => String(one).localeCompare(String(other)))
    const { nas_identifier, id } = gateway
    await expect
      .poll(() => listed())
      .toEqual([
        ['not_genuine', nas_identifier, id, types.coovaChilli, null],
        ['other_kind', nas_identifier, id, types.generic, null],
        ['unknown', named, undefined, types.generic, null],
      ])
    expect(await listed(elsewhere)).toEqual([])

    await foyer.get(
      gateways.create,
      { property_id: property.id, gateway_type_id: types.generic, nas_identifier: named },
      editor,
    )
    await foyer.get(gateways.makeSecret, { id }, editor)
    await foyer.get(gateways.update, { id, gateway_type_id: types.generic }, editor)
    expect(await listed()).toEqual([])
    expect((await ask(generic({ ...coova, url }))).body).toContain('name="voucher_code"')
  })

  test('says neither its name nor a MAC address: it is told apart by its host, or by a pseudonym of where its guests are', async () => {
    await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
    const { url, property, editor } = await place(types.generic)
    const listed = async () =>
      (await foyer.get(gateways.unregistered, { property_id: property.id }, editor)).data.map((one) => ({
        make: one.make?.name,
        name: one.nas_identifier,
        host: one.host,
        address: one.address,
        mark: one.mark,
      }))
    const huawei = (host: string) => `${url}?userip=10.1.1.20&usermac=020000000002&url=http://${host}:8000`
    await expectUnregistered(huawei('10.9.0.1'))
    await expectUnregistered(huawei('10.9.0.2'))
    const sealed = `${url}?fas=${Buffer.from(Buffer.from('anything').toString('base64')).toString('base64')}&iv=0123456789abcdef`
    for (const _ of [1, 2]) await expectUnregistered(sealed)
    await expect.poll(async () => (await listed()).length).toBe(3)
    const rows = await listed()
    expect(
      rows
        .filter(({ make }) => make === 'Huawei')
        .map(({ host }) => host)
        .toSorted((one, other) => String(one).localeCompare(String(other))),
    ).toEqual(['10.9.0.1', '10.9.0.2'])
    expect(rows.every(({ name, address }) => name === null && address === null)).toBe(true)
    expect(rows.find(({ make }) => make === 'openNDS')?.mark).toMatch(/^[0-9a-f]{6}$/)
    expect(JSON.stringify(rows)).not.toContain('127.0.0.1')

    // Registered by its host, one of them is known.
    await foyer.get(gateways.create, { property_id: property.id, gateway_type_id: 18, ip_address: '10.9.0.1' }, editor)
    expect((await listed()).map(({ host }) => host)).not.toContain('10.9.0.1')
    // The other is seen again once its gateway is registered and has sent somebody.
    const made = await foyer.get(gateways.create, { property_id: property.id, gateway_type_id: 3 }, editor)
    expect((await listed()).map(({ make }) => make)).toContain('openNDS')
    await admin.query('update gateways set last_seen_at = now() where id = $1', [made.data.id])
    expect((await listed()).map(({ make }) => make)).not.toContain('openNDS')
  })

  test('is recorded only a few times, even if somebody invents them', async () => {
    const { url, property, editor } = await place(types.generic)
    const listed = async () =>
      (await foyer.get(gateways.unregistered, { property_id: property.id }, editor)).data.length
    for (let made_up = 1; made_up <= 12; made_up++) {
      await ask(`${url}?nasid=made-up-${made_up}&client_mac=${device}`)
      await expect.poll(listed).toBe(Math.min(made_up, 10))
    }
  })

  test('goes to a portal for registered devices, which says so', async () => {
    const page = await ask(generic(await place(types.generic, { auth_method_ids: [8] })))
    expect(page.body).toContain(words.known_devices_only)
    expect(page.body).not.toContain('<input')
  })

  test('goes to a portal that is not active, or names no gateway', async () => {
    const its = await place(types.generic)
    await foyer.get(portals.deactivate, { ids: [its.portal_id] }, its.editor)
    expectRefused(await ask(generic(its), { method: '1' }), nothingHere)
    expectRefused(await ask(its.url, { method: '1' }), nothingHere)
  })
})

describe('what is refused', () => {
  let its: Place
  beforeAll(async () => void (its = await place(types.generic)))
  const submit = async (form: Record<string, string>) => (await ask(generic(its), form)).body
  const attempts = async () =>
    (
      await rowsOf<{ reason: string }>(
        'select reason from radius_authorisations where gateway_id = $1 order by id',
        its.gateway.id,
      )
    ).map(({ reason }) => reason)

  test('is an unknown code, with a sentence, recorded as an attempt, and shown again in the form', async () => {
    const body = await submit({ method: '2', voucher_code: '"><b>ABCD' })
    expect(body).toContain(words.refused.unknown)
    expect(body).toContain('value="&quot;&gt;&lt;b&gt;ABCD"')
    expect(await attempts()).toEqual(['unknown_user'])
  })

  test('is answered with the way that was tried, and with nothing that was typed for another', async () => {
    const other = await place(types.generic, { auth_method_ids: [1, 2, 3] })
    const typed = { voucher_code: 'ABCD', username: 'ada', password: 'secret' }
    const { body } = await ask(generic(other), { ...typed, method: '1', opened_with: '1' })
    expect(body).toContain(words.refused.unknown)
    expect(body).toContain('name="opened_with" value="2"')
    expect(body).toMatch(/aria-invalid="true"[^>]*name="voucher_code" value="ABCD"/)
    for (const kept of ['ada', 'secret']) expect(body).not.toContain(`value="${kept}"`)
    // Who chooses another way now is taken at their word.
    const chosen = { voucher_code: 'ABCD', method: '1', opened_with: '2' }
    expect((await ask(generic(other), chosen)).body).toContain('id="hand-over"')
  })

  test('is a code with a password: its field is open again, empty, and marked', async () => {
    const body = await submit({ method: '2', voucher_code: 'ABCD', voucher_password: 'secret' })
    expect(body).toContain('<details class="more" open="">')
    expect(body).toMatch(/<input type="password"[^>]*aria-invalid="true"[^>]*autofocus=""[^>]*name="voucher_password"/)
    expect(body).not.toContain('secret')
    expect(await submit({ method: '2', voucher_code: 'ABCD' })).not.toMatch(/<details class="more" open="">/)
  })

  test('is an incomplete form', async () => {
    const lacking: Record<string, string>[] = [
      {},
      { method: '9' },
      { method: '4' },
      { method: '2' },
      { method: '2', voucher_code: ' ' },
    ]
    for (const form of lacking) expect(await submit(form)).toContain(words.refused.incomplete)
  })

  test('is a voucher of another property, with the same sentence as an unknown one', async () => {
    const elsewhere = await place(types.generic)
    expect(await submit({ method: '2', voucher_code: elsewhere.codes[0] ?? '' })).toContain(words.refused.unknown)
  })

  test('is a voucher of a disabled batch', async () => {
    await foyer.get(batches.deactivate, { ids: [its.batch.id] }, its.editor)
    expect(await submit({ method: '2', voucher_code: its.codes[0] ?? '' })).toContain(words.refused.disabled)
    expect(await attempts()).toContain('batch_disabled')
  })

  test('is a device that tries too often', async () => {
    const other = await place(types.generic)
    for (let count = 0; count < 10; count++)
      expect((await ask(generic(other), { method: '2', voucher_code: `ABCDEFGH${count}` })).body).toContain(
        words.refused.unknown,
      )
    const right = { method: '2', voucher_code: other.codes[0] ?? '' }
    expect((await ask(generic(other), right)).body).toContain(words.refused.too_often)
    expect((await ask(generic(other, '02:00:00:00:00:03'), { method: '1' })).statusCode).toBe(200)
  })
})

test('who is online already, at a gateway that has no page for it, is not offered to sign out, and is not asked to sign in', async () => {
  await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
  const its = await place(types.generic)
  const mac_address = aMacAddress()
  const cisco = { gateway_type_id: 14, property_id: its.property.id, dns_name: host, mac_address }
  await foyer.gateway(its.editor, cisco)
  const address = `${its.url}?switch_url=https://${host}/login.html&ap_mac=${mac_address}&client_mac=${device}&statusCode=1`
  for (const { body } of [await ask(address), await ask(address, { sign_out: '1' })]) {
    expect(body).toContain(words.online_title)
    expect(body).not.toContain('<form')
  }
})

test('a guest whom the gateway sent back reads why', async () => {
  const its = await place(types.generic)
  const refused = `${generic(its)}&error=rejected`
  expect((await ask(refused)).body).toContain(words.refused.failed)
  await admin.query(
    `insert into radius_authorisations (customer_id, gateway_id, property_id, mac_address, accepted, reason)
     select customer_id, id, property_id, $2, false, 'device_limit' from gateways where id = $1`,
    [its.gateway.id, device],
  )
  expect((await ask(refused)).body).toContain(words.refused.too_many_devices)
})

describe('free access', () => {
  const consents = (its: Place) =>
    rowsOf<{ purpose: string; wording: string }>(
      `select purpose, wording, method, language, mac_address::text, user_agent from consent_records
       where gateway_id = $1 order by id`,
      its.gateway.id,
    )
  const guests = ({ property }: Place) =>
    rowsOf<{ visits: number }>('select visits from guests where property_id = $1', property.id)

  test('asks only for the terms, whose wording is stored once; marketing only if it was ticked', async () => {
    const its = await place(types.generic, { terms: 'Be kind.', marketing_text: 'Send me offers' })
    expect((await ask(generic(its), { method: '1' })).body).toContain(words.refused.terms)
    expect((await ask(generic(its), { method: '1', terms: '0' })).body).toContain(words.refused.terms)
    expect(await guests(its)).toEqual([])
    for (let visit = 0; visit < 2; visit++)
      expect((await ask(generic(its), { method: '1', terms: '1' })).body).toContain('id="hand-over"')
    const terms = {
      purpose: 'terms',
      wording: 'Be kind.',
      method: 'checkbox',
      language: 'en',
      mac_address: device,
      user_agent: 'Phone',
    }
    expect(await consents(its)).toEqual([terms])
    await ask(generic(its), { method: '1', terms: '1', marketing: '1' })
    expect(await consents(its)).toEqual([terms, { ...terms, purpose: 'marketing_email', wording: 'Send me offers' }])
    expect(await guests(its)).toEqual([{ visits: 3 }])
  })
})

test('the language can be changed without losing the gateway’s parameters', async () => {
  const its = await place(types.coovaChilli)
  const address = redirects[types.coovaChilli]?.(its) ?? ''
  const { body } = await ask(address)
  const link = (/href="(\?[^"]*lang=de)"/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&')
  const page = await ask(`${its.url}${link}`)
  expect(page.body).toContain('<html lang="de" dir="ltr">')
  expect(page.body).toContain('name="voucher_code"')
  // Some gateways write the address that was wanted as it is.
  const { gateway, url } = await place(types.generic)
  const wanted = `?orig_url=http://shop.example/?id=7&nasid=${gateway.nas_identifier}&client_mac=${device}`
  const [, raw = ''] = /href="(\?[^"]*lang=de)"/.exec((await ask(url + wanted)).body) ?? []
  expect(raw.replaceAll('&amp;', '&')).toBe(`${wanted}&lang=de`)
})

test('a gateway that is known by an IPv6 address alone is handed its guests', async () => {
  const its = await place(types.generic)
  await foyer.get(gateways.update, { id: its.gateway.id, dns_name: null, ip_address: 'fd00::1' }, its.editor)
  const { body, headers } = await ask(generic(its), { method: '1' })
  expect(body).toContain('action="http://[fd00::1]/login"')
  expect(headers['content-security-policy']).toContain("form-action 'self' http: https:;")
})

test('the page that sends guests to the gateway runs its one script, and nothing else', async () => {
  const its = await place(types.generic)
  const { body, headers } = await ask(generic(its), { method: '1' })
  const script = /<script>([^<]*)<\/script>/.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  expect(headers['content-security-policy']).toContain(`script-src 'sha256-${hash}';`)
  expect((await ask(generic(its))).headers['content-security-policy']).not.toContain('script-src')
  expect(headers['set-cookie']).toBeUndefined()
})
