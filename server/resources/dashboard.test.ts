// Dashboard, as callers use it: what needs attention, since when, and what an installation still lacks.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as dashboard from '#contract/dashboard.ts'
import * as properties from '#contract/properties.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

test('a new installation has nothing yet, and two rows of 30 days that end today', async () => {
  const editor = await foyer.customer()
  const { data } = await foyer.get(dashboard.get, {}, editor)
  expect(data).toMatchObject({ properties: 0, voucher_batches: 0, gateways: 0, ever_online: false, attention: [] })
  expect([data.days.length, data.days_before.length]).toEqual([30, 30])
  const all = [...data.days_before, ...data.days].map(({ day }) => day)
  expect(all).toEqual(all.toSorted())
  expect(new Set(all).size).toBe(60)
})

test('a draft, a property without a portal and a batch that runs out need attention, each since its own time', async () => {
  const editor = await foyer.customer()
  const draft = (await foyer.get(properties.create, { name: 'Half done', draft: true }, editor)).data
  const bare = await foyer.property(editor)
  const batch = await foyer.voucherBatch(editor, { property_id: bare.id, quantity: 20 })
  const kinds = async () =>
    (await foyer.get(dashboard.get, {}, editor)).data.attention.map(({ kind, id, property_id, left }) => [
      kind,
      id,
      property_id,
      left,
    ])
  expect(await kinds()).toEqual([
    ['property_without_portal', bare.id, bare.id, null],
    ['property_without_package', bare.id, bare.id, null],
    ['draft_property', draft.id, draft.id, null],
  ])
  const admin = await connect(foyer.database.adminUrl)
  await admin.query('update voucher_batches set redeemed = 16 where id = $1', [batch.id])
  await admin.end()
  expect((await kinds())[0]).toEqual(['voucher_batch_low', batch.id, bare.id, 4])
  // A newer batch for the same place takes its place.
  await foyer.voucherBatch(editor, { property_id: bare.id, package_id: batch.package.id, quantity: 20 })
  expect((await kinds()).map(([kind]) => kind)).not.toContain('voucher_batch_low')
  const { attention } = (await foyer.get(dashboard.get, {}, editor)).data
  for (const { since } of attention) expect(Date.parse(since)).toBeLessThanOrEqual(Date.now() + 60_000)
})

test('people of a property see the attention and the newest accounts of their own alone', async () => {
  const editor = await foyer.customer()
  const [own, other] = [await foyer.property(editor), await foyer.property(editor)]
  await foyer.get(accounts.create, { name: 'Own guest', property_id: own.id }, editor)
  await foyer.get(accounts.create, { name: 'Other guest', property_id: other.id }, editor)
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: own.id })
  const { data } = await foyer.get(dashboard.get, {}, desk)
  expect(data.newest_accounts.map(({ name }) => name)).toEqual(['Own guest'])
  expect(new Set(data.attention.map(({ property_id }) => property_id))).toEqual(new Set([own.id]))
  expect(data.properties).toBe(1)
})
