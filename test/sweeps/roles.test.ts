// Roles: who may call what, as a table independent of the policies: every endpoint × every kind of user, allowed or not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusals, reservedForCustomer, reservedForEditors, selectedInvalid } from '#contract/errors.ts'
import * as accounts from '#contract/accounts.ts'
import { keysOf } from '#contract/keys.ts'
import * as properties from '#contract/properties.ts'
import { reservedFrom } from '#contract/reserved.ts'
import * as auth from '#contract/auth.ts'
import { actions, areas, type Action, type Area } from '#contract/permissions.ts'
import { namesIn } from '#server/access/key-rights.ts'
import { isOpen, rightsOf } from '#server/access/policies.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { aProperty, password, type Person } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'
import { absent_id, openWorld, type Insider, type Program, type World } from './world.ts'
import { askFor, calls, refsOf, takes, type Call } from './calls.ts'

type Level = 'customer' | 'group' | 'property'
const of = (levels: readonly Level[], ...roles: string[]): Insider[] =>
  levels.flatMap((level) => roles.map((role) => `${level} ${role}` as Insider))
const every: readonly Level[] = ['customer', 'group', 'property']
const upper: readonly Level[] = ['customer', 'group']

const everybody = of(every, 'editor', 'viewer', 'front desk')
const noDesk = of(every, 'editor', 'viewer')
const editors = of(every, 'editor')
const deskAndEditors = of(every, 'editor', 'front desk')
const upperEditors = of(upper, 'editor')
const customersEditors = of(['customer'], 'editor')

/** Repeats the policies independently, so that a mistake in either is noticed. */
const expected: Record<Area, Partial<Record<Action, Insider[]>>> = {
  accounting_integrations: {
    read: of(['customer'], 'editor', 'viewer'),
    write: customersEditors,
    delete: customersEditors,
  },
  accounts: { read: everybody, desk: deskAndEditors, write: editors, delete: editors },
  activity: { read: noDesk },
  api_keys: { read: of(upper, 'editor', 'viewer'), write: upperEditors, delete: upperEditors },
  billing: { read: of(['customer'], 'editor', 'viewer'), write: customersEditors, delete: customersEditors },
  collections: { read: of(upper, 'editor', 'viewer'), write: upperEditors, delete: upperEditors },
  company: { read: noDesk, write: customersEditors },
  connections: { read: of(['customer'], 'editor', 'viewer'), write: customersEditors, delete: customersEditors },
  dashboard: { read: everybody, write: editors },
  devices: { read: everybody, desk: deskAndEditors, write: editors, delete: editors },
  events: { read: noDesk },
  due_work: { read: customersEditors, write: customersEditors, delete: customersEditors },
  gateways: { read: noDesk, write: upperEditors, delete: upperEditors },
  groups: { read: of(upper, 'editor', 'viewer'), write: customersEditors, delete: customersEditors },
  guest_help: { read: everybody, desk: deskAndEditors },
  guest_sessions: { read: everybody, desk: deskAndEditors, write: editors },
  guests: { read: noDesk, desk: editors, write: editors, delete: editors },
  imports: { read: noDesk, write: editors },
  mac_categories: { read: everybody, write: customersEditors, delete: customersEditors },
  marketing_integrations: {
    read: of(['customer'], 'editor', 'viewer'),
    write: customersEditors,
    delete: customersEditors,
  },
  packages: { read: everybody, write: customersEditors, delete: customersEditors },
  portal_footers: { read: noDesk, write: customersEditors, delete: customersEditors },
  portals: { read: noDesk, write: customersEditors, delete: customersEditors },
  properties: { read: everybody, write: upperEditors, delete: upperEditors },
  property_interfaces: { read: noDesk, write: upperEditors, delete: upperEditors },
  reference: { read: everybody },
  reports: { read: noDesk, write: customersEditors, delete: customersEditors },
  room_guests: { read: everybody, write: deskAndEditors, delete: deskAndEditors },
  rooms: { read: everybody, write: editors, delete: editors },
  security: { read: customersEditors, write: customersEditors },
  sessions: { read: everybody, write: everybody },
  sign_in_attempts: { read: everybody },
  teams: { read: noDesk, write: upperEditors, delete: upperEditors },
  undelivered: { read: customersEditors, write: customersEditors, delete: customersEditors },
  users: { read: noDesk, invite: editors, write: upperEditors, delete: upperEditors },
  voucher_batches: { read: everybody, desk: deskAndEditors, write: editors, delete: editors },
  vouchers: { read: everybody, desk: deskAndEditors },
  webhooks: { read: editors, write: editors, delete: editors },
}
const lawful = (who: Insider, area: Area, action: Action) => expected[area][action]?.includes(who) ?? false

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

/** Input with which an allowed caller changes nothing: the record does not exist, or a field is wrong. */
const harmless = ({ endpoint }: Call) => ({
  ...(takes(endpoint, 'id') ? { id: absent_id } : {}),
  ...(takes(endpoint, 'user_id') ? { user_id: absent_id } : {}),
})

async function again(who: Person): Promise<Person> {
  const credentials = { email: who.user.email, password }
  return world.foyer.signedIn((await world.foyer.get(auth.login, credentials)).data)
}

describe.each(everybody)('%s', (name) => {
  let who: Person
  test.each(calls.filter(({ endpoint }) => !isOpen(endpoint)))('$name', async (call) => {
    // Signing out everywhere is one of the calls.
    who = call.area === 'sessions' || who === undefined ? await again(world.people[name]) : who
    const answer = await world.send(call.endpoint, harmless(call), who)
    if (call.area === 'sessions') who = await again(world.people[name])
    if (lawful(name, call.area, call.endpoint.action)) expect([200, 404, 422]).toContain(answer.status)
    else expectRefused(answer, forbidden())
  })
})

test.each(everybody)('%s is told what they may do, and of nothing else', async (name) => {
  const { data } = await world.foyer.get(auth.me, {}, await again(world.people[name]))
  const allowed = areas.flatMap((area): [string, Action[]][] => {
    const allowed = actions.filter((action) => lawful(name, area, action))
    return allowed.length > 0 ? [[area, allowed]] : []
  })
  expect(data.can).toEqual(Object.fromEntries(allowed))
})

describe('a key may do what its owner may, as far as its permissions go', () => {
  const standing: Record<Program, Insider> = {
    "an editor's key": 'customer editor',
    // In its properties it acts as one of their users.
    "an editor's key for one property": 'property editor',
    "a group's key": 'group editor',
    "a property's key": 'property editor',
  }
  const closed: readonly Area[] = [
    ...(['users', 'teams', 'api_keys', 'sessions', 'activity', 'billing'] as const),
    ...([
      'accounting_integrations',
      'marketing_integrations',
      'security',
      'company',
      'connections',
      'undelivered',
      'due_work',
      'webhooks',
    ] as const),
  ]
  const grants: Record<string, Action[]> = {
    read: ['read'],
    write: ['read', 'desk', 'write'],
    full: ['read', 'desk', 'write', 'delete'],
  }
  const isOfNames = ({ endpoint: { kind, method, path } }: Call) =>
    kind === 'read' && (method === 'GET' || path.endsWith('-list') || path === '/mac-categories')
  /** What the fields of a room refer to, and the look-ups. */
  const namedByRooms: readonly Area[] = ['reference', 'rooms', 'groups', 'packages', 'properties']

  test('a key of one area reads the names that the fields of its calls hold', () => {
    const areasWithNames = new Set(calls.filter(isOfNames).map(({ area }) => area))
    const held = (area: Area) => {
      const targets = calls.flatMap((call) =>
        call.area === area ? refsOf(call.endpoint).map(([, target]) => target) : [],
      )
      const named = areas.filter((other) => other !== area && areasWithNames.has(other) && !closed.includes(other))
      return named.filter((other) => (targets as readonly string[]).includes(other))
    }
    const expectedNames = areas.filter((area) => !closed.includes(area) && held(area).length > 0)
    expect(namesIn).toEqual(Object.fromEntries(expectedNames.map((area) => [area, held(area)])))
  })

  const served = calls.filter(({ endpoint }) => !isOpen(endpoint))

  test.each(keysOf(standing))('%s', async (name) => {
    await world.rest()
    for (const call of served) {
      const { area, action } = call.endpoint
      const answer = await world.send(call.endpoint, harmless(call), world.programs[name])
      if (lawful(standing[name], area, action) && !closed.includes(area))
        expect([200, 404, 422], call.name).toContain(answer.status)
      else expectRefused(answer, forbidden(), call.name)
    }
  })

  test.each(Object.keys(grants))('%s', async (level) => {
    await world.rest()
    const editor = await again(world.people['customer editor'])
    const everywhere = (await world.foyer.apiKey(editor, { permissions: [level] })).program
    const inRooms = (await world.foyer.apiKey(editor, { permissions: [`${level}:rooms`] })).program
    for (const call of served) {
      const { area, action } = call.endpoint
      const may = lawful('customer editor', area, action) && !closed.includes(area) && grants[level]?.includes(action)
      const some = await world.send(call.endpoint, harmless(call), { ...editor, token: everywhere.token })
      expect(some.status === 403, `${call.name}: ${some.status}`).toBe(!may)
      const one = await world.send(call.endpoint, harmless(call), { ...editor, token: inRooms.token })
      const named = lawful('customer editor', area, 'read') && isOfNames(call) && namedByRooms.includes(area)
      expect(one.status === 403, `${call.name}: ${one.status}`).toBe(!((may && area === 'rooms') || named))
    }
  })
})

test('the web app is told exactly what a person may do', async () => {
  for (const name of everybody) {
    const { data } = await world.foyer.get(auth.me, {}, await again(world.people[name]))
    for (const area of areas)
      expect(data.can[area] ?? [], `${name}, ${area}`).toEqual(actions.filter((action) => lawful(name, area, action)))
  }
})

describe('fields that only the customer’s own users write', () => {
  const editorOfGroup = { owner_type: 'Group', can: rightsOf('Group', 'editor') }
  const reserved = calls.flatMap((call) =>
    call.endpoint.kind === 'read'
      ? []
      : [...reservedFrom(editorOfGroup, call.endpoint.input).keys()].map((field) => ({ call, field })),
  )
  const others = everybody.filter((name) => !name.startsWith('customer'))
  const answerTo = async (call: Call, name: Insider, values: object) =>
    world.send(
      call.endpoint,
      { ...askFor(call, world.own), ...(call.area === 'properties' && { draft: true }), ...values },
      world.people[name],
    )
  /** A value that differs from all values in the world; of a switch, from what it is by itself, or was made as. */
  const another = ({ endpoint }: Call, field: string) => {
    if (field === 'personal_data') return endpoint.path === '/webhooks-create'
    return field.endsWith('_id') ? world.own.get('accounting_contacts') : field === 'currency' ? 'KWD' : 7
  }

  // The calls above have signed everybody out.
  beforeAll(async () => {
    await world.rest()
    for (const name of everybody) world.people[name] = await again(world.people[name])
  })

  test('are these', () => {
    expect(reserved.map(({ call, field }) => `${call.endpoint.path} ${field}`).toSorted()).toEqual(
      ['/properties-create', '/properties-update']
        .flatMap((path) =>
          [
            'accounting_contact_id',
            'currency',
            'holiday_billable_percentage',
            'max_accounts',
            'minimum_billable_percentage',
            'rate_per_unit',
            'total_units',
          ].map((field) => `${path} ${field}`),
        )
        .concat('/webhooks-create personal_data', '/webhooks-update personal_data')
        .toSorted(),
    )
  })

  test.each(reserved)('$call.name: $field', async ({ call, field }) => {
    await world.rest()
    const rowsNow = async () => (await world.admin.query(`select * from ${call.area} order by id`)).rows
    const before = await rowsNow()
    const value = another(call, field)
    for (const name of others.filter((one) => lawful(one, call.area, call.endpoint.action))) {
      const answer = await answerTo(call, name, { [field]: value })
      expectRefused(answer, invalid({ [field]: [reservedForCustomer] }), name)
    }
    for (const name of others.filter((one) => !lawful(one, call.area, call.endpoint.action)))
      expectRefused(await answerTo(call, name, { [field]: value }), forbidden(), name)
    expect(await rowsNow()).toEqual(before)
    const allowed = await answerTo(call, 'customer editor', { [field]: value })
    expect(allowed.status).toBeLessThan(300)
    expect(JSON.parse(allowed.text)).toMatchObject({ data: { [field]: value } })
  })

  test('may be echoed as they are, and are then left alone', async () => {
    const id = world.own.get('properties')
    const group = world.people['group editor']
    const now = JSON.parse((await world.foyer.send(properties.get, { id }, group)).text) as { data: object }
    const echoed = await world.foyer.send(properties.update, { ...pickWritable(now.data), id, city: 'York' }, group)
    expect(echoed.status).toBe(200)
    expect(echoed.body).toEqual({ data: { ...now.data, city: 'York' } })
    const made = await world.foyer.send(properties.create, { ...aProperty(), total_units: 0, rate_per_unit: 0 }, group)
    expect(made.status).toBe(201)
  })
})

const pickWritable = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name in properties.PropertyInput.shape))

describe('of an account the front desk writes the password and the end, and nothing else', () => {
  const desks = everybody.filter((name) => name.endsWith('front desk'))
  const answerTo = async (name: Insider, values: object) => {
    const id = world.own.get('accounts')
    const { status, text } = await world.send(accounts.update, { id, ...values }, world.people[name])
    return { status, body: JSON.parse(text) as unknown }
  }
  const others = Object.keys(accounts.AccountInput.shape).filter((name) => !['password', 'expires_at'].includes(name))

  test.each(desks)('%s', async (name) => {
    await world.rest()
    for (const field of others) {
      const value = { draft: true, active: false }[field] ?? (field.endsWith('_id') ? 2 : '+44 7700 900199')
      const answer = await answerTo(name, { [field]: field === 'email' ? 'other@example.com' : value })
      // References out of reach are refused first, as such.
      const either = new RegExp(`^(${selectedInvalid(field)}|${reservedForEditors})$`)
      const errors = { [field]: [field.endsWith('_id') ? either : reservedForEditors] }
      expectRefused(answer, { ...refusals.invalid, errors }, field)
    }
    const password = `sea-breeze-${name.length}`
    const reset = await answerTo(name, { password, expires_at: '2099-01-02T03:04:05Z' })
    // A caller who has just set it may read it out; afterwards only editors may.
    expect(reset).toMatchObject({ status: 200, body: { data: { password, expires_at: '2099-01-02T03:04:05+00:00' } } })
    const read = await world.send(accounts.get, { id: world.own.get('accounts') }, world.people[name])
    expect(JSON.parse(read.text)).toMatchObject({ data: { password: null } })
  })
})
