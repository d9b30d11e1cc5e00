// Tiles: each figure of the dashboard that opens a list equals the total of that list, for everybody who sees it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as dashboard from '#contract/dashboard.ts'
import * as properties from '#contract/properties.ts'
import { propertyWords } from '#contract/status.ts'
import * as vouchers from '#contract/vouchers.ts'
import { may } from '#server/access/policies.ts'
import { figureFilters } from '#web/resources/dashboard/figure-filters.ts'
import { idOf } from './calls.ts'
import { openWorld, type Insider, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  const { foyer, admin, own, sibling, people } = world
  const editor = people['customer editor']
  const [property_id, group_id, package_id] = [idOf(own, 'properties'), idOf(own, 'groups'), idOf(own, 'packages')]
  // Codes of the property, of its group, of a sibling, of ended and disabled batches, and some that are deleted.
  const batch = await foyer.voucherBatch(editor, { property_id, package_id, quantity: 5 })
  await foyer.voucherBatch(editor, { group_id, package_id, quantity: 7 })
  await foyer.voucherBatch(editor, { property_id: idOf(sibling, 'properties'), package_id, quantity: 3 })
  const [over, off, used] = [
    await foyer.voucherBatch(editor, { property_id, package_id, quantity: 11 }),
    await foyer.voucherBatch(editor, { property_id, package_id, quantity: 13, active: false }),
    await foyer.voucherBatch(editor, { property_id, package_id, quantity: 1 }),
  ]
  expect(off.status).toBe('disabled')
  await admin.query(`update voucher_batches set expires_at = now() - interval '1 hour' where id = $1`, [over.id])
  await admin.query('update vouchers set redeemed_at = now() where voucher_batch_id = $1', [used.id])
  await admin.query('update voucher_batches set redeemed = 1 where id = $1', [used.id])
  const { data: codes } = await foyer.get(vouchers.list, { params: { voucher_batch_id: batch.id } }, editor)
  await foyer.get(vouchers.deactivate, { ids: codes.slice(0, 2).map(({ id }) => id) }, editor)
  // A property that is removed, of whose guests one came today.
  const { id: removed } = await foyer.property(editor, { group_id })
  const { id: gateway } = await foyer.gateway(editor, { property_id: removed })
  await admin.query(
    `insert into radius_sessions (customer_id, property_id, gateway_id, session_key, acct_session_id, started_at, last_seen_at, stopped_at)
     select customer_id, property_id, id, 'today', 'today', now(), now(), now() from gateways where id = $1`,
    [gateway],
  )
  await admin.query(
    `insert into session_days (customer_id, property_id, group_id, day, sessions)
     select customer_id, id, group_id, local_day(now(), time_zone), 1 from properties where id = $1`,
    [removed],
  )
  await foyer.get(properties.remove, { id: removed }, editor)
  // One session that ended yesterday, in addition to those of the world, which have just begun.
  await admin.query(
    `update radius_sessions set started_at = now() - interval '3 days', created_at = now() - interval '3 days',
       stopped_at = now() - interval '2 days' where id = $1`,
    [idOf(sibling, 'radius_sessions')],
  )
})
afterAll(() => world.close())

const levels = ['customer', 'group', 'property'] as const
const everybody = levels.flatMap((level) =>
  (['editor', 'viewer', 'front desk'] as const).map((role): Insider => `${level} ${role}`),
)

test.each(everybody)('%s', async (name) => {
  const who = world.people[name]
  await world.rest()
  const { data } = await world.foyer.get(dashboard.get, {}, who)
  const totals: Record<string, number> = {}
  for (const [figure, { list, filters }] of Object.entries(figureFilters)) {
    if (!may(who.user, list)) continue
    const { text } = await world.send(list, { filters, count: true, per_page: 0 }, who)
    totals[figure] = (JSON.parse(text) as { meta: { total: number } }).meta.total
  }
  // Each active property is in exactly one state.
  const inStates = data.states.reduce((sum, { count }) => sum + count, 0)
  if (may(who.user, properties.list)) {
    const totalOf = async (filters: object) => {
      const { text } = await world.send(properties.list, { filters, count: true, per_page: 0 }, who)
      return (JSON.parse(text) as { meta: { total: number } }).meta.total
    }
    expect(inStates).toBe(await totalOf({ status: 'active' }))
    expect(await totalOf({ status: 'active', state: propertyWords })).toBe(inStates)
    for (const { word, count } of data.states) expect([word, await totalOf({ state: [word] })]).toEqual([word, count])
  }
  expect(data.standings.length).toBe(inStates)
  expect(Object.keys(totals).length).toBeGreaterThan(3)
  expect(data).toMatchObject(totals)
  // The codes belong to these batches.
  expect(data.vouchers_left >= data.batches_left).toBe(true)
})

test('codes that are left are good, unused and not taken back', async () => {
  const { data } = await world.foyer.get(dashboard.get, {}, world.people['property editor'])
  const { rows } = await world.admin.query<{ left: number }>(
    `select count(*)::integer as left from vouchers as v join voucher_batches as b on b.id = v.voucher_batch_id
     where b.property_id = $1 and b.active and b.deleted_at is null and coalesce(b.expires_at > now(), true)
       and v.redeemed_at is null and v.taken_back_at is null`,
    [idOf(world.own, 'properties')],
  )
  expect(data.vouchers_left).toBe(rows[0]?.left)
  expect(data.vouchers_left).toBeGreaterThanOrEqual(3)
})
