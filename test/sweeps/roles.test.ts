// Roles: who may call what, as a table to read beside the policies: every endpoint × every kind of person, yes and no.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as sessions from '#contract/sessions.ts'
import { isOpen, type Area } from '#server/api/policies.ts'
import { password, type Person } from '#test/foyer.ts'
import { absent_id, openWorld, type Insider, type World } from './world.ts'
import { calls, takes, type Call } from './calls.ts'

const nobody: Insider[] = []
const editors: Insider[] = ['customer editor', 'group editor', 'property editor']
const everybody: Insider[] = [...editors, 'customer viewer', 'group viewer', 'property viewer']

/** Reading is everybody's. Writing: */
const law: Record<Area, Insider[]> = {
  accounts: editors,
  activity: nobody,
  dashboard: nobody,
  groups: ['customer editor'],
  imports: editors,
  packages: ['customer editor'],
  properties: ['customer editor', 'group editor'],
  reference: nobody,
  sessions: everybody,
  users: editors,
  voucher_batches: editors,
  vouchers: nobody,
}

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
    const allowed = call.endpoint.kind === 'read' || law[call.area].includes(name)
    if (allowed) expect([200, 404, 422]).toContain(status)
    else expect(status).toBe(403)
  })
})

test('the web app is told exactly the areas in which a person may write', async () => {
  for (const name of everybody) {
    const { data } = await world.foyer.get(sessions.me, {}, await again(world.people[name]))
    const areas = (Object.keys(law) as Area[]).filter((area) => area !== 'sessions' && law[area].includes(name))
    expect(data.writes.toSorted(), name).toEqual(areas.toSorted())
  }
})
