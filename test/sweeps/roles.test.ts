// Roles: who may call what, as a table to read beside the policies: every endpoint × every kind of person, yes and no.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reservedSentence } from '#contract/errors.ts'
import * as properties from '#contract/properties.ts'
import { reservedFrom } from '#contract/reserved.ts'
import * as sessions from '#contract/sessions.ts'
import { actions, areas, type Action, type Area } from '#contract/permissions.ts'
import { isOpen } from '#server/access/policies.ts'
import { aProperty, password, type Person } from '#test/foyer.ts'
import { absent_id, openWorld, type Insider, type World } from './world.ts'
import { askFor, calls, takes, type Call } from './calls.ts'

const editors: Insider[] = ['customer editor', 'group editor', 'property editor']
const everybody: Insider[] = [...editors, 'customer viewer', 'group viewer', 'property viewer']

/** Said once more, apart from the policies: a slip in either is seen. */
const law: Record<Area, Partial<Record<Action, Insider[]>>> = {
  accounts: { read: everybody, write: editors },
  activity: { read: everybody },
  dashboard: { read: everybody },
  devices: { read: everybody, write: editors },
  groups: {
    read: ['customer editor', 'customer viewer', 'group editor', 'group viewer'],
    write: ['customer editor'],
  },
  imports: { write: editors },
  mac_categories: { read: everybody, write: ['customer editor'] },
  packages: { read: everybody, write: ['customer editor'] },
  properties: { read: everybody, write: ['customer editor', 'group editor'] },
  reference: { read: everybody },
  room_guests: { read: everybody, write: editors },
  rooms: { read: everybody, write: editors },
  sessions: { read: everybody, write: everybody },
  users: { read: everybody, write: editors },
  voucher_batches: { read: everybody, write: editors },
  vouchers: { read: everybody },
}
const lawful = (who: Insider, area: Area, action: Action) => law[area][action]?.includes(who) ?? false

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

/** What it takes to be let in and then to be told that the record is not there, or that a field is wrong. */
const harmless = ({ endpoint }: Call) => ({
  ...(takes(endpoint, 'id') ? { id: absent_id } : {}),
  ...(takes(endpoint, 'user_id') ? { user_id: absent_id } : {}),
})

async function again(who: Person): Promise<Person> {
  const credentials = { email: who.user.email, password }
  return world.foyer.signedIn((await world.foyer.get(sessions.login, credentials)).data)
}

describe.each(everybody)('%s', (name) => {
  let who: Person
  test.each(calls.filter(({ endpoint }) => !isOpen(endpoint)))('$name', async (call) => {
    // Signing out everywhere is one of the calls.
    who = call.area === 'sessions' || who === undefined ? await again(world.people[name]) : who
    const { status } = await world.send(call.endpoint, harmless(call), who)
    if (call.area === 'sessions') who = await again(world.people[name])
    if (lawful(name, call.area, call.endpoint.action)) expect([200, 404, 422]).toContain(status)
    else expect(status).toBe(403)
  })
})

test('the web app is told exactly what a person may do', async () => {
  for (const name of everybody) {
    const { data } = await world.foyer.get(sessions.me, {}, await again(world.people[name]))
    for (const area of areas)
      expect(data.can[area] ?? [], `${name}, ${area}`).toEqual(actions.filter((action) => lawful(name, area, action)))
  }
})

describe('fields that only the customer’s own users write', () => {
  const reserved = calls.flatMap((call) =>
    call.endpoint.kind === 'read' ? [] : reservedFrom('Group', call.endpoint.input).map((field) => ({ call, field })),
  )
  const others = everybody.filter((name) => !name.startsWith('customer'))
  const answerTo = async (call: Call, name: Insider, values: object) =>
    world.send(call.endpoint, { ...askFor(call, world.own), draft: true, ...values }, world.people[name])
  /** A value that is another than any of the world's. */
  const another = (field: string) => (field.endsWith('_id') ? world.own.get('accounting_contacts') : 7)

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
            'holiday_billable_percentage',
            'max_accounts',
            'minimum_billable_percentage',
            'rate_per_unit',
            'total_units',
          ].map((field) => `${path} ${field}`),
        )
        .toSorted(),
    )
  })

  test.each(reserved)('$call.name: $field', async ({ call, field }) => {
    await world.rest()
    const { rows: before } = await world.admin.query('select * from properties order by id')
    for (const name of others.filter((one) => lawful(one, call.area, call.endpoint.action))) {
      const told = await answerTo(call, name, { [field]: another(field) })
      expect(told.status, name).toBe(422)
      expect(JSON.parse(told.text)).toMatchObject({ errors: { [field]: [reservedSentence] } })
    }
    for (const name of others.filter((one) => !lawful(one, call.area, call.endpoint.action)))
      expect((await answerTo(call, name, { [field]: another(field) })).status, name).toBe(403)
    expect((await world.admin.query('select * from properties order by id')).rows).toEqual(before)
    const allowed = await answerTo(call, 'customer editor', { [field]: another(field) })
    expect(allowed.status).toBeLessThan(300)
    expect(JSON.parse(allowed.text)).toMatchObject({ data: { [field]: another(field) } })
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
