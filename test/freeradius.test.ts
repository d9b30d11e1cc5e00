// FreeRADIUS in front of Foyer: Debian's FreeRADIUS with the configuration in deploy/freeradius, tested with `radclient`.
import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as gateways from '#contract/gateways.ts'
import { attemptReasons } from '#contract/sign-in-attempts.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { makePass } from '#server/admission/passes.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { connect } from '#server/db/logins.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import { kinds } from '#server/gateways/kinds.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { waysToType } from '#test/typed-codes.ts'
import {
  attributesKnown,
  missing,
  openFreeradius,
  radclient,
  type RadiusReply,
  type TestFreeradius,
} from '#test/freeradius.ts'
import { codesOf } from '#test/voucher-codes.ts'

const foyer_token = randomBytes(32).toString('hex')
let foyer: TestFoyer
let admin: Client
let editor: Person
let freeradius: TestFreeradius
let foyer_url: string
beforeAll(async () => {
  if (missing) return
  foyer = await openFoyer({
    env: { ROLES: 'api,radius', RADIUS_HTTP_PORT: '3799', RADIUS_HTTP_TOKEN: foyer_token },
  })
  await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
  foyer_url = (await foyer.radius?.http?.listen({ host: '127.0.0.1', port: 0 })) ?? ''
  freeradius = await openFreeradius({ foyer_url, foyer_token })
})
afterAll(async () => {
  if (missing) return
  await freeradius.close()
  await admin.end()
  await foyer.close()
})

let sites = 0
/** A property with a gateway that has its own address, since FreeRADIUS distinguishes gateways by it. */
async function site(values: Partial<Parameters<TestFoyer['gateway']>[1]> = {}) {
  const from = `127.0.7.${++sites}`
  const property = await foyer.property(editor)
  const made = await foyer.gateway(editor, {
    property_id: property.id,
    gateway_type_id: 13,
    ip_address: from,
    ...values,
  })
  const known = { secret: made.radius_secret, from }
  const signed = { 'Message-Authenticator': '0x00', 'NAS-Identifier': made.nas_identifier }
  return {
    property,
    made,
    access: (asked: Record<string, string | number>, patience = {}) =>
      radclient({ ...known, port: freeradius.ports.access }, 'auth', { ...signed, ...asked }, patience),
    unsigned: (asked: Record<string, string | number>, patience = {}) =>
      radclient({ ...known, port: freeradius.ports.access }, 'auth', asked, patience),
    report: (attributes: Record<string, string | number>, patience = {}) =>
      radclient(
        { ...known, port: freeradius.ports.accounting },
        'acct',
        { 'NAS-Identifier': made.nas_identifier, ...attributes },
        patience,
      ),
  }
}

async function voucher(property_id: number, wifi: object = {}) {
  const { id: package_id } = await foyer.package(editor, wifi)
  const batch = await foyer.voucherBatch(editor, { quantity: 1, property_id, package_id })
  const [code = ''] = await codesOf(admin, batch.id)
  return code
}
async function accountAt(property_id: number, values: object = {}) {
  const password = 'sécret "100%{User-Name}" and longer than 16'
  await foyer.account(editor, { property_id, username: 'Amelia', password, ...values })
  // In the notation of radclient.
  return { 'User-Name': 'amelia', written: password }
}
const accepted = (reply: RadiusReply) => reply.kind === 'Access-Accept'
/** A single attempt for one second, much longer than an answer takes; a real gateway would repeat its request. */
const once = { tries: 1, patience_s: 1 }

describe.skipIf(missing)(`FreeRADIUS${missing && ` is ${missing}`}`, () => {
  test('a voucher is accepted with the limits of its package, and the answer is signed first', async () => {
    const { property, access } = await site()
    const code = await voucher(property.id, { session_time_hrs: 2, speed_mbps: 20, idle_timeout_hrs: 1 })
    const reply = await access({ 'User-Name': code, 'User-Password': code, 'Calling-Station-Id': aMacAddress() })
    expect(reply.kind).toBe('Access-Accept')
    expect(reply.attributes[0]).toMatch(/^Message-Authenticator = 0x[0-9a-f]{32}$/)
    expect(reply.attributes.slice(1).toSorted()).toEqual([
      'Acct-Interim-Interval = 300',
      expect.stringMatching(/^Class = 0x/),
      'Idle-Timeout = 3600',
      'Session-Timeout = 7200',
      'WISPr-Bandwidth-Max-Down = 20000000',
      'WISPr-Bandwidth-Max-Up = 20000000',
    ])
  })

  test('EAP is refused with an EAP failure, and does not count as a guess; a status is answered on both ports', async () => {
    const { property, access, made } = await site()
    const { written, ...asked } = await accountAt(property.id)
    const device = { 'Calling-Station-Id': aMacAddress() }
    for (let tried = 1; tried <= 11; tried++) {
      const reply = await access({ ...asked, ...device, 'EAP-Message': '0x0207000b01616d656c6961' })
      expect([reply.kind, reply.attributes.includes('EAP-Message = 0x04070004')]).toEqual(['Access-Reject', true])
    }
    expect(accepted(await access({ ...asked, ...device, 'User-Password': written }))).toBe(true)
    const { ip_address: from, radius_secret: secret } = made
    const status = (port: number) =>
      radclient({ secret, from: from ?? '', port }, 'status', { 'Message-Authenticator': '0x00' })
    expect((await status(freeradius.ports.access)).kind).toBe('Access-Accept')
    expect((await status(freeradius.ports.accounting)).kind).toBe('Accounting-Response')
  })

  test('a code is accepted however it is typed, as name and as password', async () => {
    const { property, access } = await site()
    const code = await voucher(property.id)
    const asked = { 'Calling-Station-Id': aMacAddress() }
    for (const typed of waysToType(code)) {
      const reply = await access({ ...asked, 'User-Name': typed, 'User-Password': typed })
      expect([typed, reply.kind]).toEqual([typed, 'Access-Accept'])
    }
    const proof = { 'User-Name': code.toLowerCase(), 'CHAP-Password': code.toLowerCase() }
    expect(accepted(await access({ ...asked, ...proof }))).toBe(true)
  })

  test('MikroTik and CoovaChilli get their own attributes', async () => {
    const wifi = { volume_gb: 5, speed_mbps: 20 }
    const mikrotik = await site({ gateway_type_id: 1 })
    const asked = { 'Calling-Station-Id': aMacAddress() }
    const router = await mikrotik.access({ ...asked, 'User-Name': await voucher(mikrotik.property.id, wifi) })
    expect(router.attributes).toContain('Mikrotik-Rate-Limit = "20000k/20000k"')
    expect(router.attributes).toContain('Mikrotik-Total-Limit = 705032704')
    expect(router.attributes).toContain('Mikrotik-Total-Limit-Gigawords = 1')
    const chilli = await site({ gateway_type_id: 2 })
    const box = await chilli.access({ ...asked, 'User-Name': await voucher(chilli.property.id, wifi) })
    expect(box.attributes).toContain('ChilliSpot-Max-Total-Octets = 705032704')
    // radclient has no name for the upper half of the volume; it is defined in the dictionary of deploy/freeradius.
    expect(box.attributes).toContain('Attr-26.14559.23 = 0x00000001')
    expect(box.attributes).toContain('ChilliSpot-Bandwidth-Max-Up = 20000')
  })

  test('each attribute of a make has its name at FreeRADIUS, which leaves out what it does not know', () => {
    const known = attributesKnown()
    const types = { number: 'integer', text: 'string' }
    const told = kinds.flatMap(({ radius }) => Object.values(radius?.dictionary ?? {}))
    for (const { name, vendor, type, holds } of told)
      expect([name, known.get(name)]).toEqual([name, `${vendor} ${type} ${types[holds]}`])
  })

  test('Nomadix gets its volume, and Omada its speed', async () => {
    const wifi = { volume_gb: 5, speed_mbps: 20 }
    const asked = { 'Calling-Station-Id': aMacAddress() }
    // radclient has no names for these: they are defined in the dictionary of deploy/freeradius.
    const nomadix = await site({ gateway_type_id: 10 })
    const box = await nomadix.access({ ...asked, 'User-Name': await voucher(nomadix.property.id, wifi) })
    expect(box.attributes).toContain('Attr-26.3309.28 = 0x2a05f200')
    expect(box.attributes).toContain('Attr-26.3309.29 = 0x00000001')
    const omada = await site({ gateway_type_id: 5 })
    const controller = await omada.access({ ...asked, 'User-Name': await voucher(omada.property.id, wifi) })
    expect(controller.attributes).toContain('Attr-26.11863.1 = 0x00004e20')
    expect(controller.attributes).toContain('Attr-26.11863.2 = 0x00004e20')
  })

  test('a Cisco controller with central web authentication is told where to send whoever is unknown, in two attributes', async () => {
    const { property, made, access, report } = await site({ gateway_type_id: 14, settings: { redirect_acl: 'GUESTS' } })
    const { id: portal_id } = await foyer.portal(editor, { auth_method_ids: [1] })
    await admin.query('update properties set portal_id = $2 where id = $1', [property.id, portal_id])
    const mac = aMacAddress()
    const asked = {
      'User-Name': mac.replaceAll(':', ''),
      'User-Password': mac.replaceAll(':', ''),
      'Calling-Station-Id': mac.replaceAll(':', '-'),
      'Service-Type': 'Call-Check',
      'Cisco-AVPair': 'audit-session-id=0A0A0A0A0000000CE3A9F1B2',
    }
    const limited = await access(asked)
    expect(limited.kind).toBe('Access-Accept')
    expect(limited.attributes).toContain('Session-Timeout = 3600')
    const pairs = limited.attributes.filter((line) => line.startsWith('Cisco-AVPair'))
    expect(pairs).toEqual([
      'Cisco-AVPair = "url-redirect-acl=GUESTS"',
      expect.stringMatching(
        new RegExp(
          String.raw`^Cisco-AVPair = "url-redirect=http.+/p/\w+\?cwa=[\w-]{27}&sid=0A0A0A0A0000000CE3A9F1B2&mac=[\w-]+&nas=`,
        ),
      ),
    ])
    const mark = limited.attributes.find((line) => line.startsWith('Class = '))?.slice('Class = '.length) ?? ''
    const { 'Service-Type': _, 'User-Password': _password, ...named } = asked
    const start = { ...named, Class: mark, 'Acct-Status-Type': 'Start', 'Acct-Session-Id': 'a1' }
    expect((await report(start)).kind).toBe('Accounting-Response')
    const { rows } = await admin.query(
      `select (select count(*)::integer from radius_sessions where gateway_id = $1) as sessions,
        (select count(*)::integer from radius_authorisations where gateway_id = $1) as attempts`,
      [made.id],
    )
    expect(rows).toEqual([{ sessions: 0, attempts: 0 }])
    // Without the service type of such a question it is refused as any unknown device.
    const { 'Service-Type': _type, ...plain } = asked
    expect((await access(plain)).kind).toBe('Access-Reject')
    // Whoever is known is let in, and their session bears the controller's name.
    await foyer.device(editor, { property_id: property.id, mac_address: mac })
    const accept = await access(asked)
    expect(accept.attributes.filter((line) => line.startsWith('Cisco-AVPair'))).toEqual([])
    const theirs = accept.attributes.find((line) => line.startsWith('Class = '))?.slice('Class = '.length) ?? ''
    expect((await report({ ...start, Class: theirs })).kind).toBe('Accounting-Response')
    const sessions = await admin.query(
      'select box_session, device_id is not null as known from radius_sessions where gateway_id = $1',
      [made.id],
    )
    expect(sessions.rows).toEqual([{ box_session: '0A0A0A0A0000000CE3A9F1B2', known: true }])
  })

  test('an account signs in by PAP and by CHAP; a refusal says why', async () => {
    const { property, access } = await site()
    const { written, ...name } = await accountAt(property.id)
    const asked = { ...name, 'Calling-Station-Id': aMacAddress() }
    expect(accepted(await access({ ...asked, 'User-Password': written }))).toBe(true)
    expect(accepted(await access({ ...asked, 'CHAP-Password': written }))).toBe(true)
    const wrongs: Record<string, string>[] = [{ 'User-Password': 'guess' }, { 'CHAP-Password': 'guess' }, {}]
    for (const wrong of wrongs) {
      const refused = await access({ ...asked, ...wrong })
      expect(refused.kind).toBe('Access-Reject')
      expect(refused.attributes).toEqual([
        expect.stringMatching(/^Message-Authenticator/),
        `Reply-Message = "${attemptReasons.wrong_password}"`,
      ])
    }
    const unknown = await access({ ...asked, 'User-Name': 'nobody', 'User-Password': 'guess' })
    expect(unknown.attributes[1]).toBe(`Reply-Message = "${attemptReasons.unknown_user}"`)
  })

  test('a device is recognised by its MAC address, and a pass of the portal lets one device in', async () => {
    const { property, made, access } = await site()
    const mac_address = aMacAddress()
    await foyer.device(editor, { property_id: property.id, mac_address })
    const shown = mac_address.replaceAll(':', '-').toUpperCase()
    const device = { 'User-Name': shown, 'User-Password': shown, 'Calling-Station-Id': shown }
    expect(accepted(await access(device))).toBe(true)

    const { customer_id, id } = (
      await admin.query<{ customer_id: number; id: number }>(
        `insert into guests (customer_id, property_id, name) select customer_id, id, 'Guest' from properties where id = $1
         returning customer_id, id`,
        [property.id],
      )
    ).rows[0] ?? { customer_id: 0, id: 0 }
    const caller = callerOfGateway({ ...made, customer_id })
    const pass = await foyer.services.tenancy.enter(caller, 'write', (scope) =>
      makePass(scope, foyer.services.seal, {
        gateway_id: made.id,
        mac_address: null,
        auth_method_id: 1,
        holder: { kind: 'guest', id },
      }),
    )
    const guest = {
      'User-Name': pass.username,
      'User-Password': pass.password,
      'Calling-Station-Id': aMacAddress(),
    }
    expect(accepted(await access(guest))).toBe(true)
    // A gateway that asks again at once has missed the answer.
    expect(accepted(await access({ ...guest, 'NAS-Port': 2 }))).toBe(true)
    expect(accepted(await access({ ...guest, 'Calling-Station-Id': aMacAddress() }))).toBe(false)
  })

  test('reports are stored with their sums, at the times of the gateway', async () => {
    const { property, access, report } = await site()
    const { written, ...name } = await accountAt(property.id)
    const device = { ...name, 'Calling-Station-Id': aMacAddress() }
    const let_in = await access({ ...device, 'User-Password': written })
    const mark = let_in.attributes.find((line) => line.startsWith('Class = '))?.slice('Class = '.length) ?? ''
    // A session cannot have begun before its Accept.
    await admin.query(`update radius_authorisations set created_at = created_at - interval '1 hour'
      where id = (select max(id) from radius_authorisations)`)
    const began_at = Math.floor(Date.now() / 1000) - 1200
    const session = { ...device, Class: mark, 'Acct-Session-Id': 'f-1', 'Framed-IP-Address': '10.1.0.2' }
    const later = (seconds: number) => ({ ...session, 'Event-Timestamp': began_at + seconds })
    // A prompt report shows the gateway's clock; without one, delayed reports would look like those of a slow clock.
    const shown = { ...name, 'Acct-Session-Id': 'f-0', 'Calling-Station-Id': aMacAddress() }
    await report({ ...shown, 'Acct-Status-Type': 'Start', 'Event-Timestamp': began_at + 1200 })
    const reports: Record<string, string | number>[] = [
      { ...later(0), 'Acct-Status-Type': 'Start' },
      {
        ...later(600),
        'Acct-Status-Type': 'Interim-Update',
        'Acct-Session-Time': 600,
        'Acct-Input-Octets': 1000,
        'Acct-Output-Octets': 4_000_000_000,
      },
      {
        ...later(900),
        'Acct-Status-Type': 'Stop',
        'Acct-Session-Time': 900,
        'Acct-Input-Octets': 2000,
        'Acct-Output-Octets': 1000,
        'Acct-Input-Gigawords': 0,
        'Acct-Output-Gigawords': 1,
        'Acct-Terminate-Cause': 'User-Request',
      },
    ]
    for (const attributes of [...reports, ...reports])
      expect((await report(attributes)).kind).toBe('Accounting-Response')
    const { rows } = await admin.query(
      `select acct_session_id, seconds, bytes_up::float8 as up, bytes_down::float8 as down, termination_cause, host(ip) as ip,
         account_id is not null as known, extract(epoch from started_at)::float8 as started,
         extract(epoch from stopped_at)::float8 as stopped
       from radius_sessions where property_id = $1 and acct_session_id = 'f-1'`,
      [property.id],
    )
    const { started, stopped, ...sums } = rows[0]
    expect([sums, ...rows.slice(1)]).toEqual([
      {
        acct_session_id: 'f-1',
        seconds: 900,
        up: 2000,
        down: 2 ** 32 + 1000,
        termination_cause: 'User-Request',
        ip: '10.1.0.2',
        known: true,
      },
    ])
    // The gateway's clock counts whole seconds, and is learned from packets that take some time to arrive.
    expect(Math.abs(Number(started) - began_at)).toBeLessThan(5)
    expect(Number(stopped) - Number(started)).toBe(900)
    expect((await report({ 'Acct-Status-Type': 'Accounting-On' })).kind).toBe('Accounting-Response')
  })

  test('unknown gateways, a wrong secret and a missing signature get no answer; old gateways need none', async () => {
    const { property, made, access, unsigned } = await site()
    const { written, ...name } = await accountAt(property.id)
    const asked = { ...name, 'User-Password': written, 'Calling-Station-Id': aMacAddress() }
    const port = freeradius.ports.access
    const unregistered = { port, secret: made.radius_secret, from: '127.0.7.250' }
    expect((await radclient(unregistered, 'auth', asked, once)).kind).toBeNull()
    const liar = { port, secret: 'another secret', from: made.ip_address ?? '' }
    expect((await radclient(liar, 'auth', { ...asked, 'Message-Authenticator': '0x00' }, once)).kind).toBeNull()
    const reporter = { ...liar, port: freeradius.ports.accounting }
    const forged = { ...name, 'Acct-Status-Type': 'Start', 'Acct-Session-Id': 'liar' }
    expect((await radclient(reporter, 'acct', forged, once)).kind).toBeNull()
    expect((await unsigned(asked, once)).kind).toBeNull()
    await expect
      .poll(async () => (await foyer.get(gateways.get, { id: made.id }, editor)).data.refused_for)
      .toBe('unsigned')
    expect(accepted(await access(asked))).toBe(true)

    const old = await site({ takes_unsigned: true })
    const at_old = await accountAt(old.property.id)
    const reply = await old.unsigned({
      'User-Name': at_old['User-Name'],
      'User-Password': at_old.written,
      'Calling-Station-Id': aMacAddress(),
    })
    expect(accepted(reply)).toBe(true)
    expect(reply.attributes[0]).toMatch(/^Message-Authenticator/)
  })

  test('while Foyer is blocked nobody is refused and no report is answered; afterwards it continues by itself', async () => {
    const { property, access, report } = await site()
    const { written, ...name } = await accountAt(property.id)
    const asked = { ...name, 'User-Password': written, 'Calling-Station-Id': aMacAddress() }
    const begun = { ...asked, 'Acct-Status-Type': 'Start', 'Acct-Session-Id': 'away' }
    expect(accepted(await access(asked))).toBe(true)
    const lock = await connect(foyer.database.adminUrl)
    await lock.query('begin; lock table gateways in access exclusive mode')
    const silent = await Promise.all([access(asked, once), report(begun, once)])
    expect(silent.map(({ kind }) => kind)).toEqual([null, null])
    await lock.end()
    expect(accepted(await access(asked))).toBe(true)
    expect((await report(begun)).kind).toBe('Accounting-Response')
  })

  test('a caller without the token learns nothing', async () => {
    for (const [call, method] of [
      ['client?address=127.0.7.1', 'GET'],
      ['access', 'POST'],
      ['accounting', 'POST'],
      ['nothing', 'GET'],
    ] as const) {
      const plain = await fetch(`${foyer_url}/${call}`, { method })
      const wrong = await fetch(`${foyer_url}/${call}`, {
        method,
        headers: { authorization: `Basic ${Buffer.from('freeradius:guess').toString('base64')}` },
      })
      expect([plain.status, wrong.status, await plain.text()]).toEqual([403, 403, ''])
    }
  })
})
