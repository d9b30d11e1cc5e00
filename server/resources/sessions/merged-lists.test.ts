// Merged lists: the sessions of many properties, or of a batch's many vouchers, are one list in one order for every caller.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Input } from '#contract/endpoint.ts'
import * as sessions from '#contract/sessions.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

/** Three properties of a group, one of them long without guests, and one of another group; a batch whose vouchers are used in turn. */
async function place() {
  const [group, other] = [await foyer.group(editor), await foyer.group(editor)]
  const properties: number[] = []
  for (const group_id of [group.id, group.id, group.id, other.id]) {
    const { id: property_id } = await foyer.property(editor, { group_id })
    await foyer.gateway(editor, { property_id })
    properties.push(property_id)
  }
  const batch = await foyer.voucherBatch(editor, { group_id: group.id, quantity: 3 })
  const { rows } = await admin.query<{ id: number; property_id: number; word: string }>(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, auth_method_id, identifier,
       voucher_id, started_at, last_seen_at, stopped_at, created_at)
     select g.customer_id, g.id, g.property_id, i::text, i::text, 2, case when i % 2 = 0 then 'lobby' else 'room' end || i,
       (select array_agg(v.id order by v.id) from vouchers v where v.voucher_batch_id = $2)[1 + i % 3],
       at, at, case when i % 10 <> 3 then at end, at
     from generate_series(1, 240) as i cross join lateral (select now() - i * interval '1 minute' as at) as moment
     join gateways g on g.property_id = ($1::integer[])[case when i > 230 then 3 when i % 5 = 0 then 4 else 1 + i % 2 end]
     order by moment.at desc returning id::integer, property_id, identifier as word`,
    [properties, batch.id],
  )
  const ofGroup = rows.filter(({ property_id }) => property_id !== properties[3])
  return { group, batch, properties, ofGroup, all: rows, idsOf: (some: typeof rows) => some.map(({ id }) => id) }
}

type Ask = Input<typeof sessions.list>
const listed = (ask: Ask, who: Person) => foyer.get(sessions.list, ask, who)

/** All pages. */
async function readAll(ask: Ask, who: Person) {
  const ids: number[] = []
  const totals: number[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, meta } = await listed({ ...ask, ...(cursor && { cursor }) }, who)
    ids.push(...data.map(({ id }) => id))
    totals.push(meta.total)
    cursor = meta.next_cursor
  }
  return { ids, totals }
}

test('those of a group come in one order, page by page, with the number that is left', async () => {
  const its = await place()
  const leader = await foyer.invited(editor, { owner_type: 'Group', owner_id: its.group.id })
  const expected = its.idsOf(its.ofGroup)
  const asks: [Ask, Person][] = [
    [{ filters: { group_id: [its.group.id] } }, editor],
    [{ params: { group_id: its.group.id } }, editor],
    [{}, leader],
  ]
  for (const [ask, who] of asks) {
    const { ids, totals } = await readAll(ask, who)
    expect(ids).toEqual(expected)
    expect(totals).toEqual(expected.flatMap((_, index) => (index % 50 === 0 ? [expected.length - index] : [])))
    const counted = await listed({ ...ask, count: true, per_page: 0 }, who)
    expect(counted.meta.total).toBe(expected.length)
    const excludeIds = expected.slice(0, 10)
    expect((await listed({ ...ask, excludeIds }, who)).data.map(({ id }) => id)).toEqual(expected.slice(10, 60))
    const words = await listed({ ...ask, searchValue: 'lobby', per_page: 200 }, who)
    expect(words.data.map(({ id }) => id)).toEqual(
      its.idsOf(its.ofGroup.filter(({ word }) => word.startsWith('lobby'))),
    )
    const online = await listed({ ...ask, filters: { ...ask.filters, online: [true] } }, who)
    expect(online.data.map(({ id }) => id)).toEqual(its.idsOf(its.ofGroup.filter(({ word }) => word.endsWith('3'))))
  }
})

test('those of one property, and of a batch, are the same for the group and the customer', async () => {
  const its = await place()
  const leader = await foyer.invited(editor, { owner_type: 'Group', owner_id: its.group.id })
  const [property_id = 0, , , foreign = 0] = its.properties
  const ofProperty = its.idsOf(its.all.filter((row) => row.property_id === property_id))
  const newest = { per_page: 200, params: { property_id } }
  for (const who of [editor, leader]) {
    expect((await listed(newest, who)).data.map(({ id }) => id)).toEqual(ofProperty)
    const both = await listed({ ...newest, filters: { group_id: [its.group.id] } }, who)
    expect(both.data.map(({ id }) => id)).toEqual(ofProperty)
  }
  expect((await readAll({ params: { voucher_batch_id: its.batch.id } }, editor)).ids).toEqual(its.idsOf(its.all))
  // Sessions of another group's guests on the batch are left out.
  expect((await readAll({ params: { voucher_batch_id: its.batch.id } }, leader)).ids).toEqual(its.idsOf(its.ofGroup))
  expectRefused(
    await foyer.ask(sessions.list, { params: { property_id: foreign } }, leader),
    invalid({ 'params.property_id': [selectedInvalid('property_id')] }),
  )
})
