// An invented kind of due work: its file and a line in the list, and nothing else. It is found, done and given up.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/due-work.ts'
import { dueWorks, type DueNeeds } from '#server/apps/due-work.ts'
import { doubling, dueKind, TriedInVain, type DueWork } from '#server/due/due-work.ts'
import { findDue } from '#server/due/find-due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { errorsOf, patiently } from './asking.ts'

const pigeon = dueKind('carrier_pigeon')
let isLost = true
const flown: [about_id: number, was_unsure: boolean][] = []
const pigeonWork: DueWork<DueNeeds> = {
  kind: pigeon,
  about: () => sql`concat('Pigeon ', t.about_id)`,
  promise: 'once',
  at_once: 1,
  of_one_customer: 1,
  tries_max: 1,
  wait_s: doubling(1),
  run: (_, { about_id, was_unsure }) => {
    flown.push([about_id, was_unsure])
    if (isLost) throw new TriedInVain('It has not come back.')
    return Promise.resolve()
  },
}

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  ;(dueWorks as DueWork<DueNeeds>[]).push(pigeonWork)
  foyer = await openFoyer({ env: { ROLES: 'api,jobs' } })
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const about_id = 7
const waiting = async () => (await foyer.get(contract.list, { filters: { kind: [pigeon.name] } }, editor)).data

test('is found, done by a node, given up with why, tried again and dismissed, and has its word in the list', async () => {
  const { data: words } = await foyer.get(contract.kinds, {}, editor)
  expect(words).toContainEqual({ id: 'carrier_pigeon', name: 'Carrier pigeon' })
  const customer_id = editor.user.customer.id
  pigeonWork.finds = sql`select ${customer_id}::integer as customer_id, ${about_id}::integer as about_id`
  await findDue(foyer.services, dueWorks)
  delete pigeonWork.finds
  await expect
    .poll(waiting, patiently)
    .toMatchObject([{ about: 'Pigeon 7', state: 'unknown', tries: 1, last_error: 'It has not come back.' }])
  const [{ id } = { id: 0 }] = await waiting()
  expect(errorsOf(await foyer.ask(contract.dismiss, { ids: [id] }, editor))).toEqual({
    reason: ['Enter what you found: it is not known whether this was done.'],
  })
  isLost = false
  await foyer.get(contract.retry, { ids: [id] }, editor)
  await expect.poll(waiting, patiently).toEqual([])
  // It looked first, since the try before may have done it.
  expect(flown).toEqual([
    [about_id, false],
    [about_id, true],
  ])
})
