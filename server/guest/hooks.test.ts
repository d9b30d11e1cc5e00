// Hooks: a property's system posts its stays, signed; what is not signed as it should be learns nothing, and what comes again counts once.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as properties from '#contract/properties.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { refusals } from '#contract/errors.ts'
import { messageWork } from '#server/property-systems/messages.ts'
import { doDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
let property_id: number
let one: { id: number; uuid: string; hook_url: string }
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api,guest' } })
  editor = await foyer.customer()
  property_id = (await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })).id
  await foyer.rooms(editor, property_id, ['204', '205', '206', '207', '208', '209'])
  one = await foyer.propertyInterface(editor, {
    property_interface_type_id: 5,
    owner_type: 'Property',
    owner_id: property_id,
    settings: { signing_secret: secret, grace_minutes: 0 },
  })
})
afterAll(() => foyer.close())

let serial = 0
interface Sent {
  uuid?: string
  id?: string
  at?: Date
  by?: string
}
async function post(
  body: unknown,
  { uuid = one.uuid, id = `msg_${++serial}`, at = new Date(), by = secret }: Sent = {},
) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await foyer.guest?.inject({
    method: 'POST',
    url: `/hooks/${uuid}`,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(by).sign(id, at, payload),
    },
    payload,
  })
  return { status: answer?.statusCode ?? 0, text: answer?.body ?? '' }
}
const takeIn = () => doDue(messageWork, foyer.services, editor.user.customer.id)
/** Has what waits tried now. */
const hurry = () => foyer.query("update due_work set next_at = now() where kind = 'property_message'", [])
let clock = Date.now() - 3_600_000
const occurred_at = () => new Date((clock += 1000)).toISOString()
const stay = (stay_key: string, room: string, last_name: string) => ({ stay_key, room, guests: [{ last_name }] })
const changed = (...of: Parameters<typeof stay>) => ({
  type: 'stay.changed',
  occurred_at: occurred_at(),
  data: stay(...of),
})
const house = async () =>
  (
    await foyer.query<{ who: string }>(
      `select room_number || ' ' || last_name as who from room_guests where property_id = $1 and deleted_at is null order by 1`,
      [property_id],
    )
  ).map(({ who }) => who)

test('a stay, its end and all stays are taken in', async () => {
  expect(one.hook_url).toMatch(new RegExp(`^http.*/hooks/${one.uuid}$`))
  expect((await foyer.get(interfaces.get, { id: one.id }, editor)).data.state).toMatchObject({ word: 'never' })
  expect(await post(changed('1', '204', 'Hart'))).toEqual({ status: 202, text: '{}' })
  expect((await post(changed('2', '205', 'Weber'))).status).toBe(202)
  await takeIn()
  expect(await house()).toEqual(['204 Hart', '205 Weber'])
  await post({ type: 'stay.ended', occurred_at: occurred_at(), data: { stay_key: '2' } })
  await takeIn()
  await post({
    type: 'stays.all',
    occurred_at: occurred_at(),
    data: [stay('1', '206', 'Hart'), stay('3', '207', 'Lind')],
  })
  await takeIn()
  expect(await house()).toEqual(['206 Hart', '207 Lind'])
  expect((await foyer.get(interfaces.get, { id: one.id }, editor)).data.state).toMatchObject({
    word: 'up',
    last_error: null,
  })
  const [kept] = await foyer.query<{ bodies: number }>('select count(body)::integer as bodies from told_messages', [])
  expect(kept?.bodies).toBe(0)
})

test('the same message counts once, and an older one after a newer changes nothing', async () => {
  const before = changed('9', '208', 'Early')
  await post(changed('9', '209', 'Later'), { id: 'same' })
  await post(changed('9', '204', 'Never'), { id: 'same' })
  await post(before)
  await takeIn()
  expect(await house()).toContain('209 Later')
  const [rows] = await foyer.query<{ count: number }>(
    "select count(*)::integer as count from told_messages where message_id = 'same'",
    [],
  )
  expect(rows?.count).toBe(1)
})

test('what was answered is taken in once its interface is on again, however often it is sent', async () => {
  const sent = changed('20', '204', 'Waits')
  expect((await post(sent, { id: 'waits' })).status).toBe(202)
  await foyer.get(interfaces.deactivate, { id: one.id }, editor)
  await takeIn()
  expect(await house()).not.toContain('204 Waits')
  await foyer.get(interfaces.activate, { id: one.id }, editor)
  await hurry()
  await takeIn()
  expect(await house()).toContain('204 Waits')

  // What a former release has not taken in, and counts as done, is taken in when it is sent again.
  expect((await post(changed('21', '205', 'Again'), { id: 'again' })).status).toBe(202)
  await foyer.query("delete from due_work where kind = 'property_message'", [])
  expect((await post(changed('21', '205', 'Again'), { id: 'again' })).status).toBe(202)
  await takeIn()
  expect(await house()).toContain('205 Again')
})

test('signs that cannot be kept are no reason to refuse what was posted, and a number with one is passed over', async () => {
  const sent = [
    changed('40', '206', 'Nu\u0000ll'),
    changed('41', '207', 'Lone\ud83d'),
    changed('4\u00002', '208', 'Number'),
    changed('43', '209', '\\u0000 😀'),
  ]
  for (const one of sent) expect((await post(one)).status).toBe(202)
  await takeIn()
  const there = await house()
  expect(there).toEqual(expect.arrayContaining(['206 Nu ll', '207 Lone', '209 \\u0000 😀']))
  expect(there.join()).not.toContain('Number')
})

test('an interface that is for several properties by now takes nothing, and whoever sends it is asked to come again', async () => {
  const group = await foyer.group(editor)
  const place = (await foyer.property(editor, { group_id: group.id, time_zone: 'Atlantic/Reykjavik' })).id
  await foyer.rooms(editor, place, ['204'])
  const its = await foyer.propertyInterface(editor, {
    property_interface_type_id: 5,
    owner_type: 'Group',
    owner_id: group.id,
    settings: { signing_secret: secret, grace_minutes: 0 },
  })
  const there = () =>
    foyer.query<{ last_name: string }>(
      'select last_name from room_guests where property_id = $1 and deleted_at is null',
      [place],
    )
  expect((await post(changed('30', '204', 'Before'), { uuid: its.uuid })).status).toBe(202)
  const second = await foyer.property(editor, { group_id: group.id })
  await takeIn()
  expect(await there()).toEqual([])
  expect(await post(changed('30', '204', 'Meanwhile'), { uuid: its.uuid })).toMatchObject({
    status: 503,
    text: expect.stringContaining('does not belong to exactly one property at present') as string,
  })
  await foyer.get(properties.deactivate, { ids: [second.id] }, editor)
  await hurry()
  await takeIn()
  expect(await there()).toEqual([{ last_name: 'Before' }])
})

test('an address that nobody has, another secret, an old signature, none, and another kind are refused alike', async () => {
  const body = changed('5', '204', 'Stranger')
  const other = await foyer.propertyInterface(editor, {
    property_interface_type_id: 1,
    owner_type: 'Property',
    owner_id: property_id,
  })
  const off = await foyer.propertyInterface(editor, {
    property_interface_type_id: 5,
    owner_type: 'Property',
    owner_id: property_id,
    active: false,
    settings: { signing_secret: secret },
  })
  const answers = await Promise.all([
    post(body, { uuid: '00000000-0000-4000-8000-000000000000' }),
    post(body, { uuid: 'nobody' }),
    post(body, { by: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }),
    post(body, { at: new Date(Date.now() - 10 * 60_000) }),
    post(body, { uuid: other.uuid }),
    post(body, { uuid: off.uuid }),
  ])
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(answers[0]).toEqual({ status: 401, text: '{"message":"This is not signed as it should be."}' })
  const bare = await foyer.guest?.inject({ method: 'POST', url: `/hooks/${one.uuid}`, payload: body })
  expect([bare?.statusCode, bare?.body]).toEqual([401, answers[0]?.text])
  await takeIn()
  expect((await house()).join()).not.toContain('Stranger')
})

test('one customer’s address is of no use to another: neither their secret nor what was sent to their own counts there', async () => {
  const other = await foyer.customer()
  const its_property = (await foyer.property(other, { time_zone: 'Atlantic/Reykjavik' })).id
  await foyer.rooms(other, its_property, ['204', '205'])
  const its_secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const its = await foyer.propertyInterface(other, {
    property_interface_type_id: 5,
    owner_type: 'Property',
    owner_id: its_property,
    settings: { signing_secret: its_secret, grace_minutes: 0 },
  })
  const before = await house()
  // By theirs to ours, and by ours to theirs.
  const body = changed('77', '204', 'Intruder')
  expectRefused(await post(body, { by: its_secret }), {
    ...refusals.unauthenticated,
    message: 'This is not signed as it should be.',
  })
  expectRefused(await post(body, { uuid: its.uuid }), {
    ...refusals.unauthenticated,
    message: 'This is not signed as it should be.',
  })
  // The same id at both counts at each.
  const id = `msg_${++serial}`
  expect((await post(changed('78', '204', 'Ours'), { id })).status).toBe(202)
  expect((await post(changed('78', '205', 'Theirs'), { id, uuid: its.uuid, by: its_secret })).status).toBe(202)
  await takeIn()
  await doDue(messageWork, foyer.services, other.user.customer.id)
  expect((await house()).filter((who) => !before.includes(who))).toEqual(['204 Ours'])
  const { data } = await foyer.get(roomGuests.list, { params: { property_id: its_property } }, other)
  expect(data.map(({ last_name }) => last_name)).toEqual(['Theirs'])
})

test('what is no message of ours names the field, and what is too large is refused as a whole', async () => {
  const data = stay('1', '204', 'Hart')
  const wrong: [unknown, string][] = [
    ['no json', ''],
    [{ type: 'stay.gone', occurred_at: occurred_at(), data }, 'type'],
    [{ type: 'stay.changed', data }, 'occurred_at'],
    [{ type: 'stay.changed', occurred_at: new Date(Date.now() + 3_600_000).toISOString(), data }, 'occurred_at'],
    [{ type: 'stay.changed', occurred_at: occurred_at(), data: { ...data, room: '' } }, 'data.room'],
    [
      { type: 'stay.changed', occurred_at: occurred_at(), data: { ...data, arrives_on: '2026-02-30' } },
      'data.arrives_on',
    ],
    [{ type: 'stays.all', occurred_at: occurred_at(), data: [data, data] }, 'data'],
  ]
  for (const [body, field] of wrong) {
    const { status, text } = await post(body)
    expect([status, text], text).toEqual([422, expect.stringContaining(field)])
  }
  expectRefused(await post(`{"a":"${'x'.repeat(7 * 1024 * 1024)}"}`), refusals.tooLarge)
  // The pages beside it take no more than before.
  const page = await foyer.guest?.inject({
    method: 'POST',
    url: '/p/nothing/sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `a=${'x'.repeat(20_000)}`,
  })
  expectRefused(page, { ...refusals.tooLarge, message: 'That did not work' })
})
