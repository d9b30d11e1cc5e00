// Roles: who may call what, as a table to read beside the policies: every endpoint × every kind of person, yes and no.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as sessions from '#contract/sessions.ts'
import { actions, areas, type Action, type Area } from '#contract/permissions.ts'
import { isOpen } from '#server/access/policies.ts'
import { password, type Person } from '#test/foyer.ts'
import { absent_id, openWorld, type Insider, type World } from './world.ts'
import { calls, takes, type Call } from './calls.ts'

const editors: Insider[] = ['customer editor', 'group editor', 'property editor']
const everybody: Insider[] = [...editors, 'customer viewer', 'group viewer', 'property viewer']

/** Said once more, in another way than the policies say it: a slip in either is seen. */
const law: Record<Area, Partial<Record<Action, Insider[]>>> = {
  accounts: { read: everybody, write: editors },
  activity: { read: everybody },
  dashboard: { read: everybody },
  groups: {
    read: ['customer editor', 'customer viewer', 'group editor', 'group viewer'],
    write: ['customer editor'],
  },
  imports: { write: editors },
  packages: { read: everybody, write: ['customer editor'] },
  properties: { read: everybody, write: ['customer editor', 'group editor'] },
  reference: { read: everybody },
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
