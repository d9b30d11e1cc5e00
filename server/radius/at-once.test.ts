// At once: requests that come together are decided together, with the same result as one after the other.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { attemptReasons } from '#contract/sign-in-attempts.ts'
import { masked } from '#contract/vouchers.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { makePass } from '#server/admission/passes.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { textIn, type Answered, type RadiusRequest } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'
import { codesOf } from '#test/voucher-codes.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
})

async function site() {
  const property = await foyer.property(editor)
  const { made, gateway } = await radius.gatewayAt(property.id)
  const sign = (asked: RadiusRequest) => gateway.access({ calling_station_id: aMacAddress(), ...asked })
  return { property, made, gateway, sign }
}
const atOnce = <T>(count: number, one: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)))
const outcome = (answer: Answered) =>
  answer.code === code.access_accept ? 'accepted' : textIn(answer, attribute.reply_message)
const countOf = (answers: Answered[]) =>
  Object.fromEntries([...Map.groupBy(answers, outcome)].map(([word, each]) => [word, each.length]))

test('of 20 devices at once on an account for one, exactly one gets in', async () => {
  const { property, sign } = await site()
  const { id: package_id } = await foyer.package(editor, { max_users: 1 })
  await foyer.account(editor, { property_id: property.id, package_id, username: 'one', password: 'only for one' })
  const answers = await atOnce(20, () => sign({ user_name: 'one', password: 'only for one' }))
  expect(countOf(answers)).toEqual({ accepted: 1, [attemptReasons.device_limit]: 19 })
})

test('of 20 devices at once on a voucher for three, through two gateways, exactly three get in', async () => {
  const { property, sign } = await site()
  const { gateway: other } = await radius.gatewayAt(property.id)
  const { id: package_id } = await foyer.package(editor, { max_users: 3 })
  const batch = await foyer.voucherBatch(editor, { quantity: 1, property_id: property.id, package_id })
  const [user_name = ''] = await codesOf(admin, batch.id)
  const answers = await atOnce(20, (index) =>
    index % 2 === 0 ? sign({ user_name }) : other.access({ user_name, calling_station_id: aMacAddress() }),
  )
  expect(countOf(answers)).toEqual({ accepted: 3, [attemptReasons.device_limit]: 17 })
  const kept = await admin.query<{ identifier: string }>(
    'select distinct identifier from radius_authorisations where property_id = $1',
    [property.id],
  )
  expect(kept.rows).toEqual([{ identifier: masked(user_name) }])
})

test('a device that asks twenty times at once gets in each time, and holds one place', async () => {
  const { property, sign } = await site()
  const { id: package_id } = await foyer.package(editor, { max_users: 1 })
  await foyer.account(editor, { property_id: property.id, package_id, username: 'same', password: 'the same device' })
  const calling_station_id = aMacAddress()
  const answers = await atOnce(20, () => sign({ user_name: 'same', password: 'the same device', calling_station_id }))
  expect(countOf(answers)).toEqual({ accepted: 20 })
})

test('simultaneous guesses are limited like those that come one after the other', async () => {
  const { property, sign } = await site()
  await foyer.account(editor, { property_id: property.id, username: 'dora', password: 'not to be guessed' })
  const calling_station_id = aMacAddress()
  const answers = await atOnce(60, (index) =>
    sign({ user_name: 'dora', password: `guess ${index}`, calling_station_id }),
  )
  expect(countOf(answers)).toEqual({ [attemptReasons.wrong_password]: 10, [attemptReasons.too_many_tries]: 50 })
})

test('a pass that several devices show at once lets one of them in, as often as that one asks', async () => {
  const { property, made, gateway } = await site()
  const account = await foyer.account(editor, { property_id: property.id, username: 'erin', password: 'her password' })
  const devices = Array.from({ length: 4 }, () => aMacAddress())
  const caller = callerOfGateway({ ...made, customer_id: editor.user.customer.id, property_id: property.id, name: '' })
  const { username: user_name, password } = await foyer.services.tenancy.enter(caller, 'write', (scope) =>
    makePass(scope, foyer.services.seal, {
      gateway_id: made.id,
      mac_address: null,
      auth_method_id: 3,
      holder: { kind: 'account', id: account.id },
    }),
  )
  const answers = await atOnce(8, (index) =>
    gateway.access({ user_name, password, calling_station_id: devices[index % 4] ?? '' }),
  )
  expect(countOf(answers)).toEqual({ accepted: 2, [attemptReasons.pass_over]: 6 })
  const marks = answers.map((answer) => textIn(answer, attribute.class)).filter((mark) => mark !== undefined)
  expect(new Set(marks).size).toBe(1)
})

test('an account whose password cannot be read keeps nobody else out', async () => {
  const { property, gateway, sign } = await site()
  const names = Array.from({ length: 6 }, (_, index) => `guest ${index}`)
  for (const username of names)
    await foyer.account(editor, { property_id: property.id, username, password: 'a good password' })
  await admin.query(
    `update account_passwords set sealed_password = '\\x00'::bytea
     where account_id = (select id from accounts where property_id = $1 and username = 'guest 2')`,
    [property.id],
  )
  const asked = { user_name: 'guest 2', password: 'a good password', calling_station_id: aMacAddress() }
  const broken = gateway.send(gateway.accessPacket(asked), radius.ports.access, 1000)
  const others = names.filter((name) => name !== 'guest 2')
  const answers = await atOnce(others.length, (index) =>
    sign({ user_name: others[index] ?? '', password: 'a good password' }),
  )
  expect(countOf(answers)).toEqual({ accepted: 5 })
  expect(await broken).toBeNull()
})
