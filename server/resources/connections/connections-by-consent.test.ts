// Connections by consent: of a kind that no release has, which says how consent is got, and nothing else: begun, come back from, renewed,
// withdrawn and given anew, and ended; and what keeps a consent with the person and the customer who gave it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as connections from '#contract/connections.ts'
import * as dueWork from '#contract/due-work.ts'
import * as madeSince from '#contract/made-since.ts'
import { genericWork } from '#server/connections/generic-connections.ts'
import { connect } from '#server/db/logins.ts'
import { clash, forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openOwls } from '#test/providers/owls.ts'
import { expectRefused } from '#test/refused.ts'

const owls = await openOwls()
let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer({ env: owls.env })
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
  await owls.close()
})
beforeEach(async () => {
  owls.server.goRight()
  owls.withhold()
  for (const table of ['connections', 'due_work'])
    await admin.query(`delete from ${table} where customer_id = $1`, [editor.user.customer.id])
})

const made = async (more: object = {}, who = editor) =>
  (await foyer.get(connections.create, { ...owls.asked, ...more }, who)).data
const addressFor = async (id: number, who = editor) => (await foyer.get(connections.authorize, { id }, who)).data.url
const returned = async (id: number, who = editor) => owls.consent(await addressFor(id, who))
const connected = async (id?: number) => {
  const of = id ?? (await made()).id
  return (await foyer.get(connections.connect, await returned(of), editor)).data
}
const one = async (id: number) => (await foyer.get(connections.get, { id }, editor)).data
const keep = (about_id: number, at = foyer) =>
  tryDue(genericWork, at.services, { customer_id: editor.user.customer.id, about_id })
const tokens = async (id: number) =>
  (await admin.query<{ row: string }>('select t::text as row from integration_tokens t where connection_id = $1', [id]))
    .rows
const expire = (id: number) =>
  admin.query('update integration_tokens set expires_at = now() where connection_id = $1', [id])
const waiting = async () =>
  (await foyer.get(dueWork.list, { filters: { kind: ['connection'] } }, editor)).data.map(({ about }) => about)

describe('connecting', () => {
  test('is offered where this installation is set up for it', async () => {
    const offered = async (at: TestFoyer, who: Person) =>
      (await at.get(connections.kinds, {}, who)).data.find(({ kind }) => kind === 'night_owls')
    expect(await offered(foyer, editor)).toMatchObject({
      name: 'Night owls',
      calls: null,
      providers: [{ integration_type: 'acme-owls', name: 'Acme Owls', connected_by: 'consent', available: true }],
    })
    const bare = await openFoyer()
    const who = await bare.customer()
    expect(await offered(bare, who)).toMatchObject({ providers: [{ available: false }] })
    const { id } = (await bare.get(connections.create, owls.asked, who)).data
    const refused = await bare.ask(connections.authorize, { id }, who)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('not set up for Acme Owls')])
    await bare.close()
  })

  test('waits for consent once it is made, and is asked about by nobody until then', async () => {
    const { id, ...rest } = await made({ name: 'The barn' })
    expect(rest).toMatchObject({
      name: 'The barn',
      state: 'reconnect',
      connected_at: null,
      last_error: 'It is not connected yet. Somebody has to give consent at Acme Owls.',
    })
    expect(await waiting()).toEqual([])
    const { status, text } = await foyer.ask(connections.tryNow, { id }, editor)
    expect([status, text]).toEqual([409, expect.stringContaining('Connect it first')])
  })

  test('asks for its permissions, with PKCE, a state that reveals nothing, and this origin alone to come back to', async () => {
    const url = new URL(await addressFor((await made()).id))
    expect(url.origin + url.pathname).toBe(`${owls.server.url}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: owls.client.id,
      redirect_uri: 'http://foyer.test/customer/connections',
      scope: 'nests.read offline_access',
      state: expect.stringMatching(/^connection\.[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    })
  })

  test('takes what comes back, names it as the provider does, and shows and logs no token', async () => {
    const { id } = await made({ settings: { wood: 'oak', hoot: 'a secret hoot' } })
    const lines = vi.spyOn(foyer.services.log, 'info')
    const whole = await connected(id)
    expect(whole).toMatchObject({ id, name: 'Barn nest', state: 'connected', last_error: null })
    expect(whole.connected_at).not.toBeNull()
    expect(await keep(id)).toBe('done')
    const grant = owls.grants.at(-1)
    const kept = await tokens(id)
    expect(kept).toHaveLength(1)
    const shown = [
      JSON.stringify(await one(id)),
      (await foyer.ask(connections.list, {}, editor)).text,
      (await foyer.ask(activity.list, {}, editor)).text,
      JSON.stringify(kept),
      JSON.stringify(lines.mock.calls),
    ]
    for (const secret of [grant?.access ?? '', grant?.refresh ?? '', 'a secret hoot', owls.client.secret])
      for (const text of shown) {
        expect(text).not.toContain(secret)
        expect(text).not.toContain(Buffer.from(secret).toString('hex'))
      }
    expect(owls.server.asked.filter(({ path }) => path === '/nest/oak').length).toBeGreaterThan(0)
  })

  test('whose provider is out of order at that moment loses nothing', async () => {
    owls.server.goWrong({ at: /nest/, act: { status: 503 } })
    const { id, state, last_error } = await connected()
    expect([state, last_error]).toEqual(['failing', expect.stringContaining('not working')])
    expect((await foyer.get(connections.tryNow, { id }, editor)).data).toMatchObject({
      state: 'connected',
      name: 'Barn nest',
    })
  })
})

describe('a return', () => {
  test.each<[string, (given: { code: string; state: string }) => Promise<[{ code: string; state: string }, Person]>]>([
    ['with a state that was never issued', async (given) => [{ ...given, state: 'connection.guessed' }, editor]],
    ['of a colleague', async (given) => [given, await foyer.invited(editor)]],
    ['of another customer', async (given) => [given, await foyer.customer()]],
    [
      'that comes too late',
      async (given) => {
        await admin.query('update oauth_states set expires_at = now() where used_at is null')
        return [given, editor]
      },
    ],
  ])('%s is refused, and nothing is kept', async (_what, turned) => {
    const { id } = await made()
    const [given, who] = await turned(await returned(id))
    expectRefused(
      await foyer.ask(connections.connect, given, who),
      invalid({ state: ['This was started elsewhere, or too long ago. Please connect again.'] }),
    )
    expect(await tokens(id)).toEqual([])
  })

  test('is taken once, also with another code', async () => {
    const { id } = await made()
    const address = await addressFor(id)
    const [first, second] = [await owls.consent(address), await owls.consent(address)]
    await foyer.get(connections.connect, first, editor)
    const before = owls.grants.length
    for (const given of [first, second])
      expectRefused(
        await foyer.ask(connections.connect, given, editor),
        invalid({ state: ['This was started elsewhere, or too long ago. Please connect again.'] }),
      )
    expect(owls.grants.length).toBe(before)
  })

  test('with a code of another flow is refused: its proof is another one', async () => {
    const { id } = await made()
    const { code } = await returned(id)
    const state = new URL(await addressFor(id)).searchParams.get('state') ?? ''
    expectRefused(
      await foyer.ask(connections.connect, { code, state }, editor),
      invalid({ code: ['The provider did not accept this code. Please connect again.'] }),
    )
    expect(await tokens(id)).toEqual([])
  })

  test('of the books is none of a connection', async () => {
    const { id } = await made()
    const given = await returned(id)
    await admin.query(`update oauth_states set kind = 'accounting' where used_at is null and user_id = $1`, [
      editor.user.id,
    ])
    expectRefused(
      await foyer.ask(connections.connect, given, editor),
      invalid({ state: ['This was started elsewhere, or too long ago. Please connect again.'] }),
    )
    expect(await tokens(id)).toEqual([])
  })

  test('without a permission that was asked for says which', async () => {
    const { id } = await made()
    owls.withhold('nests.read')
    expectRefused(
      await foyer.ask(connections.connect, await returned(id), editor),
      invalid({ code: ['Acme Owls did not give the permission nests.read. Please connect again and allow it.'] }),
    )
    expect(await tokens(id)).toEqual([])
  })

  test('is of a person: those who may only read begin none, and a key gives no consent', async () => {
    const { id } = await made()
    expectRefused(await foyer.ask(connections.authorize, { id }, await foyer.viewer(editor)), forbidden())
    expectRefused(await foyer.ask(connections.authorize, { id }, await foyer.customer()), notFound())
    const { program } = await foyer.apiKey(editor, { permissions: ['full'] })
    expectRefused(await foyer.ask(connections.authorize, { id }, program), forbidden())
  })

  test('for one that was deleted meanwhile is refused', async () => {
    const { id } = await made()
    const given = await returned(id)
    await foyer.get(connections.remove, { id }, editor)
    expectRefused(await foyer.ask(connections.connect, given, editor), notFound())
    expect(await tokens(id)).toEqual([])
  })
})

describe('a token', () => {
  test('is renewed once by two nodes, however long that takes, and both go on', async () => {
    const { id } = await connected()
    const other = await openFoyer({ env: owls.env, database: foyer.database })
    await expire(id)
    const before = owls.server.requestsTo(/token/).length
    const held = owls.server.holds(/token/)
    const ask = (at: TestFoyer) => at.get(connections.tryNow, { id }, editor)
    const all = Promise.all([ask(foyer), ask(other), ask(foyer), ask(other)])
    await held.asked
    // Whoever asks a second time would do so meanwhile, and end the consent.
    await sleep(1000)
    held.answers()
    for (const { data } of await all) expect(data.state).toBe('connected')
    expect(owls.server.requestsTo(/token/).length).toBe(before + 1)
    expect(await keep(id)).toBe('done')
    await other.services.tenancy.close()
  })

  test('is sent to the provider through the guard alone', async () => {
    const { id } = await connected()
    const guarded = await openFoyer({ env: { ...owls.env, ALLOWED_HOSTS: '' }, database: foyer.database })
    const before = owls.server.asked.length
    expect((await guarded.get(connections.tryNow, { id }, editor)).data.state).toBe('failing')
    expect(owls.server.asked.length).toBe(before)
    await guarded.services.tenancy.close()
  })

  test('that was withdrawn asks for a person, stops all calls, and is replaced by a new consent', async () => {
    const { id, connected_at } = await connected()
    owls.endConsent()
    await keep(id)
    expect(await one(id)).toMatchObject({
      state: 'reconnect',
      last_error: expect.stringContaining('Please reconnect') as string,
    })
    expect(await waiting()).toEqual([])
    const again = await connected(id)
    expect(again).toMatchObject({ id, state: 'connected', last_error: null })
    expect(again.connected_at).not.toBe(connected_at)
    expect(await keep(id)).toBe('done')
    expect((await foyer.get(connections.list, {}, editor)).data).toHaveLength(1)
  })

  test('of a former consent says nothing about the present one', async () => {
    const { id } = await connected()
    await expire(id)
    owls.endConsent()
    const held = owls.server.holds(/token/, 1, 'go on')
    const asking = keep(id)
    await held.asked
    await connected(id)
    // That the former consent has ended is answered last.
    held.answers()
    await asking
    expect(await one(id)).toMatchObject({ state: 'connected', last_error: null })
    expect(await keep(id)).toBe('done')
  })

  test('is not used while the connection is disabled', async () => {
    const { id } = await connected()
    await foyer.get(connections.update, { id, active: false }, editor)
    const before = owls.server.asked.length
    expect(await keep(id)).toBe('done')
    expectRefused(await foyer.ask(connections.tryNow, { id }, editor), clash('It is disabled: activate it first.'))
    expect(owls.server.asked.length).toBe(before)
  })
})

describe('its settings', () => {
  test('are asked about with the consent that stands, and taken unasked where there is none', async () => {
    const { id } = await made({ settings: { wood: 'elm' } })
    const hoot = (value: string) => foyer.ask(connections.update, { id, settings: { hoot: value } }, editor)
    const before = owls.server.asked.length
    expect((await hoot('soft')).status).toBe(200)
    expect([owls.server.asked.length, await waiting()]).toEqual([before, []])
    await connected(id)
    expect((await hoot('loud')).status).toBe(200)
    expect(owls.server.asked.at(-1)?.path).toBe('/nest/elm')
    owls.endConsent()
    const late = await hoot('late')
    expect([late.status, late.text]).toEqual([422, expect.stringContaining('Please reconnect')])
    expect((await foyer.ask(connections.update, { id, settings: { wood: 'ash' } }, editor)).text).toContain(
      'cannot be changed any more',
    )
  })
})

describe('the end', () => {
  test('takes consent back at the provider, and forgets tokens and secrets', async () => {
    const { id } = await connected((await made({ settings: { wood: 'oak', hoot: 'x' } })).id)
    await foyer.get(connections.remove, { id }, editor)
    expect(owls.grants.at(-1)?.is_over).toBe(true)
    expect(await tokens(id)).toEqual([])
    const secrets = await admin.query('select from connection_secrets where connection_id = $1', [id])
    expect(secrets.rows).toEqual([])
    expect((await foyer.get(connections.list, {}, editor)).data).toEqual([])
  })

  test('comes although the provider is out of reach', async () => {
    const { id } = await connected()
    owls.server.goWrong({ at: /revoke/, act: 'lose' })
    await foyer.get(connections.remove, { id }, editor)
    expect(await tokens(id)).toEqual([])
  })

  test('is offered where a password was known to others', async () => {
    const { id } = await connected()
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const { data } = await foyer.get(madeSince.madeSince, { since }, editor)
    expect(data.connections).toMatchObject([{ id, name: 'Barn nest', may_end: true }])
  })
})
