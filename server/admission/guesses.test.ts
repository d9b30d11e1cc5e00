// Guesses: anyone who guesses at an account or a room is made to wait; a guest with the secret gets in, at once from a device that
// has signed in there before, and after a while from another.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import { attemptReasons } from '#contract/sign-in-attempts.ts'
import { textsOf } from '#portal/languages.ts'
import { waitAfter } from '#server/admission/guesses.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { textIn } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
}, 'api,guest,radius')

const words = textsOf.en.refused
const right = 'not to be guessed'
const waits_max_s = 600

/** A property with an account and a gateway that asks for it. */
async function aPlace() {
  const property = await foyer.property(editor)
  const { gateway } = await radius.gatewayAt(property.id)
  await foyer.account(editor, { property_id: property.id, username: 'carol', password: right })
  const sign = async (calling_station_id: string, password: string, user_name = 'carol') => {
    const answer = await gateway.access({ user_name, password, calling_station_id })
    return answer.code === code.access_accept ? 'accepted' : textIn(answer, attribute.reply_message)
  }
  return { property, sign }
}
/** Moves the attempts of this device back in time. */
const pass = (mac: string, seconds: number) =>
  admin.query(
    `update radius_authorisations set created_at = created_at - make_interval(secs => $2) where mac_address = $1`,
    [mac, seconds],
  )

test('the wait begins after ten guesses in an hour, and grows to ten minutes', () => {
  expect([0, 10, 11, 15, 16, 21, 31, 200, 330].map(waitAfter)).toEqual([0, 0, 30, 30, 60, 120, 480, 600, 600])
})

test('during 330 wrong tries through a gateway the guest gets in, and the guesser does not', async () => {
  const { sign } = await aPlace()
  const [known, fresh, guesser] = [aMacAddress(), aMacAddress(), aMacAddress()]
  expect(await sign(known, right)).toBe('accepted')
  for (let tried = 0; tried < 330; tried += 15)
    await Promise.all(
      Array.from({ length: 15 }, (_, n) => sign(n % 5 === 0 ? guesser : aMacAddress(), `guess ${tried + n}`)),
    )
  expect(await sign(known, right)).toBe('accepted')
  expect(await sign(known, 'mistyped')).toBe(attemptReasons.wrong_password)
  expect(await sign(guesser, right)).toBe(attemptReasons.too_many_tries)
  // From an unknown device, right and wrong get the same answer until the wait is over.
  expect(await sign(aMacAddress(), 'guess')).toBe(attemptReasons.too_many_tries)
  expect(await sign(fresh, right)).toBe(attemptReasons.too_many_tries)
  await pass(fresh, waits_max_s - 30)
  expect(await sign(fresh, right)).toBe(attemptReasons.too_many_tries)
  await pass(fresh, 31)
  expect(await sign(fresh, right)).toBe('accepted')
  // Somebody else at the property never noticed.
  expect(await sign(aMacAddress(), 'whatever', 'nobody')).toBe(attemptReasons.unknown_user)
})

test('a wrong guess restarts the wait of its device', async () => {
  const { sign } = await aPlace()
  for (let tried = 0; tried < 11; tried++) await sign(aMacAddress(), `guess ${tried}`)
  const fresh = aMacAddress()
  expect(await sign(fresh, right)).toBe(attemptReasons.too_many_tries)
  expect(await sign(fresh, 'guess')).toBe(attemptReasons.too_many_tries)
  await pass(fresh, waits_max_s)
  expect(await sign(fresh, right)).toBe(attemptReasons.too_many_tries)
  await pass(fresh, waits_max_s)
  expect(await sign(fresh, right)).toBe('accepted')
})

test('a device that guesses under a known address finds no account that it has not used', async () => {
  const { property, sign } = await aPlace()
  await foyer.account(editor, { property_id: property.id, username: 'dora', password: 'the other secret' })
  const known = aMacAddress()
  expect(await sign(known, 'the other secret', 'dora')).toBe('accepted')
  for (let tried = 0; tried < 10; tried++) await sign(known, `guess ${tried}`)
  expect(await sign(known, right)).toBe(attemptReasons.too_many_tries)
  expect(await sign(known, 'the other secret', 'dora')).toBe('accepted')
})

/** A property whose portal signs guests in by these methods, and ways to sign a device in there, by the first, and online. */
async function aPage(...methods: [keyof typeof authMethods, ...(keyof typeof authMethods)[]]) {
  const [method] = methods
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: methods.map((one) => authMethods[one]) })
  const property = await foyer.property(editor, { portal_id })
  const { made, gateway } = await radius.gatewayAt(property.id)
  await admin.query(`update gateways set dns_name = 'spot.example' where id = $1`, [made.id])
  const { pathname } = new URL(url)
  const send = async (mac: string, typed: Record<string, string>) => {
    const answer = await foyer.guest?.inject({
      method: 'POST',
      url: `${pathname}?nasid=${made.nas_identifier}&client_mac=${mac}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ method: String(authMethods[method]), ...typed }).toString(),
    })
    return answer?.body ?? ''
  }
  const sign = async (mac: string, typed: Record<string, string>) => {
    const body = await send(mac, typed)
    const refusal = Object.entries(words).find(([, sentence]) => body.includes(sentence.replaceAll("'", '&#x27;')))
    return body.includes('name="username" value="pass-') ? 'accepted' : refusal?.[0]
  }
  const online = async (mac: string, typed: Record<string, string>) => {
    const body = await send(mac, typed)
    const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''
    const shown = { user_name: valueOf('username'), password: valueOf('password') }
    return (await gateway.access({ ...shown, calling_station_id: mac })).code === code.access_accept
  }
  return { property, sign, online }
}

test('after 20 wrong names at a room its guest gets in at once from a known device, from a new one after a while', async () => {
  const { property, sign: signIn, online } = await aPage('room')
  const room = await foyer.room(editor, { property_id: property.id, number: '0202' })
  await foyer.roomGuest(editor, { room_id: room.id, first_name: 'Ada', last_name: 'Lovelace' })
  const sign = (mac: string, last_name: string) => signIn(mac, { room_number: '202', last_name })
  const [known, fresh] = [aMacAddress(), aMacAddress()]
  expect(await online(known, { room_number: '202', last_name: 'Lovelace' })).toBe(true)
  for (let tried = 0; tried < 20; tried++) expect(await sign(aMacAddress(), `Name${tried}`)).not.toBe('accepted')
  expect(await sign(known, 'Lovelace')).toBe('accepted')
  expect(await sign(fresh, 'Lovelace')).toBe('too_often')
  await pass(fresh, waits_max_s)
  expect(await sign(fresh, 'Lovelace')).toBe('accepted')
})

test('after 200 wrong passwords of an account on the page it gets in at once from a known device, from a new one later', async () => {
  const { property, sign: signIn, online } = await aPage('account')
  await foyer.account(editor, { property_id: property.id, username: 'erin', password: right })
  const sign = (mac: string, password: string) => signIn(mac, { username: 'erin', password })
  const [known, fresh, guesser] = [aMacAddress(), aMacAddress(), aMacAddress()]
  expect(await online(known, { username: 'erin', password: right })).toBe(true)
  for (let tried = 0; tried < 200; tried += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => sign(n === 0 ? guesser : aMacAddress(), `guess ${tried + n}`)),
    )
  expect(await sign(known, right)).toBe('accepted')
  expect(await sign(guesser, right)).toBe('too_often')
  expect(await sign(fresh, right)).toBe('too_often')
  await pass(fresh, waits_max_s)
  expect(await sign(fresh, right)).toBe('accepted')
})

test.each([
  ['clicked through, whether or not a gateway has let it in', () => ({ method: String(authMethods.free) })],
  [
    'typed an address that nobody has confirmed',
    (n: number) => ({ method: String(authMethods.email), email: `mallory-${n}@mail.example` }),
  ],
])('a device that has %s guesses like any other', async (_, unproven) => {
  const { property, sign, online } = await aPage('account', 'free', 'email')
  await foyer.account(editor, { property_id: property.id, username: 'frank', password: right })
  for (let tried = 0; tried < 11; tried++) {
    const mac = aMacAddress()
    if (tried % 2 === 0) expect(await sign(mac, unproven(tried))).toBe('accepted')
    else expect(await online(mac, unproven(tried))).toBe(true)
    expect(await sign(mac, { username: 'frank', password: `guess ${tried}` })).not.toBe('accepted')
  }
  const fresh = aMacAddress()
  expect(await online(fresh, unproven(11))).toBe(true)
  expect(await sign(fresh, { username: 'frank', password: right })).toBe('too_often')
})

test('a device with a pass that no gateway has taken guesses like any other', async () => {
  const { property, sign } = await aPage('account')
  await foyer.account(editor, { property_id: property.id, username: 'gus', password: right })
  await foyer.account(editor, { property_id: property.id, username: 'mallory', password: right })
  for (let tried = 0; tried < 11; tried++) {
    const mac = aMacAddress()
    expect(await sign(mac, { username: 'mallory', password: right })).toBe('accepted')
    expect(await sign(mac, { username: 'gus', password: `guess ${tried}` })).not.toBe('accepted')
  }
  expect(await sign(aMacAddress(), { username: 'gus', password: right })).toBe('too_often')
})
