// Known guests: who is let in by account, by room and by conference code, as whom, and what others read.
import { describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as accounts from '#contract/accounts.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { textsOf } from '#portal/languages.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { receiveUpdates } from '#server/property-systems/receive-updates.ts'
import { interfaceOf } from '#server/property-systems/interfaces.ts'
import { unreported } from '#server/stays/stay-updates.ts'
import { aMacAddress, type TestFoyer } from '#test/foyer.ts'
import { openGuestPages, portal_url } from '#test/guest-pages.ts'

const { refused } = textsOf.en
let foyer: TestFoyer
let admin: Client
openGuestPages((pages) => ({ foyer, admin } = pages))

const rowsOf = async <R extends object>(text: string, ...values: unknown[]) => (await admin.query<R>(text, values)).rows
const day = async (offset: number) =>
  (
    await rowsOf<{ day: string }>(
      "select (now() at time zone 'Asia/Tokyo' + make_interval(days => $1))::date::text as day",
      offset,
    )
  )[0]?.day ?? ''

async function place() {
  const editor = await foyer.customer()
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [3, 4, 7] })
  const { id: package_id } = await foyer.package(editor, { max_users: 1 })
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
  await admin.query("update properties set time_zone = 'Asia/Tokyo' where id = $1", [property_id])
  const { nas_identifier } = await foyer.gateway(editor, {
    property_id,
    gateway_type_id: 13,
    dns_name: 'hotspot.example',
  })
  return {
    editor,
    property_id,
    /** The sentence that the page shows after the form; null if the guest is sent to the gateway with a pass. */
    async signIn(form: Record<string, string>, mac_address = aMacAddress()) {
      const answer = await foyer.guest?.inject({
        method: 'POST',
        url: `${url.replace(portal_url, '')}?nasid=${nas_identifier}&client_mac=${mac_address}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(form).toString(),
      })
      const body = answer?.body ?? ''
      const refusal = Object.values(refused).find((sentence) => body.includes(sentence)) ?? null
      if (refusal === null) expect(body).toContain('name="username" value="pass-')
      for (const secret of ['the password', 'wrong password']) expect(body).not.toContain(secret)
      return refusal
    },
    attempts: () =>
      rowsOf<{ reason: string; identifier: string; auth_method_id: number; account_id: number | null }>(
        `select reason, identifier, auth_method_id, account_id from radius_authorisations where property_id = $1 order by id`,
        property_id,
      ),
    passes: () =>
      rowsOf<{ account_id: number | null; guest_id: number | null; auth_method_id: number }>(
        `select p.account_id, p.guest_id::integer, p.auth_method_id from access_passes p join gateways g on g.id = p.gateway_id
         where g.property_id = $1 order by p.id`,
        property_id,
      ),
  }
}

describe('a user name and a password', () => {
  const form = { method: '3', username: 'Ada', password: 'the password' }

  test('let the account in, whatever the case of its name', async () => {
    const { editor, property_id, signIn, passes } = await place()
    const { id } = await foyer.account(editor, { property_id, username: 'ada', password: 'the password' })
    expect(await signIn({ ...form, username: ' ADA ', password: 'the password ' })).toBeNull()
    expect(await passes()).toEqual([{ account_id: id, guest_id: null, auth_method_id: 3 }])
  })

  test('that are wrong get the same answer, whether the account exists or not, and are recorded for the desk', async () => {
    const { editor, property_id, signIn, attempts } = await place()
    const { id } = await foyer.account(editor, {
      property_id,
      username: 'ada',
      password: 'the password',
      active: false,
    })
    expect(await signIn({ ...form, username: 'bob' })).toBe(refused.unknown)
    expect(await signIn({ ...form, password: 'wrong password' })).toBe(refused.unknown)
    expect(await signIn({ ...form, password: '' })).toBe(refused.incomplete)
    expect(await attempts()).toEqual([
      { reason: 'unknown_user', identifier: 'bob', auth_method_id: 3, account_id: null },
      { reason: 'wrong_password', identifier: 'ada', auth_method_id: 3, account_id: id },
    ])
  })

  test('do not let in an account without a password', async () => {
    const { editor, property_id, signIn } = await place()
    await foyer.account(editor, { property_id, username: 'ada' })
    for (const password of ['ada', 'the password']) expect(await signIn({ ...form, password })).toBe(refused.unknown)
  })

  test('of another property do not work here', async () => {
    const { editor, signIn } = await place()
    await foyer.account(editor, { username: 'ada', password: 'the password' })
    expect(await signIn(form)).toBe(refused.unknown)
  })

  test('of an account that may not go online get the reason, if the password is right', async () => {
    const { editor, property_id, signIn, attempts } = await place()
    const { id } = await foyer.account(editor, { property_id, username: 'ada', password: 'the password' })
    await foyer.get(accounts.deactivate, { ids: [id] }, editor)
    expect(await signIn(form)).toBe(refused.disabled)
    await foyer.get(accounts.activate, { id }, editor)
    await foyer.get(accounts.update, { id, expires_at: '2020-01-01T00:00:00Z' }, editor)
    expect(await signIn(form)).toBe(refused.expired)
    await foyer.get(accounts.update, { id, expires_at: null }, editor)
    await admin.query(
      `insert into guest_devices (customer_id, account_id, mac_address, waits_until)
       select customer_id, id, '00:00:5e:ff:ff:01', now() + interval '2 minutes' from accounts where id = $1`,
      [id],
    )
    expect(await signIn(form)).toBe(refused.too_many_devices)
    expect((await attempts()).map(({ reason }) => reason)).toEqual(['account_disabled', 'expired', 'device_limit'])
  })

  test('cannot be guessed on one device for long, even if the last guess is right', async () => {
    const { editor, property_id, signIn } = await place()
    await foyer.account(editor, { property_id, username: 'ada', password: 'the password' })
    const mac_address = aMacAddress()
    for (let tries = 0; tries < 10; tries++)
      expect(await signIn({ ...form, password: 'wrong password' }, mac_address)).toBe(refused.unknown)
    expect(await signIn(form, mac_address)).toBe(refused.too_often)
    expect(await signIn(form)).toBeNull()
  })
})

describe('a room number and a last name', () => {
  const form = { method: '4', room_number: ' 12a ', last_name: 'muller' }
  async function staying(values: Partial<Parameters<TestFoyer['roomGuest']>[1]> = {}) {
    const its = await place()
    const { id: room_id } = await foyer.room(its.editor, { property_id: its.property_id, number: '12A' })
    const guest = await foyer.roomGuest(its.editor, { room_id, first_name: 'Eva', last_name: 'Müller', ...values })
    return { ...its, room_id, guest }
  }

  test('let in a guest of the room, as the same guest on each device', async () => {
    const { guest, property_id, signIn, passes } = await staying({ arrives_on: await day(0), departs_on: await day(0) })
    expect(await signIn(form)).toBeNull()
    expect(await signIn({ ...form, last_name: 'Mueller' })).toBeNull()
    const known = await rowsOf<{ id: number }>(
      `select id::integer, room_guest_id, property_id, name, auth_method_id, visits from guests where property_id = $1`,
      property_id,
    )
    expect(known).toEqual([
      {
        id: expect.any(Number) as number,
        room_guest_id: guest.id,
        property_id,
        name: 'Eva Müller',
        auth_method_id: 4,
        visits: 2,
      },
    ])
    const pass = { account_id: null, guest_id: known[0]?.id, auth_method_id: 4 }
    expect(await passes()).toEqual([pass, pass])
  })

  test('find the room by its number, and among several the one that is written exactly so', async () => {
    const { editor, property_id, signIn } = await place()
    const stay = async (number: string, last_name: string) => {
      const { id: room_id } = await foyer.room(editor, { property_id, number })
      await foyer.roomGuest(editor, { room_id, last_name })
    }
    await stay('0202', 'Adams')
    await stay('A-12', 'Brown')
    const says = (room_number: string, last_name: string) => signIn({ method: '4', room_number, last_name })
    for (const number of ['202', '0202', 'Room 202', '２０２', '٢٠٢', '۰۲۰۲', '२०२'])
      expect(await says(number, 'Adams')).toBeNull()
    for (const number of ['#202', '# 0202', '＃202', '№ 202', 'No. 202', 'Nr 202', 'N° 202', 'nº202', '# ٢٠٢'])
      expect(await says(number, 'Adams')).toBeNull()
    for (const number of ['A12', 'a-12', 'Room A-12', 'a–12', 'A 12', '#A12'])
      expect(await says(number, 'Brown')).toBeNull()
    await stay('12', 'Clark')
    expect(await says('12', 'Brown')).toBe(refused.unknown)
    // From now on two rooms match, and only the exact number finds one.
    await stay('202', 'Davis')
    expect([await says('202', 'Davis'), await says('0202', 'Adams')]).toEqual([null, null])
    expect(await says('202', 'Adams')).toBe(refused.unknown)
    expect(await says('00202', 'Adams')).toBe(refused.unknown)
    await stay('#9', 'Evans')
    await stay('9', 'Frost')
    expect([await says('#9', 'Evans'), await says('9', 'Frost')]).toEqual([null, null])
  })

  test('of whom the property’s system tells fit each part of the names but a title, each sharer, and the days', async () => {
    const { editor, property_id, signIn } = await place()
    await foyer.room(editor, { property_id, number: '12A' })
    const { id } = await foyer.propertyInterface(editor, {
      property_interface_type_id: 5,
      owner_type: 'Property',
      owner_id: property_id,
      settings: { signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, grace_minutes: 0 },
    })
    const come = async (stay_key: string, last_name: string, first_name: string, [from, until]: [number, number]) => {
      const [arrives_on, departs_on] = [await day(from), await day(until)]
      const guests = [{ last_name, first_name, email: null, mobile_number: null }]
      const fields = { ...unreported, room: '12A', guests, arrives_on, departs_on }
      const update = { kind: 'stay' as const, stay_key, at: new Date(), fields, is_complete: true }
      await foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', async (scope) => {
        const of = await interfaceOf(scope, id)
        if (of) await receiveUpdates(scope, foyer.services.queue, of, [update])
      })
    }
    // The site writes its names in the other order, and a title where it has no field for it.
    await come('1', 'Mr Ada Maria', 'Hart-Smith', [0, 2])
    await come('2', 'Weber', 'Cy', [-1, 0])
    await come('3', 'Later', 'Lee', [1, 3])
    await come('4', 'Gone', 'Guy', [-3, -1])
    const says = (last_name: string) => signIn({ method: '4', room_number: '12A', last_name })
    for (const name of ['Hart-Smith', 'hart', 'Ada', 'Maria', 'Ada Maria', 'Weber', 'Cy'])
      expect(await says(name), name).toBeNull()
    for (const name of ['Mr', 'Ney']) expect(await says(name), name).toBe(refused.unknown)
    for (const name of ['Later', 'Gone']) expect(await says(name), name).not.toBeNull()
    // A whole field is a name, also where it is a particle, a title or a letter as a part of one.
    await come('5', 'Le', 'Minh', [0, 2])
    await come('6', 'Herr', 'Ada', [0, 2])
    await come('7', 'U', 'Aung', [0, 2])
    await come('8', 'Jonas', 'Di', [0, 2])
    await come('9', 'de la Cruz', 'J', [0, 2])
    await come('10', 'Lind', 'Mrs', [0, 2])
    for (const name of ['Le', 'minh le', 'Herr', 'Ada Herr', 'U', 'Di']) expect(await says(name), name).toBeNull()
    for (const name of ['la', 'J', 'Mrs']) expect(await says(name), name).toBe(refused.unknown)
  })

  test('that are wrong get the same answer, whether the room exists or not', async () => {
    const { signIn, attempts } = await staying()
    expect(await signIn({ ...form, last_name: 'Smith' })).toBe(refused.unknown)
    expect(await signIn({ ...form, room_number: '99' })).toBe(refused.unknown)
    expect(await signIn({ ...form, last_name: ' ' })).toBe(refused.incomplete)
    expect((await attempts()).map(({ reason, identifier }) => [reason, identifier])).toEqual([
      ['wrong_password', '12A, Smith'],
      ['unknown_user', '99, muller'],
    ])
  })

  test('of a guest who does not stay at present say so, and a guest who was checked out is unknown', async () => {
    const left = await staying({ arrives_on: await day(-3), departs_on: await day(-1) })
    expect(await left.signIn(form)).toBe(refused.expired)
    await foyer.roomGuest(left.editor, { room_id: left.room_id, last_name: 'Muller' })
    expect(await left.signIn(form)).toBeNull()
    const coming = await staying({ arrives_on: await day(1) })
    expect(await coming.signIn(form)).toBe(refused.not_yet_valid)
    expect(await coming.signIn({ ...form, last_name: 'Smith' })).toBe(refused.unknown)
    await foyer.get(roomGuests.remove, { id: coming.guest.id, roomId: coming.room_id }, coming.editor)
    expect(await coming.signIn(form)).toBe(refused.unknown)
  })

  test('cannot be guessed for one room, from however many devices', async () => {
    const { signIn } = await staying()
    for (let tries = 0; tries < 11; tries++)
      expect(await signIn({ ...form, last_name: `Guess ${tries}x` })).toBe(refused.unknown)
    for (const room_number of ['12a', '012A', 'Room 12-A'])
      expect(await signIn({ ...form, room_number })).toBe(refused.too_often)
    expect(await signIn({ ...form, room_number: '12' })).toBe(refused.unknown)
  })
})

describe('a conference code', () => {
  test('is the user name of a conference account, and of no other', async () => {
    const { editor, property_id, signIn, passes } = await place()
    const { id } = await foyer.account(editor, {
      property_id,
      username: 'Summit',
      password: 'the password',
      account_type_id: 2,
    })
    await foyer.account(editor, { property_id, username: 'ada', password: 'the password' })
    expect(await signIn({ method: '7', conference_code: ' summit ' })).toBeNull()
    expect(await signIn({ method: '7', conference_code: 'ada' })).toBe(refused.unknown)
    expect(await signIn({ method: '7', conference_code: 'other' })).toBe(refused.unknown)
    expect(await passes()).toEqual([{ account_id: id, guest_id: null, auth_method_id: 7 }])
  })
})
