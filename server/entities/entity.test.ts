// Entities: what the compiler refuses, and members that are linked and unlinked.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as activity from '#contract/activity.ts'
import * as groups from '#contract/groups.ts'
import { callerOf } from '#server/access/authenticate.ts'
import { openTenancy, type Scope, type Tenancy } from '#server/access/tenancy.ts'
import { entity } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import type { ListInput } from '#server/entities/list-conditions.ts'
import { linkMembers, unlinkMembers } from '#server/entities/members.ts'
import { createRow, removeRow, updateRow } from '#server/entities/verbs.ts'
import { notFound } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

const Collection = z.object({ id: z.int(), name: z.string(), property_ids: z.array(z.int()) })
const collections = entity({
  table: 'collections',
  row: Collection.omit({ property_ids: true }),
  detail: Collection,
  members: {
    property_ids: { table: 'collection_properties', mine: 'collection_id', theirs: 'property_id', of: 'properties' },
  },
})

/** Never run: the compiler is the test. A line below `@ts-expect-error` that compiles is an error. */
export function doesNotCompile(scope: Scope, given: Omit<ListInput, 'sort'>) {
  const input = { ...given, params: {}, filters: {} }
  const named = { table: 'packages', row: z.object({ id: z.int() }), detail: z.object({ id: z.int() }) } as const
  entity(named)
  // @ts-expect-error a key of the answer without a column
  entity({ ...named, row: z.object({ id: z.int(), nmae: z.string() }) })
  entity({ ...named, row: z.object({ id: z.int(), nmae: z.string() }), computed: { nmae: sql`t.name` } })
  // @ts-expect-error a table that does not exist
  entity({ ...named, table: 'packets' })
  // @ts-expect-error a label that is not a column
  entity({ ...named, label: 'title' })
  // @ts-expect-error a table without a `name` needs a label
  entity({ ...named, table: 'rooms' })
  // @ts-expect-error a restriction by a column of another table
  entity({ ...named, restrict: [{ table: 'rooms', column: 'portal_id', noun: 'rooms', label: 'number' }] })
  // @ts-expect-error a join table with a misspelt column
  entity({ ...named, members: { ids: { table: 'team_users', mine: 'team', theirs: 'user_id', of: 'users' } } })
  // @ts-expect-error a required field that the answer does not have
  entity({ ...named, requiredUnlessDraft: ['city'] })
  // @ts-expect-error an owner by a column that does not exist
  entity({ ...named, belongs: { group_id: 'group_id' } })

  void listRows(scope, collections, { ...input, filters: { name: 'x' } })
  // @ts-expect-error a filter without a column
  void listRows(scope, collections, { ...input, filters: { nmae: 'x' } })
  // @ts-expect-error a parent without a column
  void listRows(scope, collections, { ...input, params: { room_id: 1 } })
  // @ts-expect-error an order without a column
  void listRows(scope, collections, { ...input, sort: '-title' })
  // @ts-expect-error another shape with a key without a column
  void listRows(scope, collections, input, z.object({ title: z.string() }))
  // @ts-expect-error a field that is not stored anywhere
  void createRow(scope, collections, { name: 'x', property_id: 1 })
  // @ts-expect-error the same for an update
  void updateRow(scope, collections, { id: 1, nmae: 'x' })
  // @ts-expect-error members that do not exist
  void linkMembers(scope, collections, { id: 1, field: 'user_ids', ids: [1] })

  void scope.insert('outbox_mails', { sent_at: new Date(), failed_at: sql`now()`, subject: undefined })
  // @ts-expect-error a misspelt column
  void scope.insert('outbox_mails', { sent_att: null })
  // @ts-expect-error a text for a number
  void scope.insert('rooms', { property_id: 'one' })
  // @ts-expect-error a misspelt column of one row of several
  void scope.insertMany('rooms', [{ number: '1' }, { nmuber: '2' }])
  // @ts-expect-error a column of another table
  void scope.change('rooms', [1], { portal_id: 1 })
  // @ts-expect-error null for a column that always has a value
  void scope.change('rooms', [1], { number: null })
  // @ts-expect-error a misspelt column of a join table
  void scope.unlink('team_users', { team: 1 })
  // @ts-expect-error records that cannot be removed
  void removeRow(scope, { ...named, table: 'activity' }, 1)
}

let foyer: TestFoyer
let tenancy: Tenancy
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  tenancy = openTenancy(foyer.database)
  editor = await foyer.customer()
})
afterAll(async () => {
  await tenancy.close()
  await foyer.close()
})
const asEditor = <R>(work: (scope: Scope) => Promise<R>) => {
  const { id, customer, name, email, user_type_id } = editor.user
  const whose = { customer_id: customer.id, customer_name: '', owner_name: '', group_id: null, property_id: null }
  const user = {
    ...whose,
    user_id: id,
    role: 'editor',
    name,
    email,
    user_type_id,
    second_factor_due: false,
    mails_wait: false,
  } as const
  return tenancy.enter(callerOf(user, null), 'write', work)
}

describe('members', () => {
  test('are linked and unlinked, each once, and that is logged', async () => {
    const property_ids = (await Promise.all([1, 2, 3].map(() => foyer.property(editor))))
      .map(({ id }) => id)
      .toSorted((a, b) => a - b)
    const [first = 0, second = 0] = property_ids
    const { id } = await asEditor((scope) => createRow(scope, collections, { name: 'Spa', property_ids: [first] }))
    const field = 'property_ids'
    const linked = await asEditor((scope) => linkMembers(scope, collections, { id, field, ids: property_ids }))
    expect(linked.property_ids).toEqual(property_ids)
    const left = await asEditor((scope) =>
      unlinkMembers(scope, collections, { id, field, ids: [first, second, first] }),
    )
    expect(left.property_ids).toEqual(property_ids.slice(2))
    const { data } = await foyer.get(activity.list, { filters: { object_type: 'collections' } }, editor)
    expect(data.map((line) => line.after?.[field])).toEqual([property_ids.slice(2), property_ids, [first]])
  })

  test('are refused as a whole if one is out of reach, and an absent record is not found', async () => {
    const foreign = (await foyer.property(await foyer.customer())).id
    const own = (await foyer.property(editor)).id
    const { id } = await asEditor((scope) => createRow(scope, collections, { name: 'Pool', property_ids: [] }))
    const link = { id, field: 'property_ids', ids: [own, foreign] } as const
    await expect(asEditor((scope) => linkMembers(scope, collections, link))).rejects.toMatchObject({
      status: 422,
      errors: { property_ids: ['The selected property ids is invalid.'] },
    })
    const elsewhere = { ...link, id: id + 1000, ids: [own] }
    await expect(asEditor((scope) => linkMembers(scope, collections, elsewhere))).rejects.toEqual(notFound())
  })
})

test('a group of 1,500 properties is saved', async () => {
  const made = await asEditor((scope) =>
    scope.run(sql<{ id: number }>`
      insert into properties (customer_id, name)
      select ${scope.customer_id}, 'Inn ' || i from generate_series(1, 1500) as i returning id`),
  )
  const property_ids = made.map(({ id }) => id)
  const { data } = await foyer.get(groups.create, { name: 'Inns', property_ids }, editor)
  expect(data.property_ids).toEqual(property_ids.toSorted((a, b) => a - b))
  await foyer.get(groups.update, { id: data.id, name: 'All inns', property_ids }, editor)
})
