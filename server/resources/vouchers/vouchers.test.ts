// Vouchers, as a desk tests them.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as packages from '#contract/packages.ts'
import * as activity from '#contract/activity.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { refusals, selectedIdsInvalid } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { waysToType } from '#test/typed-codes.ts'
import { codesOf, withCode } from '#test/voucher-codes.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

async function codeOf(batch_id: number): Promise<string> {
  const [code = ''] = await codesOf(admin, batch_id)
  return code
}
const validate = (code: string, who: Person, batch_id?: number) => foyer.ask(vouchers.validate, { code, batch_id }, who)
const check = async (code: string, who: Person, batch_id?: number) => {
  const answer = await validate(code, who, batch_id)
  return answer.status === 200 ? answer.body.data : answer.status
}

test('a code that is good in a whole group is shown with the group, marked as such', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const batch = await foyer.voucherBatch(editor, { group_id: group.id, property_id: null })
  const state = await check(await codeOf(batch.id), editor)
  expect(state).toMatchObject({ property: group.name, good_in: 'group' })
})

test('a code is found however it is typed, and shows what it is good for; asking does not use it up', async () => {
  const editor = await foyer.customer()
  const wifi = await foyer.package(editor, { volume_gb: 2, speed_mbps: 20, session_time_hrs: 24 })
  const property = await foyer.property(editor)
  const batch = await foyer.voucherBatch(editor, { package_id: wifi.id, property_id: property.id, speed_mbps: 50 })
  const code = await codeOf(batch.id)
  const shown = `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`
  const expected = {
    id: expect.any(Number) as number,
    code: shown,
    state: 'valid',
    reason: vouchers.reasons.valid_unused,
    property: property.name,
    good_in: 'property',
    batch_number: batch.batch_number,
    package: { name: wifi.name, volume_gb: 2, speed: 50 },
    redeemed: false,
    redeemed_at: null,
    expires_at: null,
    taken_back_at: null,
    data_used: 0,
  }
  for (const typed of [...waysToType(code), code.split('').join(' ')])
    expect(await check(typed, editor)).toEqual(expected)
  expect((await foyer.get(vouchers.findByCode, { code: shown }, editor)).data).toEqual(expected)
  expect((await foyer.get(batches.get, { id: batch.id }, editor)).data.redeemed).toBe(0)
})

test('the list of codes says why in the language of whoever asks, as the test of a code does', async () => {
  const editor = await foyer.customer()
  const { id } = await foyer.voucherBatch(editor)
  const german = { 'accept-language': 'de' }
  const listed = await foyer.ask(vouchers.list, { params: { voucher_batch_id: id } }, editor, german)
  const checked = await foyer.ask(vouchers.validate, { code: await codeOf(id) }, editor, german)
  expect(listed.body.data[0]?.reason).toBe(checked.body.data.reason)
  expect(checked.body.data.reason).not.toBe(vouchers.reasons.valid_unused)
})

test('every state of a voucher is shown, with its reason', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const wifi = await foyer.package(editor, { volume_gb: 1, max_users: 2, session_time_hrs: 1 })
  const batch = await foyer.voucherBatch(editor, { quantity: 1, package_id: wifi.id, group_id: group.id })
  const code = await codeOf(batch.id)
  const reason = async () => {
    const found = await check(code, editor)
    return typeof found === 'number' ? found : found.reason
  }
  const set = (change: string) => admin.query(`update vouchers set ${change} where ${withCode()}`, [code])
  const { reasons } = vouchers
  const isInUse = async () => {
    const { data } = await foyer.get(vouchers.list, { params: { voucher_batch_id: batch.id } }, editor)
    return data.map(({ in_use }) => in_use)
  }

  expect(await isInUse()).toEqual([false])
  expect(await check(code, editor)).toMatchObject({ property: group.name, reason: reasons.valid_unused })
  await set(`redeemed_at = now(), expires_at = now() + interval '1 hour', bytes_used = 250e6`)
  expect(await check(code, editor)).toMatchObject({
    state: 'valid',
    reason: reasons.valid_active,
    redeemed: true,
    data_used: 0.25,
  })
  const devices = `
    insert into guest_devices (customer_id, voucher_id, mac_address)
    select customer_id, id, $2::macaddr from vouchers where ${withCode()}`
  for (const mac of ['02:00:00:00:00:01', '02:00:00:00:00:02']) await admin.query(devices, [code, mac])
  expect(await check(code, editor)).toMatchObject({ state: 'invalid', reason: reasons.device_limit })
  expect(await isInUse()).toEqual([true])
  await set('bytes_used = 1e9')
  expect(await reason()).toBe(reasons.data_used_up)
  expect(await isInUse()).toEqual([false])
  await set('expires_at = now()')
  expect(await reason()).toBe(reasons.time_used_up)
  await admin.query(`update voucher_batches set expires_at = now() where id = $1`, [batch.id])
  expect(await reason()).toBe(reasons.expired)
  await admin.query(`update voucher_batches set valid_from = now() + interval '1 hour' where id = $1`, [batch.id])
  expect(await reason()).toBe(reasons.not_yet_valid)
  await foyer.get(packages.deactivate, { ids: [wifi.id] }, editor)
  expect(await reason()).toBe(reasons.package_disabled)
  const { data: codes } = await foyer.get(vouchers.list, { params: { voucher_batch_id: batch.id } }, editor)
  await foyer.get(vouchers.deactivate, { ids: codes.map(({ id }) => id) }, editor)
  expect(await reason()).toBe(reasons.taken_back)
  await foyer.get(batches.deactivate, { ids: [batch.id] }, editor)
  expect(await reason()).toBe(reasons.batch_disabled)
  await foyer.get(batches.remove, { id: batch.id }, editor)
  expectRefused(await validate(code, editor), notFound())
})

test('an allowance that is renewed daily is good again the day after it was used up', async () => {
  const editor = await foyer.customer()
  const wifi = await foyer.package(editor, { volume_gb: 1, recurs: 'daily' })
  const batch = await foyer.voucherBatch(editor, { package_id: wifi.id })
  const code = await codeOf(batch.id)
  // A day begins and ends by the property's zone: no other zone may decide what "today" was.
  const used = (began: string) =>
    admin.query(
      `insert into usage_periods (customer_id, voucher_id, starts_at, bytes_used)
       select v.customer_id, v.id,
         (date_trunc('day', now() at time zone p.time_zone) + $2::interval) at time zone p.time_zone, 1e9
       from vouchers as v join voucher_batches as b on b.id = v.voucher_batch_id
         join properties as p on p.id = b.property_id
       where v.${withCode()}`,
      [code, began],
    )
  await admin.query(
    `update vouchers set redeemed_at = now() - interval '2 days', bytes_used = 2e9 where ${withCode()}`,
    [code],
  )
  await used('-1 day')
  expect(await check(code, editor)).toMatchObject({ state: 'valid', data_used: 0 })
  await used('0')
  expect(await check(code, editor)).toMatchObject({ reason: vouchers.reasons.data_used_up, data_used: 1 })
})

test("a code that is unknown, out of reach or another batch's is not found", async () => {
  const editor = await foyer.customer()
  const [group, sibling] = [await foyer.group(editor), await foyer.group(editor)]
  const [here, next, there] = [
    await foyer.property(editor, { group_id: group.id }),
    await foyer.property(editor, { group_id: group.id }),
    await foyer.property(editor, { group_id: sibling.id }),
  ]
  const { id: package_id } = await foyer.package(editor)
  const batch = (place: object) => foyer.voucherBatch(editor, { package_id, quantity: 1, ...place })
  const [mine, nexts, wide, theirs, siblings] = [
    await batch({ property_id: here.id }),
    await batch({ property_id: next.id }),
    await batch({ group_id: group.id }),
    await batch({ property_id: there.id }),
    await batch({ group_id: sibling.id }),
  ]
  const foreign = await foyer.voucherBatch(await foyer.customer())
  const finds = async (who: Person) => {
    const found = []
    for (const { id } of [mine, nexts, wide, theirs, siblings, foreign])
      found.push((await check(await codeOf(id), who)) !== 404)
    return found
  }
  expect(await finds(editor)).toEqual([true, true, true, true, true, false])
  expect(await finds(await foyer.viewer(editor, { owner_type: 'Group', owner_id: group.id }))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  expect(await finds(await foyer.viewer(editor, { owner_type: 'Property', owner_id: here.id }))).toEqual([
    true,
    false,
    true,
    false,
    false,
    false,
  ])

  expectRefused(await validate('ABCD-EFGH-JKMN', editor), notFound())
  expect(await check(await codeOf(mine.id), editor, mine.id)).toMatchObject({ state: 'valid' })
  expectRefused(await validate(await codeOf(mine.id), editor, wide.id), notFound())
  const absent = await foyer.ask(vouchers.validate, { code: 'ABCD-EFGH-JKMN' }, editor)
  const outOfReach = await foyer.ask(vouchers.validate, { code: await codeOf(foreign.id) }, editor)
  expect(outOfReach.text).toBe(absent.text)
})

test('input that is too short to be a code is refused with the message of the dialog', async () => {
  const editor = await foyer.customer()
  for (const [code, sentence] of [
    ['', 'A voucher code is required'],
    ['A-B-C', 'A minimum of 5 characters is required'],
  ] as const) {
    const refused = await foyer.ask(vouchers.validate, { code }, editor)
    expectRefused(refused, invalid({ code: [sentence] }))
  }
})

test('after 30 checks in a minute a user has to wait, and nobody else has to', async () => {
  const editor = await foyer.customer()
  const colleague = await foyer.viewer(editor)
  const asks = { code: 'ABCD-EFGH-JKMN' }
  for (let tries = 0; tries < 15; tries++) {
    expectRefused(await foyer.ask(vouchers.validate, asks, editor), notFound())
    expectRefused(await foyer.ask(vouchers.findByCode, asks, editor), notFound())
  }
  expectRefused(await foyer.ask(vouchers.findByCode, asks, editor), refusals.tooMany)
  const refused = await foyer.ask(vouchers.validate, asks, editor)
  expectRefused(refused, refusals.tooMany)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expectRefused(await validate('ABCD-EFGH-JKMN', colleague), notFound())
})

test('the desk takes one code back and gives it again, and the log shows its last characters', async () => {
  const editor = await foyer.customer()
  const property = await foyer.property(editor)
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: property.id, user_type_id: 3 })
  const batch = await foyer.voucherBatch(editor, { property_id: property.id, quantity: 2 })
  const listed = await foyer.get(vouchers.list, { params: { voucher_batch_id: batch.id } }, desk)
  const [taken] = listed.data
  if (!taken) throw new Error('a batch has codes')
  expect((await foyer.get(vouchers.deactivate, { ids: [taken.id] }, desk)).data).toEqual({ ids: [taken.id] })
  expect((await foyer.get(vouchers.list, { params: { voucher_batch_id: batch.id } }, desk)).data).toMatchObject([
    {
      id: taken.id,
      state: 'invalid',
      reason: vouchers.reasons.taken_back,
      taken_back_at: expect.any(String) as string,
    },
    { state: 'valid', taken_back_at: null },
  ])
  expect((await foyer.get(batches.get, { id: batch.id }, desk)).data).toMatchObject({ left: 1, redeemed: 0 })
  const log = await foyer.get(activity.list, { filters: { object_type: 'vouchers' } }, editor)
  expect(log.data).toMatchObject([{ action: 'deactivate', object_name: vouchers.masked(taken.code) }])
  expect((await foyer.get(vouchers.activate, { id: taken.id }, desk)).data).toMatchObject({
    id: taken.id,
    state: 'valid',
    taken_back_at: null,
  })
  const viewer = await foyer.viewer(editor)
  expectRefused(await foyer.ask(vouchers.deactivate, { ids: [taken.id] }, viewer), forbidden())
  await foyer.get(batches.remove, { id: batch.id }, editor)
  expectRefused(
    await foyer.ask(vouchers.deactivate, { ids: [taken.id] }, editor),
    invalid({ ids: [selectedIdsInvalid] }),
  )
})
