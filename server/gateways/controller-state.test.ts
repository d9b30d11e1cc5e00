// Controller state: each gateway has its own, which says since when its controller does not answer and when it was last heard of.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { countKind, noteAnswer, noteTrouble, queueCount } from './controller-state.ts'
import { Trouble } from './controller.ts'

let foyer: TestFoyer
let editor: Person
let ids: [number, number]
beforeAll(async () => {
  // Without the role of jobs, so that what is queued stands there.
  foyer = await openFoyer({ env: { ROLES: 'api' } })
  editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const [one, other] = [await foyer.gateway(editor, { property_id }), await foyer.gateway(editor, { property_id })]
  ids = [one.id, other.id]
})
afterAll(() => foyer.close())

const within = (work: (scope: Scope) => Promise<unknown>) =>
  foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', work)

test('each gateway is asked soon, unless it is asked anyway', async () => {
  const { queue } = foyer.services
  const queued = () =>
    foyer.query<{ about_id: number; next_at: string }>(
      'select about_id::integer, next_at::text from due_work where kind = $1 order by about_id',
      [countKind.name],
    )
  for (const id of ids) await within((scope) => queueCount(scope, queue, id))
  const before = await queued()
  expect(before.map(({ about_id }) => about_id)).toEqual(ids)
  for (const id of ids) await within((scope) => queueCount(scope, queue, id))
  expect(await queued()).toEqual(before)
})

test('a controller that fails has failed since the first time, and one that answers is heard of, each for itself', async () => {
  const [one] = ids
  const states = async () =>
    new Map(
      (
        await foyer.query<{ id: number; problem: string | null; since: string | null; heard: boolean }>(
          `select g.id, c.problem, c.problem_at::text as since, g.last_seen_at is not null as heard
           from gateways as g left join gateway_controllers as c on c.gateway_id = g.id where g.id = any($1) order by g.id`,
          [ids],
        )
      ).map(({ id, ...state }) => [id, state]),
    )
  for (const id of ids) await within((scope) => noteTrouble(scope, id, new Trouble('It took too long.')))
  const first = await states()
  await within((scope) => noteTrouble(scope, one, new Trouble('It refused the password.')))
  expect((await states()).get(one)).toEqual({ ...first.get(one), problem: 'It refused the password.' })
  expect(first.get(one)).toMatchObject({ heard: false, since: expect.any(String) })

  await within((scope) => noteAnswer(scope, one))
  expect((await states()).get(one)).toEqual({ problem: null, since: null, heard: true })
  expect((await states()).get(ids[1])).toEqual(first.get(ids[1]))
})

test('a controller that answers is red all the same where what it asks RADIUS is signed with another secret', async () => {
  const { id: property_id } = await foyer.property(editor)
  const made = {
    gateway_type_id: 6,
    password: 'northbound password',
    settings: { controller_url: 'https://192.0.2.7' },
  }
  const { id } = await foyer.gateway(editor, { property_id, ...made })
  await within((scope) => noteAnswer(scope, id))
  const lamp = async () =>
    (await foyer.get(gatewayKinds.check, { id }, editor)).data.lamps.find(({ key }) => key === 'asked')
  expect(await lamp()).toMatchObject({ state: 'green', sentence: 'Its controller answers.' })
  await foyer.query(
    `update gateways set refused_at = now() + interval '1 minute', refused_for = 'wrong_secret' where id = $1`,
    [id],
  )
  expect(await lamp()).toMatchObject({ state: 'red', sentence: expect.stringContaining('Its secret differs') })
})
