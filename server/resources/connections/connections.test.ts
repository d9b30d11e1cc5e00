// Connections: all of them in one list, whatever they are made by, and those of the release before; those that are connected by a key.
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as accounting from '#contract/accounting-integrations.ts'
import * as activity from '#contract/activity.ts'
import * as connections from '#contract/connections.ts'
import * as madeSince from '#contract/made-since.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import * as properties from '#contract/properties.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { genericWork } from '#server/connections/generic-connections.ts'
import { runBackfills } from '#server/db/backfills.ts'
import { connect } from '#server/db/logins.ts'
import { findDue } from '#server/due/find-due.ts'
import { syncAccounting } from '#server/integrations/accounting.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMailchimp } from '#test/providers/mailchimp.ts'
import { openPigeons } from '#test/providers/pigeons.ts'
import { openXero } from '#test/providers/xero.ts'
import { expectRefused } from '#test/refused.ts'

const [xero, mailchimp, pigeons] = [await openXero(), await openMailchimp(), await openPigeons()]
let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer({ env: { ...xero.env, ...mailchimp.env } })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
  await Promise.all([xero.close(), mailchimp.close(), pigeons.close()])
})
beforeEach(async () => {
  for (const { goRight } of [xero, pigeons.server]) goRight()
  pigeons.keys.add('a key of the loft')
  editor = await foyer.customer()
})

const all = async (who = editor) => (await foyer.get(connections.list, {}, who)).data
const one = async (id: number) => (await foyer.get(connections.get, { id }, editor)).data

describe('those of kinds with calls of their own', () => {
  const books = async () =>
    (
      await foyer.get(
        accounting.create,
        await xero.consent((await foyer.get(accounting.authorize, {}, editor)).data.url),
        editor,
      )
    ).data
  const audience = async () =>
    (
      await foyer.get(
        marketing.create,
        await mailchimp.consent((await foyer.get(marketing.authorize, {}, editor)).data.url),
        editor,
      )
    ).data

  test('stand in the list, as their own calls have them', async () => {
    const [book, list] = [await books(), await audience()]
    const of = (made: typeof book | typeof list, kind: string) => ({
      kind,
      own_id: made.id,
      integration_type: made.integration_type,
      owner_type: made.owner_type,
      owner_id: made.owner_id,
      state: made.state,
      created_at: made.created_at,
    })
    expect(await all()).toMatchObject([of(list, 'marketing'), { ...of(book, 'accounting'), name: book.name }])
    expect(await all(await foyer.customer())).toEqual([])
  })

  test('follow what happens to them, whoever writes it', async () => {
    const { id } = await books()
    const [noted] = await all()
    xero.goWrong({ at: /Organisation|connections/i, act: { status: 503 }, times: 100 })
    await syncAccounting(foyer.services, editor.user.customer.id, id)
    const failing = await foyer.get(accounting.get, { id }, editor)
    expect(failing.data.state).toBe('failing')
    expect(await all()).toMatchObject([{ id: noted?.id, state: 'failing', last_error: failing.data.last_error }])
    // A node of the release before knows of no other table.
    await admin.query('update accounting_integrations set needs_reconnect = true, active = false where id = $1', [id])
    expect(await all()).toMatchObject([{ id: noted?.id, state: 'off', status: 'disabled' }])
    await foyer.get(accounting.remove, { id }, editor)
    expect(await all()).toEqual([])
    await admin.query('delete from accounting_integrations where id = $1', [id])
    expect((await admin.query('select from connections where id = $1', [noted?.id])).rows).toEqual([])
  })

  test('that were there before the upgrade are noted after the start, once', async () => {
    const [book, list] = [await books(), await audience()]
    const system = await foyer.propertyInterface(editor, { property_interface_type_id: 3, owner_type: 'Customer' })
    await admin.query('delete from connections where customer_id = $1', [editor.user.customer.id])
    await admin.query(`delete from upgrade_backfills where name ~ '^(059[01]|0621)-'`)
    const owner = await connect(foyer.database.ownerUrl)
    const running = { progress: () => {}, rest: 0, signal: new AbortController().signal }
    expect(await runBackfills(owner, running)).toBe(true)
    await owner.end()
    const noted = await all()
    expect(new Set(noted.map(({ kind, own_id }) => `${kind} ${own_id}`))).toEqual(
      new Set([`accounting ${book.id}`, `marketing ${list.id}`, `property ${system.id}`]),
    )
    expect(noted).toHaveLength(3)
  })

  test('are changed by their own calls alone', async () => {
    await books()
    const [{ id } = { id: 0 }] = await all()
    for (const asked of [
      await foyer.ask(connections.update, { id, name: 'Books' }, editor),
      await foyer.ask(connections.remove, { id }, editor),
    ])
      expectRefused(asked, clash('This is changed by the calls /accounting-integrations.'))
    const made = await foyer.ask(
      connections.create,
      { ...pigeons.asked, kind: 'accounting', integration_type: 'xero' },
      editor,
    )
    expectRefused(made, invalid({ kind: [selectedInvalid('kind')] }))
  })
})

describe('property systems', () => {
  let property_id: number
  const system = async (more: object = {}) =>
    foyer.propertyInterface(editor, {
      property_interface_type_id: 5,
      name: 'The desk',
      owner_type: 'Property',
      owner_id: property_id,
      settings: { signing_secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` },
      ...more,
    })
  const told = (id: number, columns: string) =>
    admin.query(
      `insert into property_links as l (customer_id, property_interface_id) values ($1, $2)
       on conflict (customer_id, property_interface_id) do update set ${columns}`,
      [editor.user.customer.id, id],
    )
  beforeEach(async () => {
    property_id = (await foyer.property(editor, { name: 'Quay House' })).id
  })

  test('stand in the same list, with whose they are and how their link does', async () => {
    const { id } = await system()
    expect(await all()).toMatchObject([
      {
        kind: 'property',
        own_id: id,
        integration_type: '5',
        name: 'The desk',
        owner_type: 'Property',
        owner_id: property_id,
        owner_name: 'Quay House',
        state: 'unheard',
        last_error: 'The other system has not been heard yet.',
        last_synced_at: null,
      },
    ])
    await told(id, 'since = now()')
    await told(id, `state = 'up', heard_at = now()`)
    const [up] = await all()
    expect([up?.state, up?.last_error, up?.last_synced_at]).toEqual(['connected', null, expect.any(String)])
    await told(id, `state = 'down', last_error = 'It hung up.'`)
    expect(await all()).toMatchObject([{ state: 'failing', last_error: 'The link is down. It hung up.' }])
    await told(id, `pending = '{}', pending_moves_out = 3`)
    expect(await all()).toMatchObject([{ state: 'review', last_error: expect.stringContaining('3 guests') as string }])
    await foyer.get(interfaces.deactivate, { id }, editor)
    expect(await all()).toMatchObject([{ state: 'off', status: 'disabled' }])
  })

  test('follow what is changed, belong to whom they belong, and go', async () => {
    const { id: package_id } = await foyer.package(editor, { name: 'Gold' })
    const of_package = await system({ owner_type: 'Package', owner_id: package_id })
    const { id } = await system()
    await foyer.get(interfaces.update, { id, name: 'Front desk', property_interface_type_id: 6 }, editor)
    expect(await all()).toMatchObject([
      { own_id: id, name: 'Front desk', integration_type: '6' },
      { own_id: of_package.id, owner_type: 'Package', owner_id: package_id, owner_name: 'Gold', state: 'off' },
    ])
    await foyer.get(interfaces.remove, { id: of_package.id }, editor)
    expect(await all()).toHaveLength(1)
    await foyer.get(properties.remove, { id: property_id }, editor)
    expect(await all()).toEqual([])
  })

  test('are found by their state, their kind and their name, and among the companies that can be connected', async () => {
    const { id } = await system()
    const found = async (asked: object) =>
      (await foyer.get(connections.list, asked, editor)).data.map(({ own_id }) => own_id)
    expect(await found({ filters: { state: ['unheard'] } })).toEqual([id])
    expect(await found({ filters: { state: ['connected'] } })).toEqual([])
    expect(await found({ filters: { kind: ['property'] } })).toEqual([id])
    expect(await found({ searchValue: 'the desk' })).toEqual([id])
    const { data: kinds } = await foyer.get(connections.kinds, {}, editor)
    expect(kinds.map(({ kind, companies }) => [kind, companies.map(({ name }) => name)])).toMatchObject([
      ['accounting', ['Xero']],
      ['marketing', ['Mailchimp']],
      ['property', expect.arrayContaining(['Apaleo', 'Cloudbeds'])],
      ['carrier_pigeons', ['Acme Pigeons']],
    ])
  })
})

describe('one that is connected by a key', () => {
  const made = async (more: object = {}) =>
    (await foyer.get(connections.create, { ...pigeons.asked, ...more }, editor)).data
  const keep = (about_id: number) =>
    tryDue(genericWork, foyer.services, { customer_id: editor.user.customer.id, about_id })
  const secrets = async (id: number) =>
    (
      await admin.query<{ row: string }>('select s::text as row from connection_secrets s where connection_id = $1', [
        id,
      ])
    ).rows

  test('keeps its key sealed, answers and logs it nowhere, and forgets it when it is deleted', async () => {
    const { id } = await made({ name: 'The loft' })
    await foyer.get(connections.update, { id, settings: { seed: 'barley' } }, editor)
    const before = pigeons.server.asked.length
    await foyer.get(connections.update, { id, settings: (await one(id)).settings }, editor)
    expect(pigeons.server.asked.length).toBe(before)
    pigeons.keys.add('another key')
    await foyer.get(connections.update, { id, settings: { api_key: 'another key' } }, editor)
    expect(await one(id)).toMatchObject({
      name: 'The loft',
      settings: { loft_url: pigeons.server.url, seed: 'barley' },
      settings_set: ['api_key'],
    })
    const log = (await foyer.ask(activity.list, {}, editor)).text
    expect(log).toContain('settings.api_key_changed')
    const kept = await secrets(id)
    expect(kept).toHaveLength(1)
    for (const key of ['a key of the loft', 'another key'])
      for (const text of [log, JSON.stringify(await all()), JSON.stringify(kept)]) expect(text).not.toContain(key)
    await foyer.get(connections.remove, { id }, editor)
    expect([await all(), await secrets(id)]).toEqual([[], []])
  })

  test('is asked with the new key before that is taken, and stays as it is where it is not', async () => {
    const { id } = await made()
    const refused = await foyer.ask(connections.update, { id, settings: { api_key: 'a wrong key' } }, editor)
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('no longer lets Foyer in')])
    expect(await keep(id)).toBe('done')
    expect(pigeons.server.asked.at(-1)?.headers.authorization).toBe('Bearer a key of the loft')
  })

  test('is kept where its provider is out of order, and asked again', async () => {
    pigeons.server.goWrong({ at: /loft/, act: { status: 503 }, times: 100 })
    const { id, state, name } = await made()
    expect([state, name]).toEqual(['failing', 'acme'])
    pigeons.server.goRight()
    expect(await keep(id)).toBe('done')
    expect(await one(id)).toMatchObject({ state: 'connected', name: 'Harbour loft' })
  })

  test('is found where nobody keeps it in line, and one of a kind with calls of its own is not', async () => {
    const { id } = await made()
    const own = `insert into accounting_integrations (customer_id) values ($1)`
    await admin.query(own, [editor.user.customer.id])
    await admin.query(`delete from due_work where kind = 'connection'`)
    await findDue(foyer.services, [genericWork])
    const { rows } = await admin.query(
      `select about_id::integer as id from due_work where kind = 'connection'
      and customer_id = $1`,
      [editor.user.customer.id],
    )
    expect(rows).toEqual([{ id }])
  })

  test('is not called while it is disabled', async () => {
    const { id } = await made()
    await foyer.get(connections.update, { id, active: false }, editor)
    const before = pigeons.server.asked.length
    expect(await keep(id)).toBe('done')
    expect(pigeons.server.asked.length).toBe(before)
  })

  test('stands among what was made under a password', async () => {
    const { id } = await made()
    const { data } = await foyer.get(
      madeSince.madeSince,
      { since: new Date(Date.now() - 3_600_000).toISOString() },
      editor,
    )
    expect(data.connections).toMatchObject([{ id, name: 'Harbour loft', may_end: true }])
  })
})
