// Webhooks under strain: a receiver that is down for a day gets everything in order, and many that hang delay nobody else's.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as webhooks from '#contract/webhooks.ts'
import { webhookWork } from '#server/webhooks/deliver.ts'
import { doDue } from '#test/due.ts'
import { openHookReceiver, thanks } from '#test/hook-receiver.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { full, share } from './proof.ts'

const receiver = await openHookReceiver()
const { host, received } = receiver
let foyer: TestFoyer
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api', ALLOWED_HOSTS: host, REQUESTS_PER_MINUTE: '100000' } })
})
afterAll(async () => {
  await foyer.close()
  await receiver.close()
})

/** Made at once. */
const together = 10

const aHook = async (at: TestFoyer, who: Person, url: string, owner: object = {}) =>
  (
    await at.get(
      webhooks.create,
      { url: `http://${host}/${url}`, events: ['account.created', 'account.ended'], ...owner },
      who,
    )
  ).data
const customerOf = (who: Person) => who.user.customer.id

test(
  'a receiver that is down for 24 hours gets all of it once it is back, in order for each object',
  { timeout: 1_800_000 },
  async ({ task }) => {
    const who = await foyer.customer()
    const { id: property_id } = await foyer.property(who)
    const hook = await aHook(foyer, who, 'down')
    const deliver = () => doDue(webhookWork, foyer.services, customerOf(who))
    /** Everything that is stored gets older, as if the clock had moved on. */
    const pass = (minutes: number) =>
      Promise.all([
        foyer.query(`update due_work set next_at = next_at - make_interval(mins => $2) where customer_id = $1`, [
          customerOf(who),
          minutes,
        ]),
        foyer.query(
          `update webhooks set failing_since = failing_since - make_interval(mins => $2) where customer_id = $1`,
          [customerOf(who), minutes],
        ),
      ])
    const each_half_hour = share(500)
    // Refused connections, errors and resets take turns.
    let turn = 0
    receiver.answer = (response) => (turn++ % 2 === 0 ? void response.writeHead(503).end() : void response.destroy())
    let made = 0
    const alive: number[] = []
    for (let half_hour = 0; half_hour < 48; half_hour++) {
      for (let n = 0; n < each_half_hour; n += together) {
        const some = Array.from({ length: Math.min(together, each_half_hour - n) }, () =>
          foyer.get(accounts.create, { name: unique('Guest'), property_id }, who),
        )
        alive.push(...(await Promise.all(some)).map(({ data }) => data.id))
        made += some.length
        const ended = alive.splice(0, Math.floor(some.length / 2))
        if (ended.length > 0) await foyer.get(accounts.deactivate, { ids: ended }, who)
        made += ended.length
      }
      await deliver()
      await pass(30)
    }
    const state = async () => (await foyer.get(webhooks.get, { id: hook.id }, who)).data
    expect(await state()).toMatchObject({ status: 'active', waiting: Math.min(1000, made) })
    const tries = received.length
    receiver.answer = thanks
    received.length = 0
    for (let hour = 0; hour < 24 && (await state()).waiting > 0; hour++) {
      await pass(60)
      await deliver()
    }
    expect(await state()).toMatchObject({ waiting: 0, failing_since: null })
    expect(new Set(received.map(({ id }) => id)).size).toBe(made)
    for (const [object, posts] of Map.groupBy(received, ({ body }) => body.data.id)) {
      const sequences = posts.map(({ body }) => body.data.sequence)
      expect(sequences, `account ${object}`).toEqual(sequences.toSorted((one, other) => one - other))
    }
    task.meta.figures = `${made} events, ${tries} tries while it was down, none lost`
  },
)

test(
  '100 endpoints of one customer that hang delay another customer’s event by less than a second',
  { timeout: 600_000 },
  async ({ task }) => {
    const node = await openFoyer({
      env: { ROLES: 'api,jobs', ALLOWED_HOSTS: host, REQUESTS_PER_MINUTE: '100000' },
    })
    receiver.answer = (response, { url }) => void (url.startsWith('/hangs') ? undefined : response.writeHead(204).end())
    received.length = 0
    const [slow, quick] = [await node.customer(), await node.customer()]
    const houses = await Promise.all(Array.from({ length: 5 }, () => node.property(slow)))
    for (const { id } of houses)
      for (let n = 0; n < 20; n++) await aHook(node, slow, `hangs-${id}-${n}`, { owner_type: 'Property', owner_id: id })
    const hook = await aHook(node, quick, 'quick')
    for (const { id } of houses)
      for (let n = 0; n < 5; n++) await node.get(accounts.create, { name: unique('Guest'), property_id: id }, slow)
    await vi.waitUntil(() => received.some(({ url }) => url.startsWith('/hangs')), { timeout: 60_000, interval: 20 })
    const waited: number[] = []
    for (let n = 0; n < (full ? 50 : 10); n++) {
      const from = performance.now()
      await node.get(webhooks.test, { id: hook.id }, quick)
      await vi.waitUntil(() => received.filter(({ url }) => url === '/quick').length > n, {
        timeout: 30_000,
        interval: 5,
      })
      waited.push(performance.now() - from)
    }
    const longest = Math.max(...waited)
    task.meta.figures = `${waited.length} events, the longest wait ${Math.round(longest)} ms`
    expect(longest).toBeLessThan(1000)
    receiver.letGo()
    await node.close()
  },
)
