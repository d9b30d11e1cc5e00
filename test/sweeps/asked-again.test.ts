// Asked again: every call that gives reach or data away refuses a proof older than an hour, goes on after a fresh one, and is marked.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as accounting from '#contract/accounting-integrations.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { keyAreas } from '#contract/api-keys.ts'
import * as auth from '#contract/auth.ts'
import * as connections from '#contract/connections.ts'
import * as guests from '#contract/guests.ts'
import { Callback } from '#contract/integrations.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import * as own from '#contract/own-sign-in.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as users from '#contract/users.ts'
import { refusals } from '#contract/errors.ts'
import { password, unique, type Person } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'
import { askFor, calls, idOf, type Call, type CallInput } from './calls.ts'
import { openWorld, type World } from './world.ts'
import { invalid } from '#server/errors/refused.ts'

const marked = calls.filter(({ endpoint }) => endpoint.asks)
const asks = { message: 'Please give your password again.', asks: 'password' }

let world: World
let editor: Person
beforeAll(async () => {
  world = await openWorld()
  editor = world.people['customer editor']
})
afterAll(() => world.close())

/** The session is two hours old, and its password was never given again. */
const grownOld = (who = editor) =>
  world.admin.query(
    `update sessions set created_at = now() - interval '2 hours', proven_at = null where user_id = $1`,
    [who.user.id],
  )
const newestMail = async () =>
  (await world.foyer.query<{ id: number }>('select coalesce(max(id), 0)::integer as id from outbox_mails', []))[0]
    ?.id ?? 0
/** Who has been told since, by a mail that nobody's right holds back. */
const told = async (since: number) =>
  (
    await world.foyer.query<{ email: string }>(
      `select recipient_email as email from outbox_mails where id > $1 and subject like 'Access or data was shared at %'
         and asked_right is null order by 1`,
      [since],
    )
  ).map(({ email }) => email)
/** Of a change of one’s own sign-in oneself is told by another mail. */
const editorsToTell = async ({ area }: Call) =>
  (
    await world.foyer.query<{ email: string }>(
      `select email from users where customer_id = $1 and user_type_id = 2 and active and not draft and deleted_at is null
         and group_id is null and property_id is null and id <> $2 order by 1`,
      [editor.user.customer.id, area === 'sessions' ? editor.user.id : 0],
    )
  ).map(({ email }) => email)
const prove = (code?: string) => world.foyer.ask(own.prove, { password, ...(code !== undefined && { code }) }, editor)
const send = ({ endpoint }: Call, ask: CallInput, who: Person = editor) => world.foyer.send(endpoint, ask, who)

const disabled = async (user_type_id: number) => {
  const who = await world.foyer.invited(editor, { user_type_id })
  await world.foyer.get(users.deactivate, { ids: [who.user.id] }, editor)
  return who.user.id
}
const editorOfProperty = async () =>
  (await world.foyer.invited(editor, { owner_type: 'Property', owner_id: idOf(world.own, 'properties') })).user.id
const address = () => `${unique('outside').replaceAll(' ', '.')}@elsewhere.example`
const consent = async (endpoint: typeof accounting.authorize | typeof marketing.authorize) => {
  const provider = endpoint === accounting.authorize ? world.providers.xero : world.providers.mailchimp
  return provider.consent((await world.foyer.get(endpoint, {}, editor)).data.url)
}
const connection = async () => {
  const of = { property_interface_type_id: 4, owner_type: 'Property', owner_id: idOf(world.own, 'properties') } as const
  const { id } = await world.foyer.propertyInterface(editor, of)
  return world.providers.apaleo.consent((await world.foyer.get(interfaces.authorize, { id }, editor)).data.url)
}
const nest = async () => {
  const { id } = (await world.foyer.get(connections.create, world.providers.owls.asked, editor)).data
  return world.providers.owls.consent((await world.foyer.get(connections.authorize, { id }, editor)).data.url)
}

/** The second factor of the editor, as far as it has been set up. */
const factor = { secret: '', codes: [] as string[] }
const codeOfApp = (halfMinutes = 0) =>
  new TOTP({ secret: Secret.fromBase32(factor.secret) }).generate({ timestamp: Date.now() + halfMinutes * 30_000 })

/** Inputs that give something away, of the calls for which the smallest input does not. */
const giving: Record<string, () => CallInput | Promise<CallInput>> = {
  '/user-api-tokens-create': () => ({ permissions: ['read', 'full:rooms'] }),
  '/groups-create-api-key': () => ({ permissions: ['full'] }),
  // It may hand out guests' data.
  '/properties-create-api-key': () => ({ permissions: ['write'] }),
  '/users-create': () => ({ user_type_id: 2 }),
  '/users-invite': () => ({ user_type_id: 2, email: address() }),
  '/users-invite-team-member': async () => ({
    emails: [address()],
    names: ['Ada'],
    team_id: (await world.foyer.team(editor, { user_type_id: 2 })).id,
  }),
  '/users-update': async () => ({ id: (await world.foyer.viewer(editor)).user.id, user_type_id: 2 }),
  '/users-activate/{id}': async () => ({ id: await disabled(2) }),
  '/groups-create': async () => ({ user_ids: [await editorOfProperty()] }),
  '/groups-update': async () => ({ user_ids: [await editorOfProperty()] }),
  '/scheduled-reports-create': () => ({ recipients: [address()] }),
  '/scheduled-reports-update': () => ({ recipients: [address()], draft: true }),
  '/accounting-integrations-create': () => consent(accounting.authorize),
  '/marketing-integrations-create': () => consent(marketing.authorize),
  '/connections-create': () => world.providers.pigeons.asked,
  '/connections-connect': nest,
  '/connections-update': () => ({ settings: { seed: 'barley' } }),
  '/property-interfaces-connect': connection,
  '/webhooks-update': () => ({ url: `https://${unique('crm').replaceAll(' ', '-')}.example/` }),
  '/auth/second-factor-begin': () => ({ current_password: password }),
  '/auth/second-factor-confirm': () => ({ code: codeOfApp() }),
  '/auth/second-factor-recovery-codes': () => ({ current_password: password, code: codeOfApp(1) }),
  '/auth/second-factor-remove': () => ({ current_password: password, code: factor.codes.pop() }),
}
/** Inputs of the same calls that give nothing away. */
const harmless: Record<string, () => CallInput | Promise<CallInput>> = {
  '/user-api-tokens-create': () => ({ permissions: ['read', 'write:rooms'] }),
  '/groups-create-api-key': () => ({ permissions: ['write:rooms'] }),
  '/properties-create-api-key': () => ({ permissions: ['read'] }),
  '/users-create': () => ({ user_type_id: 3 }),
  '/users-invite': () => ({ email: address() }),
  '/users-invite-team-member': () => ({ emails: [address()], names: ['Ada'] }),
  '/users-update': () => ({ id: editor.user.id, name: unique('Editor'), user_type_id: 2 }),
  '/connections-update': () => ({ name: unique('Loft') }),
  '/webhooks-update': () => ({ active: true }),
  '/users-activate/{id}': async () => ({ id: await disabled(1) }),
  '/groups-create': () => ({}),
  '/groups-update': () => ({ name: unique('Group') }),
  '/scheduled-reports-create': () => ({ recipients: [editor.user.email] }),
  '/scheduled-reports-update': () => ({ name: unique('Report'), draft: true }),
}
const inputOf = async (call: Call, inputs = giving) => ({
  ...askFor(call, world.own),
  ...(await inputs[call.endpoint.path]?.()),
})

describe('every marked call', () => {
  test.each(marked)('$name is asked of an old proof, and goes on after a fresh one', async (call) => {
    await world.rest()
    await prove(factor.codes.pop())
    const ask = await inputOf(call)
    await grownOld()
    const before = await world.state()
    const refused = await send(call, ask)
    expect([refused.status, refused.text]).toEqual([403, JSON.stringify(asks)])
    expect(await world.state()).toEqual(before)
    expect((await prove(factor.codes.pop())).status).toBe(200)
    const since = await newestMail()
    const done = await send(call, ask)
    expect([done.status, done.text]).toEqual([call.endpoint.status, expect.any(String)])
    if (call.area === 'sessions') noteFactor(call, done.body)
    if (call.endpoint !== own.beginSecondFactor) expect(await told(since)).toEqual(await editorsToTell(call))
  })

  test.each(marked.filter(({ endpoint }) => endpoint.path in harmless))(
    '$name is not asked where nothing is given away',
    async (call) => {
      await world.rest()
      await prove()
      const ask = await inputOf(call, harmless)
      await grownOld()
      const since = await newestMail()
      const { status, text } = await send(call, ask)
      expect([status, text]).toEqual([call.endpoint.status, expect.any(String)])
      expect(await told(since)).toEqual([])
    },
  )

  // Consent is given by people alone.
  const ofKeys = marked.filter(({ area, endpoint }) => keyAreas.includes(area) && endpoint !== interfaces.connect)
  test.each(ofKeys)('$name is not asked of a key', async (call) => {
    await world.rest()
    await prove()
    const { user_ids: _, ...ask } = await inputOf(call)
    await grownOld()
    const { status, text } = await send(call, ask, world.programs["an editor's key"])
    expect([status, text]).toEqual([call.endpoint.status, expect.any(String)])
  })

  test.each(marked)('$name says so in its description', async ({ endpoint }) => {
    const { body } = await world.foyer.app.inject('/api/v1/openapi.json')
    const document = JSON.parse(body) as Described
    expect(document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.responses[403]?.$ref).toBe(
      '#/components/responses/AskedAgain',
    )
  })
})

interface Described {
  paths: Record<string, Record<string, { responses: Record<number, { $ref?: string }> }>>
}

function noteFactor({ endpoint: { path } }: Call, body: unknown) {
  const { data } = body as { data: { secret?: string; recovery_codes?: string[] } }
  if (path === own.beginSecondFactor.path) factor.secret = data.secret ?? ''
  if (data.recovery_codes) factor.codes = data.recovery_codes
  if (path === own.removeSecondFactor.path) factor.codes = []
}

describe('no call that gives reach or data away is without the mark', () => {
  /** Fields by which somebody comes to reach more, or to receive something regularly. */
  const reach = ['permissions', 'user_type_id', 'recipients']
  const gives: [string, (endpoint: Endpoint) => boolean][] = [
    ['gives reach', ({ kind, input }) => kind === 'write' && fieldsIn(input).some((field) => reach.includes(field))],
    ['hands out guests’ data', ({ gives, area }) => gives === 'file' && area === guests.data.area],
    ['connects another company', ({ input }) => input === Callback],
    ['changes a second factor', ({ path }) => /^\/auth\/second-factor-(?!state)/.test(path)],
  ]
  /** Given away by another call, which is marked. */
  const spared = [
    // People are given it when they are invited into the team.
    '/teams-create',
    '/teams-update',
  ]

  test.each(gives)('that %s', (_, isGiving) => {
    const found = calls.filter(({ endpoint }) => isGiving(endpoint))
    expect(found.length).toBeGreaterThan(0)
    const unmarked = found.filter(({ endpoint }) => !endpoint.asks && !spared.includes(endpoint.path))
    expect(unmarked.map(({ name }) => name)).toEqual([])
  })
})

/** The names of an input's fields, at any depth, without those of filters. */
function fieldsIn(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as z.ZodRawShape).flatMap(([name, inner]) =>
      name === 'filters' ? [] : [name, ...fieldsIn(inner as z.ZodType)],
    )
  if (schema instanceof z.ZodArray) return fieldsIn(schema.element as z.ZodType)
  if (schema instanceof z.ZodPipe) return fieldsIn(schema.out as z.ZodType)
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? fieldsIn(schema.unwrap() as z.ZodType) : []
}

describe('giving the password again', () => {
  const wrongPassword = invalid({ password: ['This is not your present password.'] })

  test('a wrong one is refused on its field and proves nothing', async () => {
    await world.rest()
    await grownOld()
    const wrong = await world.foyer.ask(own.prove, { password: 'not the password' }, editor)
    expectRefused(wrong, wrongPassword)
    const full = await world.foyer.send(users.invite, { email: address(), name: 'Ada', user_type_id: 2 }, editor)
    expect(full.body).toEqual(asks)
  })

  test('wrong ones count against the session that makes them, and never against the owner’s own', async () => {
    await world.rest()
    const thief = world.foyer.signedIn((await world.foyer.get(auth.login, { email: editor.user.email, password })).data)
    for (let tries = 1; tries <= 10; tries++)
      expectRefused(await world.foyer.ask(own.prove, { password: `guess ${tries}` }, thief), wrongPassword)
    expectRefused(await world.foyer.ask(own.prove, { password }, thief), refusals.tooMany)
    expect((await prove()).status).toBe(200)
  })

  test('acting as another of one’s users is no proof, and keeps the one there is', async () => {
    await world.rest()
    const elsewhere = await world.foyer.customer()
    await world.foyer.get(users.invite, { email: elsewhere.user.email, name: 'Ada', user_type_id: 2 }, editor)
    const token = world.foyer.tokenIn(await world.foyer.mailTo(elsewhere.user.email))
    const joined = world.foyer.signedIn((await world.foyer.get(auth.acceptInvitation, { token, password }, null)).data)
    const invite = (who: Person) =>
      world.foyer.send(users.invite, { email: address(), name: 'Ada', user_type_id: 2 }, who)
    await grownOld(joined)
    const switched = world.foyer.signedIn(
      (await world.foyer.get(auth.switchUser, { user_id: elsewhere.user.id }, joined)).data,
    )
    expect((await invite(switched)).body).toEqual(asks)
    await world.foyer.get(own.prove, { password }, switched)
    const back = world.foyer.signedIn(
      (await world.foyer.get(auth.switchUser, { user_id: joined.user.id }, switched)).data,
    )
    expect((await invite(back)).status).toBe(200)
  })
})
