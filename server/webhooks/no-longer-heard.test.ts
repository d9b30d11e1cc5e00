// No longer heard: what waits for an endpoint, or is sent again, is told only if the endpoint hears it by now, whatever it heard then.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as properties from '#contract/properties.ts'
import * as webhooks from '#contract/webhooks.ts'
import { doDue } from '#test/due.ts'
import { openHookReceiver } from '#test/hook-receiver.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'
import { webhookWork } from './deliver.ts'
import { clash } from '#server/errors/refused.ts'

const receiver = await openHookReceiver()
let foyer: TestFoyer
let who: Person
beforeAll(async () => {
  // Without the role of jobs: the test itself delivers.
  foyer = await openFoyer({ env: { ROLES: 'api', ALLOWED_HOSTS: receiver.host } })
  who = await foyer.customer()
})
afterAll(async () => {
  await foyer.close()
  await receiver.close()
})

const deliver = () => doDue(webhookWork, foyer.services, who.user.customer.id)

test('a group’s endpoint is told nothing of a property that has left it, and nothing of a type that it wants no more', async () => {
  const { id: owner_id } = await foyer.group(who)
  const { id: property_id } = await foyer.property(who, { group_id: owner_id })
  const { data: hook } = await foyer.get(
    webhooks.create,
    {
      owner_type: 'Group',
      owner_id,
      url: `http://${receiver.host}/`,
      events: ['account.created', 'account.ended'],
      personal_data: true,
    },
    who,
  )
  const { data: account } = await foyer.get(accounts.create, { name: unique('Guest'), property_id }, who)
  const log = async () => (await foyer.get(webhooks.deliveries, { params: { webhook_id: hook.id } }, who)).data
  const move = (group_id: number | null) => foyer.get(properties.update, { id: property_id, group_id }, who)
  const want = (events: ('account.created' | 'account.ended')[]) =>
    foyer.get(webhooks.update, { id: hook.id, events }, who)

  await move(null)
  await foyer.get(accounts.update, { id: account.id, name: 'Named later' }, who)
  await deliver()
  expect(receiver.received).toEqual([])
  const [delivery] = await log()
  expect(delivery).toMatchObject({ state: 'failed', tries: 0 })
  const ids = [delivery?.id ?? 0]
  const again = () => foyer.ask(webhooks.send, { ids }, who)
  expectRefused(
    await again(),
    clash(
      'One of these webhooks is disabled or paused, or no longer receives this event. Activate it first if it is off.',
    ),
  )
  expect((await foyer.get(webhooks.replay, { id: hook.id, since: '2020-01-01T00:00:00Z' }, who)).data.sent).toBe(0)

  await move(owner_id)
  await want(['account.ended'])
  expectRefused(
    await again(),
    clash(
      'One of these webhooks is disabled or paused, or no longer receives this event. Activate it first if it is off.',
    ),
  )
  await want(['account.created'])
  expect((await again()).status).toBe(200)
  await want(['account.ended'])
  await deliver()
  expect(receiver.received).toEqual([])
  expect(await log()).toMatchObject([{ state: 'failed' }])

  // Where it hears it by now, it is told.
  await want(['account.created'])
  expect((await again()).status).toBe(200)
  await foyer.get(webhooks.test, { id: hook.id }, who)
  await deliver()
  expect(receiver.received.map(({ body }) => body.type).toSorted()).toEqual(['account.created', 'webhook.test'])
})
