// Online: a guest's complete visit over real UDP: a gateway's redirect, the page, the sign-in, RADIUS, accounting, the status page and
// the end; with each way in and through each kind of gateway.
import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { Client } from 'pg'
import { authMethods } from '#contract/portals.ts'
import { textsOf } from '#portal/languages.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { cause } from '#scripts/simulation/gateway.ts'
import type { Holder } from '#scripts/simulation/site.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { openFias } from '#server/property-systems/fias/simulation.ts'
import { receiveUpdates } from '#server/property-systems/receive-updates.ts'
import { interfaceOf } from '#server/property-systems/interfaces.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import type { StayUpdate } from '#server/stays/stay-updates.ts'
import { aMacAddress, type TestFoyer } from '#test/foyer.ts'
import {
  backIn,
  heading,
  host,
  kinds,
  look,
  openNds,
  openOnlineSites,
  signOut,
  type OnlineSites,
} from '#test/online-sites.ts'
import { answerOf, expectRefused, nothingHere } from '#test/refused.ts'

const words = textsOf.en

let foyer: TestFoyer
let admin: Client
let site: OnlineSites['site']
openOnlineSites((sites) => ({ foyer, admin, site } = sites))

describe.each(Object.entries(kinds))('through %s', (_name, gateway_type_id) => {
  test('a guest with a voucher gets online, sees what is left, signs out, and is not admitted again by the device alone', async () => {
    const its = await site(gateway_type_id)
    const [voucher, other] = its.vouchers
    if (!voucher || !other) throw new Error('no vouchers')
    const { device, brought, asked, verdict } = await its.signIn(voucher)
    expect(verdict.code).toBe(code.access_accept)
    const again = await its.gateway.admit(aMacAddress(), asked)
    expect(again.code).toBe(code.access_reject)

    const back = backIn(brought)
    const page = await look(back)
    expect(page.querySelector('h2')?.text).toBe(words.online_title)
    expect(page.querySelectorAll('dd').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^(2 hours|1 hour, 59 min)/),
      '1 GB',
    ])
    expect(page.querySelector('a.button')?.getAttribute('href')).toBe('https://lantern.example/')
    await its.gateway.reportAll(() => ({ bytes_up: 1e8, bytes_down: 3e8 }))
    expect((await look(back)).querySelectorAll('dd')[1]?.text).toBe('600 MB')
    expect((await its.gateway.admit(device, { user_name: device, password: device })).code).toBe(code.access_accept)

    expect(await signOut(back)).toBe(back)
    await expect.poll(() => its.sessionOf(device)).toMatchObject({ online: false, termination_cause: 'User-Request' })
    expect(await heading(back)).toBe(words.signed_out_title)
    expect((await look(back)).querySelector('a.button')?.getAttribute('href')).toContain(`http://${host}`)
    const alone = await its.gateway.admit(device, { user_name: device, password: device })
    expect(alone.code).toBe(code.access_reject)
    // The same voucher, on the same device and on another one.
    for (const guest of [await its.signIn(voucher, device), await its.signIn(other)])
      expect(guest.verdict.code).toBe(code.access_accept)
  })

  test('a registered device gets online without a page, however the gateway writes its name', async () => {
    const its = await site(gateway_type_id)
    const device = aMacAddress()
    const bare = device.replaceAll(':', '')
    const names = [device, device.toUpperCase(), device.replaceAll(':', '-'), bare, bare.toUpperCase()]
    const dotted = bare.replace(/(....)(....)(....)/, '$1.$2.$3')
    for (const user_name of names)
      expect((await its.gateway.admit(device, { user_name, password: user_name })).code, user_name).toBe(
        code.access_reject,
      )
    await foyer.device(its.editor, { property_id: its.property_id, mac_address: device })
    for (const user_name of [...names, dotted])
      for (const secret of [
        { password: user_name },
        { password: 'mac-auth' },
        { password: '' },
        { chap: user_name },
        {},
      ])
        expect((await its.gateway.admit(device, { user_name, ...secret })).code, user_name).toBe(code.access_accept)
    expect(await its.sessionOf(device)).toMatchObject({ online: true, auth_method_id: authMethods.device })
    // Another device that only claims the name is not admitted.
    expect((await its.gateway.admit(aMacAddress(), { user_name: device, password: device })).code).toBe(
      code.access_reject,
    )
  })
})

describe('through openNDS', () => {
  test('a guest gets online without RADIUS, and signs out at the gateway', async () => {
    const its = await site(openNds)
    const device = aMacAddress()
    const fas = `hid=d9b3fcb8a1c2, clientmac=${device}, gatewayname=${its.box.nas_identifier}, originurl=x`
    const query = `?fas=${encodeURIComponent(Buffer.from(fas).toString('base64'))}`
    const [voucher] = its.vouchers
    if (!voucher) throw new Error('no vouchers')
    const answer = await signIn(await openPage(its.url + query), voucher, false)
    if ('page' in answer) throw new Error('another page')
    const token = createHash('sha256').update(`d9b3fcb8a1c2${its.box.radius_secret}`).digest('hex')
    expect(answer.brought).toMatchObject({ tok: token })
    const back = backIn(answer.brought)
    const page = await look(back)
    expect(page.querySelector('h2')?.text).toBe(words.online_title)
    expect(page.querySelector('dd')).toBeNull()
    expect(await signOut(back)).toBe(`http://${host}/opennds_deny/`)
    expect(await heading(back)).toBe(words.signed_out_title)
  })
})

describe('by', () => {
  test('each way in', async () => {
    const its = await site(kinds.generic)
    const { editor, property_id } = its
    await foyer.account(editor, { property_id, username: 'ada', password: 'the password' })
    await foyer.account(editor, { property_id, username: 'summit', account_type_id: 2 })
    const { id: room_id } = await foyer.room(editor, { property_id, number: '12' })
    await foyer.roomGuest(editor, { room_id, last_name: 'Müller' })
    const { free, account, room, conference } = authMethods
    const holders: Holder[] = [
      { method: free, typed: {} },
      { method: account, typed: { username: 'ada', password: 'the password' } },
      { method: room, typed: { room_number: '12', last_name: 'Mueller' } },
      { method: conference, typed: { conference_code: 'summit' } },
    ]
    for (const holder of holders) {
      const { device, brought, verdict } = await its.signIn(holder)
      expect(verdict.code, String(holder.method)).toBe(code.access_accept)
      expect(await its.sessionOf(device)).toMatchObject({ online: true, auth_method_id: holder.method })
      expect(await heading(backIn(brought))).toBe(words.online_title)
      // A returning guest is recognised by the device.
      await its.gateway.end(device, cause.lost_carrier)
      expect((await its.gateway.admit(device, { user_name: device, password: '' })).code).toBe(code.access_accept)
    }
  })

  test('room and any part of the name that the hotel’s own system has told, of each who shares the room', async () => {
    const its = await site(kinds.generic)
    const { editor, property_id } = its
    const { id: room_id } = await foyer.room(editor, { property_id, number: '0204' })
    const { id } = await foyer.propertyInterface(editor, {
      property_interface_type_id: 5,
      owner_type: 'Property',
      owner_id: property_id,
      settings: { signing_secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, grace_minutes: 0 },
    })
    const { tenancy } = foyer.services
    const say = (...words: StayUpdate[]) =>
      tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', async (scope) => {
        const of = await interfaceOf(scope, id)
        if (of) await receiveUpdates(scope, foyer.services.queue, of, words)
      })
    const told = (stay_key: string, last_name: string): StayUpdate => ({
      kind: 'stay',
      stay_key,
      at: new Date(),
      is_complete: true,
      arrived: true,
      fields: { room: '0204', guests: [{ last_name }] },
    })
    await say(told('1', 'Mr Hart Ada'), told('2', 'de la Cruz'))
    const named = (last_name: string): Holder => ({
      method: authMethods.room,
      typed: { room_number: '204', last_name },
    })
    for (const name of ['Hart', 'ada', 'Ada Hart', 'Cruz']) {
      const { device, verdict } = await its.signIn(named(name))
      expect(verdict.code, name).toBe(code.access_accept)
      await its.gateway.end(device, cause.lost_carrier)
    }
    for (const wrong of ['Mr', 'la', 'Hartmann', 'Weber'])
      await expect(its.signIn(named(wrong)), wrong).rejects.toThrow()
    // What the desk enters has a field for each part, and first names open nothing.
    await foyer.roomGuest(editor, { room_id, first_name: 'Jonas', last_name: 'Lind' })
    await expect(its.signIn(named('Jonas'))).rejects.toThrow()
    await say({ kind: 'ended', stay_key: '2', at: new Date() })
    await expect(its.signIn(named('Cruz'))).rejects.toThrow()
  })

  test('room and name within ten seconds, when the hotel’s own system tells of 200 guests in one', async () => {
    const its = await site(kinds.generic)
    const { editor, property_id } = its
    const group = Array.from({ length: 200 }, (_, at) => ({ room: String(300 + at), name: `Group${at}` }))
    await foyer.rooms(
      editor,
      property_id,
      group.map(({ room }) => room),
    )
    const pms = await openFias()
    try {
      const { id } = await foyer.propertyInterface(editor, {
        property_interface_type_id: 1,
        owner_type: 'Property',
        owner_id: property_id,
        host: '127.0.0.1',
        port: pms.port,
      })
      const isLinked = async () => {
        const [link] = (
          await admin.query('select wants_all from property_links where property_interface_id = $1', [id])
        ).rows as { wants_all: boolean }[]
        expect(link?.wants_all).toBe(false)
      }
      await vi.waitFor(isLinked, { timeout: 30_000, interval: 100 })
      const began = Date.now()
      pms.send(...group.map(({ room, name }, at) => `GI|RN${room}|G#${at}|GN${name}|GSN|`))
      const isThere = async () => {
        const { rows } = await admin.query('select from room_guests where property_id = $1', [property_id])
        expect(rows).toHaveLength(group.length)
      }
      await vi.waitFor(isThere, { timeout: 30_000, interval: 50 })
      const there_ms = Date.now() - began
      for (const { room, name } of group.filter((_, at) => at % 20 === 19)) {
        const { verdict } = await its.signIn({
          method: authMethods.room,
          typed: { room_number: room, last_name: name },
        })
        expect(verdict.code, name).toBe(code.access_accept)
      }
      expect(there_ms).toBeLessThan(8_000)
      expect(Date.now() - began).toBeLessThan(10_000)
    } finally {
      await pms.close()
    }
  })

  test('free access: a device is the same guest, even after its pass has been deleted', async () => {
    const its = await site(kinds.generic)
    const free: Holder = { method: authMethods.free, typed: {} }
    const { device } = await its.signIn(free)
    await admin.query('delete from access_passes where mac_address = $1', [device])
    await its.signIn(free, device)
    const { rows } = await admin.query<{ visits: number }>('select visits from guests where property_id = $1', [
      its.property_id,
    ])
    expect(rows).toEqual([{ visits: 2 }])
  })

  test('a voucher on one device after another: signing out frees its place', async () => {
    const its = await site(kinds.generic, { max_users: 1 })
    const [voucher] = its.vouchers
    if (!voucher) throw new Error('no vouchers')
    const { brought } = await its.signIn(voucher)
    await expect(its.signIn(voucher)).rejects.toThrow(words.refused.too_many_devices)
    await signOut(backIn(brought))
    expect((await its.signIn(voucher)).verdict.code).toBe(code.access_accept)
  })
})

test('if a gateway does not listen, its own page signs the guest out; if it has none, ours says that it is under way', async () => {
  for (const [gateway_type_id, leads_to] of [
    [kinds.mikroTik, `http://${host}/logout?erase-cookie=true`],
    [kinds.coovaChilli, `http://${host}:3990/logoff`],
    [kinds.generic, null],
  ] as const) {
    const its = await site(gateway_type_id)
    const [voucher] = its.vouchers
    if (!voucher) throw new Error('no vouchers')
    const { device, brought } = await its.signIn(voucher)
    await admin.query('update gateways set disconnect_port = $2 where id = $1', [its.box.id, await freePort(1)])
    const back = backIn(brought)
    expect(await signOut(back)).toBe(leads_to ?? back)
    expect(await heading(back)).toBe(words.signing_out_title)
    await its.gateway.end(device, cause.user_request)
    expect(await heading(back)).toBe(words.signed_out_title)
  }
})

test('a CoovaChilli sends a guest who is online back to the portal, which redirects to their status page', async () => {
  const its = await site(kinds.coovaChilli)
  const [voucher] = its.vouchers
  if (!voucher) throw new Error('no vouchers')
  const { device, brought } = await its.signIn(voucher)
  const back = backIn(brought)
  const sentBack = (res: string, userurl: string) => {
    const fields = {
      res,
      uamip: '10.1.0.1',
      uamport: '3990',
      called: its.box.mac_address,
      mac: device,
      nasid: its.box.nas_identifier,
      userurl,
    }
    const address = `${its.url}?${new URLSearchParams(fields).toString()}`
    return `${address}&md=${createHash('md5')
      .update(address + its.box.radius_secret)
      .digest('hex')
      .toUpperCase()}`
  }
  const led = await fetch(sentBack('success', back), { redirect: 'manual' })
  expect([led.status, led.headers.get('location')]).toEqual([303, back])
  const elsewhere = await fetch(sentBack('success', 'http://evil.example/?online='), { redirect: 'manual' })
  expect(elsewhere.status).toBe(200)
  const already = sentBack('already', 'http://example.com/')
  expect(await heading(already)).toBe(words.online_title)
  expect(await signOut(already)).toBe(`http://${host}:3990/logoff`)
  expect(await heading(sentBack('logoff', back))).toBe(words.signed_out_title)
})

test("a key that is nobody's, or that of another portal, opens nothing", async () => {
  const [its, other] = [await site(kinds.generic), await site(kinds.generic)]
  const [voucher] = its.vouchers
  if (!voucher) throw new Error('no vouchers')
  const { brought } = await its.signIn(voucher)
  const key = new URL(backIn(brought)).search
  expect(key).toMatch(/^\?online=[\w-]{22}$/)
  for (const address of [`${its.url}?online=${'A'.repeat(22)}`, `${its.url}${key}x`, `${other.url}${key}`]) {
    expect((await look(address)).querySelector('button[name=sign_out]')).toBeNull()
    const pressed = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams({ sign_out: '1' }),
      redirect: 'manual',
    })
    expectRefused(await answerOf(pressed), nothingHere)
  }
  // Parameters that a gateway appends do no harm.
  expect(await heading(`${backIn(brought)}&status=ok`)).toBe(words.online_title)
})
