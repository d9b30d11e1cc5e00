// Tenancy: nobody reaches another's records. Every endpoint is tried with every kind of wrong caller and wrong id.
// By whom is a sample of the seed; `PROOFS=full` lets all callers try, and so does `npm run proofs`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathFields, type Endpoint } from '#contract/endpoint.ts'
import { closedToKeys } from '#contract/api-keys.ts'
import * as properties from '#contract/properties.ts'
import * as auth from '#contract/auth.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { isOpen, may, rightsOf } from '#server/access/policies.ts'
import { lookupTables } from '#server/access/reach.ts'
import { hashOf } from '#server/access/authenticate.ts'
import { wrongCredentials } from '#server/resources/auth/logins.ts'
import { password, type Person } from '#test/foyer.ts'
import { chance, full, seed } from '#test/proofs/proof.ts'
import { expectRefused } from '#test/refused.ts'
import { absent_id, nothingChanges, openWorld, shared, type World } from './world.ts'
import { askFor, calls, idOf, refsOf, rowsOf, takes, withValue, type CallInput, type Call } from './calls.ts'

const unauthenticated = { status: 401, text: '{"message":"Unauthenticated."}' }
const forbidden = { status: 403, text: '{"message":"This action is unauthorized."}' }
const notFound = { status: 404, text: '{"message":"Not found."}' }
const invalid = (field: string, sentence: string) => ({
  status: 422,
  text: JSON.stringify({ message: 'The given data was invalid.', errors: { [field]: [sentence] } }),
})
const idsInvalid = invalid('ids', 'One or more of the selected ids are invalid.')

const lookups: readonly string[] = lookupTables
const common: readonly string[] = [...shared, ...lookups]

const closed = calls.filter(({ endpoint }) => !isOpen(endpoint))
const contextual = closed.filter(({ area }) => area !== 'sessions')
// A list as a file is logged like a write, but is open to everyone who may read the list.
const writes = contextual.filter(({ endpoint }) => endpoint.kind === 'write' && endpoint.action !== 'read')
const rows = contextual.flatMap((call) => rowsOf(call).map((row) => ({ ...call, ...row })))
const withId = rows.filter(({ several }) => !several)
const withIds = rows.filter(({ several }) => several)
const withValues = contextual.flatMap((call) =>
  refsOf(call.endpoint).map(([field, target]) => ({ ...call, field, target })),
)
const withOwner = writes.filter(
  ({ endpoint }) => takes(endpoint, 'owner_type') && takes(endpoint, 'owner_id') && !takes(endpoint, 'id'),
)

let world: World
beforeAll(async () => {
  console.log(`Callers are chosen by seed ${seed}`)
  world = await openWorld()
})
afterAll(() => world.close())

/** Runs the attempts, and compares the state of the whole database before and after. */
async function unchanged(work: () => Promise<void>) {
  const before = await world.state()
  await work()
  expect(await world.state()).toEqual(before)
}

const mayCall = (who: Person, { endpoint }: Call) => may(who.user, endpoint)
function callerMay(owner_type: 'Group' | 'Property', endpoint: Endpoint) {
  return may({ can: rightsOf(owner_type, 'editor') }, endpoint)
}
/** Everybody in a world, and every program. */
const askersOf = ({ people, programs }: World): Person[] => [...Object.values(people), ...Object.values(programs)]
/** The calls that some user of a group or a property may make. */
const insidersMay = <C extends Call>(all: C[]) =>
  all.filter(({ endpoint }) => (['Group', 'Property'] as const).some((owner) => callerMay(owner, endpoint)))

const random = chance()
/** A few, different ones each time; all of them with `PROOFS=full`. */
function someOf<T>(all: readonly T[], count: number): readonly T[] {
  if (full || all.length <= count) return all
  const from = Math.floor(random() * all.length)
  return Array.from({ length: count }, (_, index) => all[(from + index) % all.length] as T)
}

/** Some of those who may make a call. Throws if there are none, since the test would try nothing. */
function callersOf(call: Call, people: readonly Person[]): readonly Person[] {
  const callers = people.filter((one) => mayCall(one, call))
  if (callers.length === 0) throw new Error(`nobody may call ${call.name}`)
  return someOf(callers, 2)
}

test('without a token only these calls answer', () => {
  expect(calls.filter(({ endpoint }) => isOpen(endpoint)).map(({ endpoint }) => endpoint.path)).toEqual([
    '/auth/address-to-confirm',
    '/auth/confirm-address',
    '/auth/not-me',
    '/auth/reset-made-since',
    '/auth/login',
    '/auth/second-factor',
    '/auth/signup',
    '/auth/forgot-password',
    '/auth/reset-password',
    '/auth/accept-invitation',
  ])
})

describe('a token that is no token is answered 401, byte for byte', () => {
  const dead: [string, () => Promise<Record<string, string>>][] = [
    ['none', async () => ({})],
    ['an empty one', async () => ({ authorization: 'Bearer ' })],
    ['another scheme', async () => ({ authorization: `Basic ${world.people['customer editor'].token}` })],
    ['one that was never given out', async () => ({ authorization: `Bearer ${'x'.repeat(43)}` })],
    [
      'the hash of a live one',
      async () => ({ authorization: `Bearer ${hashOf(world.people['customer editor'].token).toString('hex')}` }),
    ],
    ['an expired one', () => worn(`expires_at = now() - interval '1 second'`)],
    ['an idle one', () => worn(`last_used_at = now() - interval '5 hours'`)],
    [
      'a revoked one',
      async () => {
        const { token } = await guest()
        await world.foyer.get(auth.logout, {}, { ...world.people['customer viewer'], token })
        return { authorization: `Bearer ${token}` }
      },
    ],
    ["a disabled user's", () => gone('active = false')],
    ["a deleted user's", () => gone('deleted_at = now()')],
    ["a user's who was moved to a deleted property", () => gone('property_id = (select id from removed)')],
  ]

  const guest = () => world.foyer.viewer(world.people['customer editor'])
  async function worn(change: string) {
    const { token } = await guest()
    await world.admin.query(`update sessions set ${change} where token_hash = $1`, [hashOf(token)])
    return { authorization: `Bearer ${token}` }
  }
  async function gone(change: string) {
    const { token, user } = await guest()
    await world.admin.query(
      `with removed as (insert into properties (customer_id, name, deleted_at) values ($2, 'gone', now()) returning id)
       update users set ${change} where id = $1`,
      [user.id, user.customer.id],
    )
    return { authorization: `Bearer ${token}` }
  }

  test.each(dead)('%s', async (_, headersOf) => {
    await world.rest()
    const headers = await headersOf()
    await unchanged(async () => {
      for (const call of someOf(closed, 60))
        for (const context of [{ 'app-context': 'customer' }, {}] as Record<string, string>[])
          expect(
            await world.send(call.endpoint, askFor(call, world.own), null, { ...headers, ...context }),
            call.name,
          ).toMatchObject(unauthenticated)
    })
  })

  test('a token in the address or the body is never read', async () => {
    const { token } = world.people['customer editor']
    for (const call of closed) {
      const hidden = { token, access_token: token, authorization: `Bearer ${token}`, api_token: token }
      expect(await world.send(call.endpoint, { ...askFor(call, world.own), ...hidden }, null), call.name).toMatchObject(
        unauthenticated,
      )
    }
  })
})

describe('the App-Context grants nothing: any but the own is answered 403', () => {
  nothingChanges(() => world)
  test.each(['customer editor', 'group editor', 'property editor'] as const)('%s', async (name) => {
    const who = world.people[name]
    const others = ['customer', 'group', 'property', '', 'admin', 'customer, property', 'package', `${who.context}s`]
    for (const context of others.filter((other) => other !== who.context)) {
      await world.rest()
      for (const call of someOf(contextual, 40))
        expect(
          await world.send(call.endpoint, askFor(call, world.own), who, { 'app-context': context }),
          `${call.name} as ${context}`,
        ).toMatchObject(forbidden)
    }
    const bare = { authorization: `Bearer ${who.token}` }
    for (const call of contextual)
      expect(await world.send(call.endpoint, askFor(call, world.own), null, bare), call.name).toMatchObject(forbidden)
  })
})

describe('a key ignores the App-Context, and reaches no people, keys, links, money or log', () => {
  test.each(['customer', 'group', 'property', 'admin', ''])('"%s"', async (context) => {
    for (const program of Object.values(world.programs)) {
      const headers = { 'app-context': context }
      const answer = await world.send(properties.list, {}, program, headers)
      expect(answer.status).toBe(200)
    }
  })
  const closed_to_keys = closed.filter(({ area }) => (closedToKeys as readonly string[]).includes(area))
  nothingChanges(() => world)
  test.each(closed_to_keys)('$name', async (call) => {
    for (const program of Object.values(world.programs))
      expect(await world.send(call.endpoint, askFor(call, world.own), program)).toMatchObject(forbidden)
  })
})

describe('a viewer writes nothing, and is told so before anything is looked up', () => {
  nothingChanges(() => world)
  test.each(['customer viewer', 'group viewer', 'property viewer'] as const)('%s', async (name) => {
    for (const call of writes) {
      const own = askFor(call, world.own)
      const other = askFor(call, world.foreign)
      const paths = Object.fromEntries(pathFields(call.endpoint.path).map((field) => [field, 'nonsense']))
      for (const ask of [own, other, paths])
        expect(await world.send(call.endpoint, ask, world.people[name]), call.name).toMatchObject(forbidden)
    }
  })
})

/** A neighbour's records are answered like records that never existed; with all walls, and without the first. */
function neighbourCases(worldOf: () => World, askers: (of: World) => Person[]) {
  nothingChanges(worldOf)

  test.each(withId)('$name: a foreign id is no id at all', async (call) => {
    const { send, own, foreign } = worldOf()
    for (const who of callersOf(call, askers(worldOf()))) {
      const attempt = (id: number) => send(call.endpoint, { ...askFor(call, own), [call.field]: id }, who)
      const answer = await attempt(idOf(foreign, call.table))
      expect(answer).toMatchObject(notFound)
      expect(answer).toEqual(await attempt(absent_id))
    }
  })

  test.each(withIds)('$name: one foreign id among many spoils them all', async (call) => {
    const { send, own, foreign } = worldOf()
    for (const who of callersOf(call, askers(worldOf())))
      for (const ids of [[], [idOf(own, call.table)]]) {
        const foreign_id = idOf(foreign, call.table)
        const answer = await send(call.endpoint, { ...askFor(call, own), ids: [...ids, foreign_id] }, who)
        expect(answer).toMatchObject(idsInvalid)
        expect(answer).toEqual(await send(call.endpoint, { ...askFor(call, own), ids: [...ids, absent_id] }, who))
      }
  })

  test.each(withValues)('$name: $field takes no $target of a neighbour', async (call) => {
    const { send, own, foreign } = worldOf()
    const sentence = selectedInvalid(call.field.split('.').at(-1) ?? '')
    for (const who of callersOf(call, askers(worldOf()))) {
      const attempt = (id: number) =>
        send(call.endpoint, withValue(call.endpoint, askFor(call, own), call.field, id, own), who)
      const answer = await attempt(absent_id)
      expect(answer).toMatchObject(invalid(call.field, sentence))
      // Look-ups belong to nobody.
      if (!lookups.includes(call.target)) expect(await attempt(idOf(foreign, call.target))).toEqual(answer)
    }
  })

  test.each(withOwner)('$name: nobody is put under a neighbour', async (call) => {
    const { send, own, foreign, neighbour } = worldOf()
    const refused = invalid('owner_id', selectedInvalid('owner_id'))
    for (const who of callersOf(call, askers(worldOf())))
      for (const [owner_type, owner_id] of [
        ['Customer', neighbour.user.customer.id],
        ['groups', idOf(foreign, 'groups')],
        ['PROPERTY', idOf(foreign, 'properties')],
      ] as const) {
        const ask = { ...askFor(call, own), owner_type }
        const answer = await send(call.endpoint, { ...ask, owner_id }, who)
        expect(answer).toMatchObject(owner_type === 'Customer' && who.context !== 'customer' ? forbidden : refused)
        expect(answer).toEqual(await send(call.endpoint, { ...ask, owner_id: absent_id }, who))
      }
  })

  test('no list, record or name shows anything of the neighbour, and the neighbour sees it', async () => {
    const { send, neighbour, own, foreign, marks, rest } = worldOf()
    let seen = 0
    for (const call of contextual.filter(({ endpoint }) => endpoint.kind === 'read')) {
      const searches: CallInput[] = takes(call.endpoint, 'searchValue')
        ? [{}, { searchValue: marks.neighbour }, { per_page: 200 }]
        : [{}]
      for (const search of searches) {
        for (const who of callersOf(call, askers(worldOf()))) {
          const { status } = await send(call.endpoint, { ...askFor(call, own), ...search }, who)
          // A group's or property's request may be out of its reach; the customer's succeed, except for a code that was never made.
          const sure = who.context === 'customer' && !takes(call.endpoint, 'code')
          expect(sure ? [200] : [200, 404, 422], call.name).toContain(status)
        }
        const { text } = await send(call.endpoint, { ...askFor(call, foreign), ...search }, neighbour)
        if (text.toLowerCase().includes(marks.neighbour.toLowerCase())) seen++
      }
      await rest()
    }
    expect(seen).toBeGreaterThan(20)
  })
}

describe('a neighbour', () => {
  neighbourCases(() => world, askersOf)
})

describe('a neighbour, kept out by the second wall alone', () => {
  let open: World
  beforeAll(async () => void (open = await openWorld({ firstWall: false })))
  afterAll(() => open.close())
  // Users of a group and a property are separated only by the first wall, but neighbours are neighbours to them, too.
  neighbourCases(() => open, askersOf)
})

describe("a sibling's records are none of a group's or a property's", () => {
  nothingChanges(() => world)
  const insiders = () => [
    world.people['group editor'],
    world.people['property editor'],
    world.people['group viewer'],
    world.people['property viewer'],
    world.programs["a group's key"],
    world.programs["a property's key"],
    world.programs["an editor's key for one property"],
  ]

  test.each(insidersMay(withId).filter(({ table }) => !common.includes(table)))('$name: by id', async (call) => {
    for (const who of callersOf(call, insiders())) {
      const attempt = (id: number) => world.send(call.endpoint, { ...askFor(call, world.own), [call.field]: id }, who)
      const answer = await attempt(idOf(world.sibling, call.table))
      expect(answer).toMatchObject(notFound)
      expect(answer).toEqual(await attempt(absent_id))
    }
  })

  test.each(insidersMay(withIds).filter(({ table }) => !common.includes(table)))('$name: among many', async (call) => {
    for (const who of callersOf(call, insiders())) {
      const ids = [idOf(world.own, call.table), idOf(world.sibling, call.table)]
      expect(await world.send(call.endpoint, { ...askFor(call, world.own), ids }, who)).toMatchObject(idsInvalid)
    }
  })

  test.each(insidersMay(withValues).filter(({ target }) => !common.includes(target)))(
    '$name: $field by reference',
    async (call) => {
      for (const who of callersOf(call, insiders())) {
        const attempt = (id: number) =>
          world.send(call.endpoint, withValue(call.endpoint, askFor(call, world.own), call.field, id, world.own), who)
        const answer = await attempt(idOf(world.sibling, call.target))
        expect(answer).toMatchObject(invalid(call.field, selectedInvalid(call.field.split('.').at(-1) ?? '')))
        expect(answer).toEqual(await attempt(absent_id))
      }
    },
  )

  test.each(insidersMay(withOwner))('$name: nobody is put beside or above oneself', async (call) => {
    for (const who of callersOf(call, insiders()))
      for (const [owner_type, owner_id] of [
        ['Customer', who.user.customer.id],
        ['Group', idOf(world.sibling, 'groups')],
        ['Property', idOf(world.sibling, 'properties')],
        ...(who.context === 'property' ? ([['Group', idOf(world.own, 'groups')]] as const) : []),
      ] as const) {
        const answer = await world.send(call.endpoint, { ...askFor(call, world.own), owner_type, owner_id }, who)
        expect([403, 422]).toContain(answer.status)
      }
  })

  test('no list, record or name shows them', async () => {
    for (const call of contextual.filter(({ endpoint }) => endpoint.kind === 'read'))
      for (const who of insiders())
        for (const search of takes(call.endpoint, 'searchValue') ? [{}, { searchValue: world.marks.sibling }] : [{}])
          expect(
            (await world.send(call.endpoint, { ...askFor(call, world.own), ...search }, who)).status,
            call.name,
          ).toBeLessThan(500)
  })
})

test('signing in as another is only for the users of the same login', async () => {
  for (const user_id of [world.neighbour.user.id, world.people['group editor'].user.id, absent_id])
    expect(await world.send(auth.switchUser, { user_id }, world.people['customer editor'])).toMatchObject(notFound)
  const { email } = world.neighbour.user
  const wrong = await world.send(auth.login, { email, password: `${password}!` }, null)
  expectRefused(wrong, wrongCredentials())
})
