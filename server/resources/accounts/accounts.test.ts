// Accounts, as callers use them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import * as imports from '#contract/imports.ts'
import * as properties from '#contract/properties.ts'
import { selectedIdsInvalid } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused, expectRefusedBut } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

/** For what a test needs that no call does. */
async function inDatabase<R extends object>(sql: string, values: unknown[]): Promise<R[]> {
  const admin = await connect(foyer.database.adminUrl)
  try {
    return (await admin.query<R>(sql, values)).rows
  } finally {
    await admin.end()
  }
}
const aRoom = async (property_id: number) =>
  (
    await inDatabase<{ id: number }>(
      `insert into rooms (customer_id, property_id, number) select customer_id, id, $2 from properties where id = $1 returning id`,
      [property_id, unique('Room')],
    )
  )[0]?.id ?? 0

test('an account is made with its defaults, found in its lists, changed in part and removed', async () => {
  const group = await foyer.group(editor)
  const property = await foyer.property(editor, { group_id: group.id })
  const made = await foyer.ask(
    accounts.create,
    { property_id: property.id, name: ' Ada Lovelace ', email: 'Ada@Example.com' },
    editor,
  )
  expect(made.status).toBe(201)
  const account = made.body.data
  expect(account).toMatchObject({
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    status: 'active',
    account_type_id: 1,
    property: { id: property.id, name: property.name },
    package: null,
    room: null,
    password: null,
  })

  await foyer.account(editor)
  for (const ask of [
    { params: { property_id: property.id } },
    { params: { group_id: group.id } },
    { searchValue: 'lovelace' },
    { filters: { property_id: [property.id], status: 'active', account_type_id: 1 } },
  ] as const)
    expect((await foyer.get(accounts.list, ask as never, editor)).data.map((row) => row.id)).toEqual([account.id])

  const changed = await foyer.get(accounts.update, { id: account.id, mobile_number: '+44 20 7946 0000' }, editor)
  expect(changed.data).toMatchObject({
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    mobile_number: '+44 20 7946 0000',
  })

  await foyer.get(accounts.deactivate, { ids: [account.id] }, editor)
  expect((await foyer.get(accounts.get, { id: account.id }, editor)).data.status).toBe('disabled')
  expect((await foyer.get(accounts.activate, { id: account.id }, editor)).data.status).toBe('active')
  await foyer.get(accounts.remove, { id: account.id }, editor)
  expectRefused(await foyer.ask(accounts.get, { id: account.id }, editor), notFound())
})

test('an account has the reference of another system, whoever gave it, and is found by it', async () => {
  const { id: property_id } = await foyer.property(editor)
  const reference = unique('PMS')
  const AccountImport = aFile('guests.csv', `name,external_reference\nHedy,${reference}\n`)
  await foyer.get(imports.accounts, { AccountImport, property_id }, editor)
  const [found] = (await foyer.get(accounts.list, { searchValue: reference.toLowerCase() }, editor)).data
  expect(found).toMatchObject({ name: 'Hedy', external_reference: reference })
  const id = found?.id ?? 0
  expect((await foyer.get(accounts.get, { id }, editor)).data.external_reference).toBe(reference)
  const changed = await foyer.get(accounts.update, { id, external_reference: null }, editor)
  expect(changed.data.external_reference).toBeNull()
  expect((await foyer.get(accounts.list, { searchValue: reference }, editor)).data).toEqual([])
  const given = { property_id, name: unique('Guest'), external_reference: reference }
  expect((await foyer.get(accounts.create, given, editor)).data.external_reference).toBe(reference)
})

test('accounts are removed one by id, or several by ids, all or none', async () => {
  const [one, two, three] = [await foyer.account(editor), await foyer.account(editor), await foyer.account(editor)]
  expectRefused(
    await foyer.ask(accounts.remove, { ids: [one.id, 2_000_000_000] }, editor),
    invalid({ ids: [selectedIdsInvalid] }),
  )
  expectRefused(await foyer.ask(accounts.remove, {}, editor), invalid({ ids: ['Give id or ids'] }))
  expect((await foyer.get(accounts.remove, { ids: [one.id, two.id] }, editor)).data.ids).toEqual([one.id, two.id])
  expect((await foyer.get(accounts.remove, { id: three.id }, editor)).data.ids).toEqual([three.id])
})

test('a password is kept sealed, read by editors, hidden from viewers and from the log', async () => {
  const password = unique('harbour')
  const account = await foyer.account(editor, { password })
  expect(account.password).toBe(password)
  const viewer = await foyer.viewer(editor)
  expect((await foyer.get(accounts.get, { id: account.id }, viewer)).data.password).toBeNull()
  expect((await foyer.get(accounts.update, { id: account.id, name: unique('Guest') }, editor)).data.password).toBe(
    password,
  )
  const next = unique('window')
  expect((await foyer.get(accounts.update, { id: account.id, password: next }, editor)).data.password).toBe(next)
  expect((await foyer.get(accounts.update, { id: account.id, password: null }, editor)).data.password).toBeNull()
  const log = await foyer.ask(activity.list, { filters: { object_type: 'accounts' } }, editor)
  expect(log.text).toContain('password_changed')
  expect(log.text).not.toContain(password)
  expect(log.text).not.toContain(next)
  expect(log.text).not.toContain('sealed')
})

test('a name and a username are unique in a property, whatever their case, and free again once removed', async () => {
  const property_id = (await foyer.property(editor)).id
  const account = await foyer.account(editor, { property_id, name: 'Front Desk', username: 'desk' })
  const again = (values: object) =>
    foyer.ask(accounts.create, { property_id, name: unique('Guest'), ...values }, editor)
  expectRefused(
    await again({ name: ' front DESK' }),
    invalid({ name: ['The property already has an account with this name.'] }),
  )
  // Typed in either way, one of two would sign in as the other.
  const taken = { status: 422, body: { errors: { username: ['Another account of the property has this username.'] } } }
  for (const username of ['Desk', 'ＤＥＳＫ', 'de\u00ADsk', ' desk\u2009'])
    expect(await again({ username })).toMatchObject(taken)
  const other = await foyer.account(editor, { property_id, name: 'Night', username: 'night' })
  expect(await foyer.ask(accounts.update, { id: other.id, username: 'dｅsk' }, editor)).toMatchObject(taken)
  expect((await foyer.ask(accounts.update, { id: other.id, username: 'Ｎight' }, editor)).status).toBe(200)
  await foyer.account(editor, { name: 'Front Desk', username: 'desk' })
  await foyer.get(accounts.remove, { id: account.id }, editor)
  expect((await again({ name: 'Front Desk', username: 'desk' })).status).toBe(201)
})

test("an account's room is in its own property", async () => {
  const [property, other] = [await foyer.property(editor), await foyer.property(editor)]
  const [room_id, elsewhere] = [await aRoom(property.id), await aRoom(other.id)]
  const account = await foyer.account(editor, { property_id: property.id, room_id })
  expect(account.room?.id).toBe(room_id)
  expect((await foyer.get(accounts.list, { params: { room_id } }, editor)).data.map((row) => row.id)).toEqual([
    account.id,
  ])
  for (const change of [{ room_id: elsewhere }, { property_id: other.id }])
    expect(await foyer.ask(accounts.update, { id: account.id, ...change }, editor)).toMatchObject({
      status: 422,
      body: { errors: { room_id: ['The selected room id is invalid.'] } },
    })
  await foyer.get(accounts.update, { id: account.id, property_id: other.id, room_id: elsewhere }, editor)
})

test('a property takes no more accounts than its limit, however many are made at once', async () => {
  const property = await foyer.property(editor, { max_accounts: 3 })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      foyer.ask(accounts.create, { property_id: property.id, name: unique('Guest') }, editor),
    ),
  )
  const full = `${property.name} may have at most 3 accounts. Remove some, or raise the property's limit.`
  expectRefusedBut(3, answers, invalid({ property_id: [full] }))
  const elsewhere = await foyer.account(editor)
  expectRefused(
    await foyer.ask(accounts.update, { id: elsewhere.id, property_id: property.id }, editor),
    invalid({ property_id: [full] }),
  )
  await foyer.get(properties.update, { id: property.id, max_accounts: 0 }, editor)
  await foyer.account(editor, { property_id: property.id })
})

test('the gateways are asked to end the sessions of removed accounts, those of others go on', async () => {
  const property_id = (await foyer.property(editor)).id
  const [gone, stays] = [await foyer.account(editor, { property_id }), await foyer.account(editor, { property_id })]
  await inDatabase(
    `with g as (
      insert into gateways (customer_id, property_id, name, gateway_type_id)
      select customer_id, id, 'Gateway', 1 from properties where id = $1 returning id, customer_id)
    insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, account_id, started_at, last_seen_at)
    select g.customer_id, g.id, $1, a::text, a::text, a, now(), now() from g, unnest($2::integer[]) as a`,
    [property_id, [gone.id, stays.id]],
  )
  await foyer.get(accounts.remove, { id: gone.id }, editor)
  const disconnect = () => foyer.get(accounts.disconnectDeleted, { propertyId: property_id }, editor)
  expect((await disconnect()).data).toEqual({ disconnected: 1 })
  const asked = await inDatabase(
    `select account_id, disconnect_for from radius_sessions where property_id = $1 and disconnect_asked_at is not null`,
    [property_id],
  )
  expect(asked).toEqual([{ account_id: gone.id, disconnect_for: 'Account-Deleted' }])
  expectRefused(await foyer.ask(accounts.disconnectDeleted, { propertyId: 2_000_000_000 }, editor), notFound())
})
