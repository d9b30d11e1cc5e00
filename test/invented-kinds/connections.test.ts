// Invented kinds of connections: their kinds and a line each in the list, and nothing else. One is connected by a key, one by consent, and
// both are kept in line.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as connections from '#contract/connections.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openOwls } from '#test/providers/owls.ts'
import { openPigeons } from '#test/providers/pigeons.ts'
import { doing as doingOf, errorsOf, patiently } from './asking.ts'

let pigeons: Awaited<ReturnType<typeof openPigeons>>
let owls: Awaited<ReturnType<typeof openOwls>>
let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  ;[pigeons, owls] = [await openPigeons(), await openOwls()]
  foyer = await openFoyer({ env: { ROLES: 'api,jobs', ...owls.env } })
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await Promise.all([pigeons.close(), owls.close()])
  await admin.end()
  await foyer.close()
})

const doing = <T>(kind: string, read: () => T | Promise<T>) => doingOf(foyer, editor, kind, read)

test('is offered, asked for its settings, connected by a key, kept in line, and says when the key is taken no more', async () => {
  const { asked, keys } = pigeons
  const { data: offered } = await foyer.get(connections.kinds, {}, editor)
  expect(offered.at(-2)).toMatchObject({
    kind: 'carrier_pigeons',
    name: 'Carrier pigeons',
    calls: null,
    providers: [{ integration_type: 'acme', parameters: [{ key: 'loft_url' }, { key: 'seed' }, { key: 'api_key' }] }],
  })
  const tried = (settings: object) => foyer.ask(connections.create, { ...asked, settings } as never, editor)
  expect(errorsOf(await tried({ loft_url: 'a loft', wings: 2 }))).toEqual({
    'settings.loft_url': ['Please enter an address that begins with https:// or http://'],
    'settings.api_key': ['This field is required'],
    'settings.wings': ['This field is not known'],
  })
  const wrong = await tried({ ...asked.settings, api_key: 'a wrong key' })
  expect(errorsOf(wrong)).toEqual({ settings: [expect.stringContaining('Acme Pigeons')] })

  const { data: made } = await foyer.get(connections.create, asked, editor)
  expect(made).toMatchObject({ name: 'Harbour loft', state: 'connected', settings_set: ['api_key'] })
  const state = async () => (await foyer.get(connections.get, { id: made.id }, editor)).data.state
  keys.clear()
  await expect.poll(doing('connection', state), patiently).toBe('reconnect')
  keys.add('a new key')
  await foyer.get(connections.update, { id: made.id, settings: { api_key: 'a new key' } }, editor)
  await expect.poll(state, patiently).toBe('connected')
  expect(await foyer.get(connections.list, { filters: { kind: ['carrier_pigeons'] } }, editor)).toMatchObject({
    data: [{ id: made.id, own_id: null }],
  })
})

test('its brother is connected by consent, kept in line, asks for a new consent when that is withdrawn, and is ended', async () => {
  const { data: offered } = await foyer.get(connections.kinds, {}, editor)
  expect(offered.at(-1)).toMatchObject({
    kind: 'night_owls',
    providers: [{ connected_by: 'consent', available: true }],
  })
  const { id } = (await foyer.get(connections.create, owls.asked, editor)).data
  const consent = async () => {
    const { url } = (await foyer.get(connections.authorize, { id }, editor)).data
    return (await foyer.get(connections.connect, await owls.consent(url), editor)).data
  }
  expect(await consent()).toMatchObject({ id, name: 'Barn nest', state: 'connected' })
  const state = async () => (await foyer.get(connections.get, { id }, editor)).data.state
  await admin.query('update integration_tokens set expires_at = now() where connection_id = $1', [id])
  await expect
    .poll(
      doing('connection', () => owls.grants[0]?.used.length),
      patiently,
    )
    .toBe(1)
  owls.endConsent()
  await expect.poll(doing('connection', state), patiently).toBe('reconnect')
  expect(await consent()).toMatchObject({ id, state: 'connected' })
  await foyer.get(connections.remove, { id }, editor)
  expect(owls.grants.at(-1)?.is_over).toBe(true)
})
