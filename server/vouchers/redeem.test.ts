// Redeeming: exactly as many devices get in as the voucher allows, however many try at once and on whichever node.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as batches from '#contract/voucher-batches.ts'
import { connect } from '#server/db/logins.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { openSeal } from '#server/secrets/seal.ts'
import { openTenancy, type Tenancy } from '#server/access/tenancy.ts'
import { redeemCode, type Redemption } from '#server/vouchers/redeem.ts'
import { openFoyer, patient, type Person, type TestFoyer } from '#test/foyer.ts'
import { codesOf, withCode } from '#test/voucher-codes.ts'

let foyer: TestFoyer
let admin: Client
/** Two nodes, each with its own connections. */
let nodes: [Tenancy, Tenancy]
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  const { codes } = foyer.services
  nodes = [openTenancy(foyer.database, { ...patient, codes }), openTenancy(foyer.database, { ...patient, codes })]
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await admin.end()
  await foyer.close()
})

const mac = (number: number) =>
  `02:00:00:00:${(number >> 8).toString(16).padStart(2, '0')}:${(number & 255).toString(16).padStart(2, '0')}`
let turn = 0
type Typed = Parameters<typeof redeemCode>[2]
const attempt = (who: Person, values: Omit<Typed, 'credentials'> & Partial<Typed>): Promise<Redemption> =>
  nodes[turn++ % 2 === 0 ? 0 : 1].enter(callerOfJob(who.user.customer.id, 'test'), 'write', (scope) =>
    redeemCode(scope, openSeal(foyer.database.secretKeys), { credentials: null, ...values }),
  )
const resultOf = (outcome: Redemption) => (outcome.admitted ? 'admitted' : outcome.reason)

async function batchOf(editor: Person, wifi: Parameters<TestFoyer['package']>[1], values: object = {}) {
  const property = await foyer.property(editor)
  const { id: package_id } = await foyer.package(editor, wifi)
  const batch = await foyer.voucherBatch(editor, { quantity: 1, package_id, property_id: property.id, ...values })
  const [code = ''] = await codesOf(admin, batch.id)
  return { batch, code, property_id: property.id }
}
const redeemedOf = async (id: number, who: Person) => (await foyer.get(batches.get, { id }, who)).data.redeemed

test('of 20 devices at once exactly one gets in where one is allowed, and three where three are', async () => {
  const editor = await foyer.customer()
  for (const max_users of [1, 3]) {
    const { batch, code, property_id } = await batchOf(editor, { max_users })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => attempt(editor, { code, property_id, mac_address: mac(index) })),
    )
    expect(outcomes.filter(({ admitted }) => admitted)).toHaveLength(max_users)
    expect(outcomes.filter((outcome) => resultOf(outcome) === 'device_limit')).toHaveLength(20 - max_users)
    expect(await redeemedOf(batch.id, editor)).toBe(1)
  }
})

test('one code of an event lets in as many devices as its batch allows, whatever the package says', async () => {
  const editor = await foyer.customer()
  const { code, property_id } = await batchOf(editor, { max_users: 1 }, { devices: 3 })
  const outcomes = []
  for (let index = 0; index < 5; index++)
    outcomes.push(resultOf(await attempt(editor, { code, property_id, mac_address: mac(index) })))
  expect(outcomes).toEqual(['admitted', 'admitted', 'admitted', 'device_limit', 'device_limit'])
})

test('one device that asks twenty times at once gets in each time and counts once', async () => {
  const editor = await foyer.customer()
  const { batch, code, property_id } = await batchOf(editor, { max_users: 1 })
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => attempt(editor, { code, property_id, mac_address: mac(1) })),
  )
  expect(outcomes.map(resultOf)).toEqual(Array(20).fill('admitted'))
  expect(await redeemedOf(batch.id, editor)).toBe(1)
  expect(resultOf(await attempt(editor, { code, property_id, mac_address: mac(2) }))).toBe('device_limit')
})

test('the clock starts at the first use, once; with a fixed end or a renewed allowance there is none', async () => {
  const editor = await foyer.customer()
  const clock = async (wifi: object, values: object = {}) => {
    const { code, property_id } = await batchOf(editor, { session_time_hrs: 24, ...wifi }, values)
    for (const number of [1, 2])
      expect(resultOf(await attempt(editor, { code, property_id, mac_address: mac(number) }))).toBe('admitted')
    const { rows } = await admin.query<{ hours: number | null }>(
      `select extract(epoch from expires_at - redeemed_at)::float / 3600 as hours from vouchers where ${withCode()}`,
      [code],
    )
    return rows[0]?.hours
  }
  expect(await clock({})).toBe(24)
  expect(await clock({ session_time_hrs: 0 })).toBeNull()
  expect(await clock({}, { expires_at: '2999-01-01T00:00:00Z' })).toBeNull()
  expect(await clock({ recurs: 'daily' })).toBeNull()
})

test('a voucher is valid in its property, or in every property of its group, and nowhere else', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const [inside, outside] = [await foyer.property(editor, { group_id: group.id }), await foyer.property(editor)]
  const { id: package_id } = await foyer.package(editor)
  const batch = await foyer.voucherBatch(editor, { package_id, group_id: group.id, quantity: 1 })
  const [code = ''] = await codesOf(admin, batch.id)
  const at = async (property_id: number) => resultOf(await attempt(editor, { code, property_id, mac_address: mac(1) }))
  expect(await at(outside.id)).toBe('unknown')
  expect(await redeemedOf(batch.id, editor)).toBe(0)
  expect(await at(inside.id)).toBe('admitted')
  const neighbour = await foyer.customer()
  expect(resultOf(await attempt(neighbour, { code, property_id: inside.id, mac_address: mac(1) }))).toBe('unknown')
})

test('a batch with a password lets nobody in without it, nor when it is disabled', async () => {
  const editor = await foyer.customer()
  const { batch, code, property_id } = await batchOf(editor, {}, { password: 'Frühstück' })
  const tryWith = async (password?: string) =>
    resultOf(
      await attempt(editor, {
        code,
        property_id,
        mac_address: mac(1),
        credentials: password === undefined ? { kind: 'none' } : { kind: 'password', password },
      }),
    )
  expect(await tryWith()).toBe('password')
  expect(await tryWith('frühstück')).toBe('password')
  expect(await tryWith(' Frühstück'.normalize('NFD'))).toBe('admitted')
  await foyer.get(batches.deactivate, { ids: [batch.id] }, editor)
  expect(await tryWith('Frühstück')).toBe('batch_disabled')
})
