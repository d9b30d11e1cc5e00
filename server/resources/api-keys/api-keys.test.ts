// API keys, as programs use them: shown once, limited, counted, logged, and never allowed more than their owner.
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import { refusals, selectedInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { connect } from '#server/db/logins.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { aProperty, openFoyer, unique, type Asker, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused, tooMuchOf } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
beforeEach(async () => void (await admin.query('delete from rate_limits')))
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

const propertiesOf = async (program: Asker) =>
  (await foyer.get(properties.list, {}, program)).data.map(({ id }) => id).toSorted((one, two) => one - two)
const expectOver = async (program: Asker) =>
  expectRefused(await foyer.ask(properties.list, {}, program), refusals.unauthenticated)

test('a key of each kind is made, shown once, listed with its parent, and deleted', async () => {
  const group = await foyer.group(editor)
  const property = await foyer.property(editor, { group_id: group.id })
  const fields = { name: unique('Key'), permissions: ['write:rooms', 'read'], email: 'it@example.com' }
  const made = [
    (await foyer.get(apiKeys.createForUser, fields, editor)).data,
    (await foyer.get(apiKeys.createForGroup, { ...fields, group_id: group.id }, editor)).data,
    (await foyer.get(apiKeys.createForProperty, { ...fields, property_id: property.id }, editor)).data,
  ]
  for (const { token, token_start, ...key } of made) {
    expect(token).toMatch(/^foyer_[\w-]{43}$/)
    expect(token.startsWith(token_start)).toBe(true)
    expect(token_start).toHaveLength(11)
    expect(key).toMatchObject({ ...fields, api_key_name: fields.name, status: 'active', last_used_at: null })
    expect(key.created_by).toEqual({ id: editor.user.id, name: editor.user.name })
  }
  const lists = [
    await foyer.get(apiKeys.listOfUser, {}, editor),
    await foyer.get(apiKeys.listOfGroup, { group_id: group.id, params: {} }, editor),
    await foyer.get(apiKeys.listOfProperty, { property_id: property.id, params: {} }, editor),
  ]
  for (const [index, { data, meta }] of lists.entries()) {
    const { token: _, ...shown } = made[index] ?? { token: '' }
    expect(data).toContainEqual(shown)
    expect(meta.to).toBe(meta.total)
    expect(JSON.stringify(data)).not.toContain(made[index]?.token)
  }
  // The parent may be given in `params`, too, as for any list.
  expect((await foyer.get(apiKeys.listOfGroup, { params: { group_id: group.id } }, editor)).data).toHaveLength(1)
  expectRefused(await foyer.ask(apiKeys.listOfGroup, {}, editor), invalid({ group_id: [messages.fields.required] }))

  const [ofUser, ofGroup, ofProperty] = made.map(({ id }) => id)
  const other = await foyer.group(editor)
  expectRefused(await foyer.ask(apiKeys.removeOfUser, { id: ofGroup ?? 0 }, editor), notFound())
  expectRefused(await foyer.ask(apiKeys.removeOfGroup, { id: ofGroup ?? 0, group_id: other.id }, editor), notFound())
  await foyer.get(apiKeys.removeOfUser, { id: ofUser ?? 0 }, editor)
  await foyer.get(apiKeys.removeOfGroup, { id: ofGroup ?? 0, group_id: group.id }, editor)
  await foyer.get(apiKeys.removeOfProperty, { id: ofProperty ?? 0, property_id: property.id }, editor)
  for (const { token } of made) await expectOver({ token, context: '' })
})

test('what a key lacks is reported at its field', async () => {
  const permissions = ['read']
  const create = (values: Record<string, unknown>) => foyer.send(apiKeys.createForUser, values, editor)
  expectRefused(await create({ permissions }), invalid({ name: ['Please give a value, or leave this out'] }))
  expect((await create({ permissions, api_key_name: unique('Key') })).status).toBe(201)
  expectRefused(
    await create({ name: 'One', api_key_name: 'Other', permissions }),
    invalid({ api_key_name: ['Give one name: api_key_name is the same as name'] }),
  )
  expectRefused(await create({ name: 'Key', permissions: [] }), invalid({ permissions: [messages.fields.required] }))
  for (const wrong of ['write:users', 'write:api_keys', 'admin', 'read:nothing', 'full:billing'])
    expectRefused(await create({ name: 'Key', permissions: [wrong] }), {
      ...refusals.invalid,
      errors: { 'permissions.0': [/^Please choose one of: read, write, full, read:accounts, /] },
    })
  expectRefused(
    await create({ name: 'Key', permissions, expires_at: '2020-01-01T00:00:00Z' }),
    invalid({ expires_at: ['Please choose a time in the future'] }),
  )
  const group = await foyer.group(editor)
  const elsewhere = await foyer.property(editor)
  const beyond = { name: 'Key', permissions, group_id: group.id, property_ids: [elsewhere.id] }
  expectRefused(
    await foyer.send(apiKeys.createForGroup, beyond, editor),
    invalid({ property_ids: [selectedInvalid('property_ids')] }),
  )
})

test('the token is stored only as a hash, and nowhere in plain text', async () => {
  const key = 'once and again'
  const asked = { name: unique('Key'), permissions: ['read'] }
  const first = await foyer.ask(apiKeys.createForUser, asked, editor, { 'idempotency-key': key })
  const { token } = first.body.data
  const { rows: tables } = await admin.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  )
  const secret = token.slice(first.body.data.token_start.length)
  for (const { name } of tables) {
    const { rows } = await admin.query(`select from ${name} t where t::text like '%' || $1 || '%' limit 1`, [secret])
    expect(rows, name).toEqual([])
  }
  // The same request gets the same answer, which is kept sealed for a day, and makes no second key.
  const again = await foyer.ask(apiKeys.createForUser, asked, editor, { 'idempotency-key': key })
  expect(again.body).toEqual(first.body)
  const named = (await foyer.get(apiKeys.listOfUser, { searchValue: asked.name }, editor)).data
  expect(named).toHaveLength(1)
  const { data: log } = await foyer.get(activity.list, { filters: { object_type: 'api_keys' } }, editor)
  expect(JSON.stringify(log)).not.toContain(secret)
})

describe('a key reaches', () => {
  test('what its user reaches now, and nothing once that user is disabled', async () => {
    const own = await foyer.customer()
    const colleague = await foyer.invited(own)
    const { program } = await foyer.apiKey(colleague)
    expect((await foyer.ask(packages.create, { name: unique('Package') }, program)).status).toBe(201)
    await foyer.get(users.update, { id: colleague.user.id, user_type_id: 1 }, own)
    expectRefused(await foyer.ask(packages.create, { name: unique('Package') }, program), forbidden())
    expect((await foyer.ask(packages.list, {}, program)).status).toBe(200)
    await foyer.get(users.deactivate, { ids: [colleague.user.id] }, own)
    expect(await foyer.ask(packages.list, {}, program)).toMatchObject({
      status: 401,
      body: { message: 'Unauthenticated.' },
    })
    await foyer.get(users.activate, { id: colleague.user.id }, own)
    expect((await foyer.ask(packages.list, {}, program)).status).toBe(200)
    await foyer.get(users.remove, { id: colleague.user.id }, own)
    expectRefused(await foyer.ask(packages.list, {}, program), refusals.unauthenticated)
  })

  test('the properties that it is limited to, as long as they are its owner’s', async () => {
    const own = await foyer.customer()
    const group = await foyer.group(own)
    const [one, two] = [
      await foyer.property(own, { group_id: group.id }),
      await foyer.property(own, { group_id: group.id }),
    ]
    const alone = await foyer.property(own)
    const whole = (await foyer.apiKey(own)).program
    const some = (await foyer.apiKey(own, { property_ids: [one.id, alone.id] })).program
    const ofGroup = (await foyer.apiKey(own, { group_id: group.id, property_ids: [two.id] })).program
    const ofAll = (await foyer.apiKey(own, { group_id: group.id })).program
    expect(await propertiesOf(whole)).toEqual([one.id, two.id, alone.id])
    expect(await propertiesOf(some)).toEqual([one.id, alone.id])
    expect(await propertiesOf(ofGroup)).toEqual([two.id])
    expect(await propertiesOf(ofAll)).toEqual([one.id, two.id])
    // A key for some properties may not change what all properties share.
    expectRefused(await foyer.ask(packages.create, { name: unique('Package') }, some), forbidden())
    expectRefused(await foyer.ask(properties.create, aProperty(), some), forbidden())
    expectRefused(await foyer.ask(groups.list, {}, some), forbidden())

    await foyer.get(properties.update, { id: two.id, group_id: null }, own)
    expect(await propertiesOf(ofGroup)).toEqual([])
    expect(await propertiesOf(ofAll)).toEqual([one.id])
    await foyer.get(properties.remove, { id: one.id }, own)
    expect(await propertiesOf(some)).toEqual([alone.id])
  })

  test('nothing once its group or property is gone, or it has expired', async () => {
    const own = await foyer.customer()
    const group = await foyer.group(own)
    const property = await foyer.property(own)
    const ofGroup = (await foyer.apiKey(own, { group_id: group.id })).program
    const ofProperty = (await foyer.apiKey(own, { property_id: property.id })).program
    const expiring = await foyer.apiKey(own, { expires_at: new Date(Date.now() + 86_400_000).toISOString() })
    expect(await propertiesOf(ofGroup)).toEqual([])
    expect(await propertiesOf(ofProperty)).toEqual([property.id])
    await foyer.get(groups.remove, { id: group.id }, own)
    await foyer.get(properties.remove, { id: property.id }, own)
    for (const program of [ofGroup, ofProperty]) await expectOver(program)
    expect(await propertiesOf(expiring.program)).toEqual([])
    await admin.query(`update api_keys set expires_at = now() where id = $1`, [expiring.id])
    await expectOver(expiring.program)
    const [listed] = (await foyer.get(apiKeys.listOfUser, {}, own)).data
    expect(listed).toMatchObject({ id: expiring.id, status: 'disabled' })
  })
})

test('what a key does is logged in its name, and its last use is shown', async () => {
  const { id, name, program } = await foyer.apiKey(editor)
  const made = (await foyer.get(packages.create, { name: unique('Package') }, program)).data
  const asked = { filters: { object_type: 'packages', object_id: made.id } }
  const [line] = (await foyer.get(activity.list, asked, editor)).data
  expect(line).toMatchObject({ principal_kind: 'api_key', actor_name: name, user_id: null, action: 'create' })
  const used = (await foyer.get(apiKeys.listOfUser, { searchValue: name }, editor)).data[0]?.last_used_at
  expect(Date.now() - Date.parse(used ?? '')).toBeLessThan(60_000 + 5000)
  const lines = (await foyer.get(activity.list, { filters: { object_type: 'api_keys', object_id: id } }, editor)).data
  expect(lines.map(({ action, principal_kind }) => [action, principal_kind])).toEqual([['create', 'user']])
})

test('an Idempotency-Key belongs to the key that sent it', async () => {
  const [one, two] = [(await foyer.apiKey(editor)).program, (await foyer.apiKey(editor)).program]
  const name = unique('Package')
  const headers = { 'idempotency-key': unique('order') }
  const make = async (program: typeof one) =>
    (await foyer.ask(packages.create, { name }, program, headers)).body.data.id
  const first = await make(one)
  expect(await make(one)).toBe(first)
  expect(await make(two)).not.toBe(first)
})

test('each key is counted by itself', async () => {
  const [busy, calm] = [await foyer.apiKey(editor), await foyer.apiKey(editor)]
  await admin.query(
    `insert into rate_limits (key, hits, expires_at) values ('key:' || $1::text, 1200, now() + interval '30 seconds')`,
    [busy.id],
  )
  const refused = await foyer.ask(packages.list, {}, busy.program)
  expectRefused(refused, tooMuchOf('Too many requests were sent at once. Please wait a moment and try again.'))
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await foyer.ask(packages.list, {}, calm.program)).status).toBe(200)
})

test('an owner has a limited number of keys', async () => {
  const group = await foyer.group(editor)
  await admin.query(
    `insert into api_keys (customer_id, group_id, name, permissions, token_start)
     select $1, $2, 'Key ' || n, '{read}', 'foyer_' from generate_series(1, $3::integer) n`,
    [editor.user.customer.id, group.id, apiKeys.keys_max],
  )
  const asked = { name: 'One more', permissions: ['read'], group_id: group.id }
  expectRefused(
    await foyer.ask(apiKeys.createForGroup, asked, editor),
    invalid({ name: ['There are 100 keys already. Delete one first.'] }),
  )
  const { data, meta } = await foyer.get(apiKeys.listOfGroup, { group_id: group.id }, editor)
  expect(data).toHaveLength(apiKeys.keys_max)
  expect(meta.next_cursor).toBeNull()
})

test('editors manage the keys of their level and below, and nobody the personal keys of another user', async () => {
  const group = await foyer.group(editor)
  const property = await foyer.property(editor, { group_id: group.id })
  const [head, desk] = [
    await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id }),
    await foyer.invited(editor, { owner_type: 'Property', owner_id: property.id }),
  ]
  const ofProperty = await foyer.apiKey(head, { property_id: property.id })
  const ofHead = await foyer.apiKey(head)
  expect((await foyer.get(apiKeys.listOfUser, {}, editor)).data.map(({ id }) => id)).not.toContain(ofHead.id)
  expectRefused(await foyer.ask(apiKeys.removeOfUser, { id: ofHead.id }, editor), notFound())
  expectRefused(await foyer.ask(apiKeys.listOfProperty, { property_id: property.id }, desk), forbidden())
  expectRefused(await foyer.ask(apiKeys.createForUser, { name: 'Mine', permissions: ['read'] }, desk), forbidden())
  await foyer.get(apiKeys.removeOfProperty, { id: ofProperty.id, property_id: property.id }, editor)
})
