// Made since: what a session has made under a password is shown, by session, and ends with the change or the reset of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounting from '#contract/accounting-integrations.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as auth from '#contract/auth.ts'
import * as connections from '#contract/connections.ts'
import type { Input, Output } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import { madeKinds, madeSince, madeSinceByLink } from '#contract/made-since.ts'
import * as own from '#contract/own-sign-in.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import * as users from '#contract/users.ts'
import * as webhooks from '#contract/webhooks.ts'
import { refusals, selectedIdsInvalid } from '#contract/errors.ts'
import { areasOfMade } from './made-since.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { openFoyer, password, unique, type Asker, type Person, type TestFoyer } from '#test/foyer.ts'
import { openXero } from '#test/providers/xero.ts'
import { calls } from '#test/sweeps/calls.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let xero: Awaited<ReturnType<typeof openXero>>
beforeAll(async () => {
  xero = await openXero()
  foyer = await openFoyer({ env: xero.env })
})
afterAll(async () => {
  await foyer.close()
  await xero.close()
})

const next = 'quite another password 7'
const signIn = async ({ user }: Person, given = password) =>
  foyer.signedIn((await foyer.get(auth.login, { email: user.email, password: given }, null)).data)

/** The ids by which they are known with all others, in the order of their kinds. */
const notedOf = async (who: Person, own: Record<string, number>) =>
  (await foyer.get(connections.list, {}, who)).data
    .filter(({ kind, own_id }) => own_id !== null && own[kind] === own_id)
    .toSorted((a, b) => a.kind.localeCompare(b.kind))
    .map(({ id }) => id)

/** One of each kind. */
async function makeAll(who: Person) {
  const key = await foyer.apiKey(who, { name: unique('Key') })
  const friend = await foyer.invited(who)
  const { data: report } = await foyer.get(
    scheduled.create,
    { name: unique('Report'), frequency: 2, start_date: '2027-01-05', recipients: [who.user.email] },
    who,
  )
  const consent = await xero.consent((await foyer.get(accounting.authorize, {}, who)).data.url)
  const { data: connection } = await foyer.get(accounting.create, consent, who)
  const { data: webhook } = await foyer.get(
    webhooks.create,
    { url: 'https://thief.example/', events: ['guest.signed_in'], personal_data: true },
    who,
  )
  const link = await foyer.propertyInterface(who)
  const gateway = await foyer.gateway(who)
  const end = {
    keys: [key.id],
    users: [friend.user.id],
    schedules: [report.id],
    connections: await notedOf(who, { accounting: connection.id, property: link.id }),
    webhooks: [webhook.id],
    gateways: [gateway.id],
  }
  return { key, friend, report, webhook, link, gateway, end }
}
const idsOf = (made: Output<typeof madeSince>) =>
  Object.fromEntries(madeKinds.map((kind) => [kind, made[kind].map(({ id }) => id)]))

async function expectEnded(
  who: Person,
  { key, friend, report, webhook, link, gateway }: Awaited<ReturnType<typeof makeAll>>,
) {
  expectRefused(await foyer.ask(apiKeys.listOfUser, {}, key.program), refusals.unauthenticated)
  expectRefused(await foyer.ask(auth.me, {}, friend), refusals.unauthenticated)
  expect((await foyer.get(scheduled.listScheduled, {}, who)).data.find(({ id }) => id === report.id)?.status).toBe(
    'disabled',
  )
  expect((await foyer.get(accounting.list, {}, who)).data).toEqual([])
  expect((await foyer.get(webhooks.get, { id: webhook.id }, who)).data.status).toBe('disabled')
  expect((await foyer.get(interfaces.get, { id: link.id }, who)).data.status).toBe('disabled')
  expect((await foyer.get(gateways.get, { id: gateway.id }, who)).data.status).toBe('disabled')
}

test('what was made is named with the session that made it, and ends with the password', async () => {
  const owner = await foyer.customer()
  const thief = await signIn(owner)
  const made = await makeAll(thief)
  const kept = await foyer.apiKey(owner)
  const { data } = await foyer.get(madeSince, {}, owner)
  expect(idsOf(data)).toEqual({ ...made.end, keys: [made.key.id, kept.id] })
  const [sessionOfThief] = (await foyer.get(own.list, {}, thief)).data.filter(({ current }) => current)
  expect(data.keys.map(({ session }) => [session.session, session.current])).toEqual([
    [sessionOfThief?.session, false],
    [expect.any(String), true],
  ])
  expect(data.users).toMatchObject([{ customer_name: owner.user.customer.name, may_end: true }])

  await foyer.get(own.changePassword, { current_password: password, password: next, end: made.end }, owner)
  await expectEnded(owner, made)
  expectRefused(await foyer.ask(auth.me, {}, thief), refusals.unauthenticated)
  expect((await foyer.get(apiKeys.listOfUser, {}, owner)).data.map(({ id }) => id)).toEqual([kept.id])
  // From here on it is about the new password.
  expect(idsOf((await foyer.get(madeSince, {}, owner)).data)).toEqual({
    keys: [],
    users: [],
    schedules: [],
    connections: [],
    webhooks: [],
    gateways: [],
  })
  const earlier = await foyer.get(madeSince, { since: '2020-01-01T00:00:00Z' }, owner)
  expect(earlier.data.keys.map(({ id }) => id)).toEqual([kept.id])
  expect(Date.now() - Date.parse(earlier.data.since)).toBeLessThan(91 * 24 * 3600_000)
})

test('an editor of a group is shown their own keys, too', async () => {
  const owner = await foyer.customer()
  const { id: group_id } = await foyer.group(owner)
  const editor = await foyer.invited(owner, { owner_type: 'Group', owner_id: group_id })
  const keys = [await foyer.apiKey(editor), await foyer.apiKey(editor, { group_id })]
  const { data } = await foyer.get(madeSince, {}, editor)
  expect(data.keys.map(({ id, may_end }) => [id, may_end])).toEqual(keys.map(({ id }) => [id, true]))
  const change = { current_password: password, password: next, end: idsOf(data) }
  await foyer.get(own.changePassword, change, editor)
  for (const { program } of keys) expectRefused(await foyer.ask(gateways.list, {}, program), refusals.unauthenticated)
})

test('what was made with a key is listed where the key was made, and ends, also when the key is gone', async () => {
  const owner = await foyer.customer()
  const colleague = await foyer.invited(owner)
  const { id: property_id } = await foyer.property(owner)
  const others = await foyer.apiKey(colleague)
  const aGateway = async (who: Asker) =>
    (await foyer.get(gateways.create, { property_id, gateway_type_id: 1 }, who)).data
  await aGateway(others.program)
  const key = await foyer.apiKey(owner)
  const gateway = await aGateway(key.program)
  const { data: link } = await foyer.get(interfaces.create, { property_interface_type_id: 1 }, key.program)
  const known = await aGateway(owner)
  await foyer.get(own.changePassword, { current_password: password, password: next }, owner)
  await foyer.get(gateways.makeSecret, { id: known.id }, key.program)
  await foyer.get(apiKeys.removeOfUser, { id: key.id }, owner)
  const since = '2020-01-01T00:00:00Z'
  const { data } = await foyer.get(madeSince, { since }, owner)
  expect(data.gateways.map(({ id }) => id)).toEqual([gateway.id, known.id])
  expect(data.gateways[0]?.session).toMatchObject({ session: null, current: false })
  expect(data.connections.map(({ id }) => id)).toEqual(await notedOf(owner, { property: link.id }))
  expect(data.keys).toEqual([])
  expect((await foyer.get(madeSince, {}, owner)).data.gateways.map(({ id }) => id)).toEqual([known.id])
  const end = { gateways: [gateway.id] }
  await foyer.get(own.changePassword, { current_password: next, password, end }, owner)
  expect((await foyer.get(gateways.get, { id: gateway.id }, owner)).data.status).toBe('disabled')
  expect((await foyer.get(gateways.get, { id: known.id }, owner)).data.status).toBe('active')
})

test('a webhook of before is listed once it is told otherwise, and one that is only enabled is not', async () => {
  const owner = await foyer.customer()
  const hook = async (values: Partial<Input<typeof webhooks.create>>) =>
    (
      await foyer.get(
        webhooks.create,
        { url: 'https://crm.example/', events: ['guest.signed_in'], active: false, ...values },
        owner,
      )
    ).data.id
  const [diverted, personal, further, enabled] = [await hook({}), await hook({}), await hook({}), await hook({})]
  await foyer.get(own.changePassword, { current_password: password, password: next }, owner)
  for (const change of [
    { id: diverted, url: 'https://thief.example/' },
    { id: personal, personal_data: true },
    { id: further, events: ['guest.signed_in', 'stay.began'] } satisfies Input<typeof webhooks.update>,
    { id: enabled },
  ])
    await foyer.get(webhooks.update, { ...change, active: true }, owner)
  const { data } = await foyer.get(madeSince, {}, owner)
  expect(data.webhooks.map(({ id, name }) => [id, name])).toEqual([
    [diverted, 'https://thief.example/'],
    [personal, 'https://crm.example/'],
    [further, 'https://crm.example/'],
  ])
})

test('a user who comes back is listed, whichever call enabled them', async () => {
  const owner = await foyer.customer()
  const [by_activate, by_update, renamed, disabled] = [
    await foyer.invited(owner),
    await foyer.invited(owner),
    await foyer.invited(owner),
    await foyer.invited(owner),
  ].map(({ user }) => user.id)
  const ids = [by_activate, by_update].flatMap((id) => id ?? [])
  await foyer.get(users.deactivate, { ids }, owner)
  await foyer.get(own.changePassword, { current_password: password, password: next }, owner)
  await foyer.get(users.activate, { id: by_activate ?? 0 }, owner)
  await foyer.get(users.update, { id: by_update ?? 0, active: true }, owner)
  await foyer.get(users.update, { id: renamed ?? 0, name: 'Ada' }, owner)
  await foyer.get(users.update, { id: disabled ?? 0, active: false }, owner)
  expect(idsOf((await foyer.get(madeSince, {}, owner)).data)['users']).toEqual(ids)
})

test('what the password is asked for again before is listed, but what stands nowhere else', () => {
  const asked = calls.flatMap(({ endpoint }) => (endpoint.asks ? [endpoint.area] : []))
  // Users who came into a group are users; a file of guests' data has left; a second factor ends with its code.
  const others = asked.filter((area) => !areasOfMade.includes(area))
  expect(new Set(others)).toEqual(new Set(['groups', 'guests', 'sessions']))
})

test('of connections with the same number, each of another kind, the one that is named ends', async () => {
  const owner = await foyer.customer()
  for (const table of ['accounting_integrations', 'property_interfaces'])
    await foyer.query(`select setval(pg_get_serial_sequence($1, 'id'), 1000)`, [table])
  const consent = await xero.consent((await foyer.get(accounting.authorize, {}, owner)).data.url)
  const { data } = await foyer.get(accounting.create, consent, owner)
  const link = await foyer.propertyInterface(owner)
  expect(link.id).toBe(data.id)
  const end = { connections: await notedOf(owner, { property: link.id }) }
  await foyer.get(own.changePassword, { current_password: password, password: next, end }, owner)
  expect((await foyer.get(interfaces.get, { id: link.id }, owner)).data.status).toBe('disabled')
  expect((await foyer.get(accounting.list, {}, owner)).data.map(({ id }) => id)).toEqual([data.id])
})

test('a link for a new password shows the same, and a reset ends it', async () => {
  const owner = await foyer.customer()
  const made = await makeAll(owner)
  await foyer.get(auth.forgotPassword, { email: owner.user.email }, null)
  const token = foyer.tokenIn(await foyer.mailTo(owner.user.email))
  const { data } = await foyer.get(madeSinceByLink, { token }, null)
  expect(data.made && idsOf(data.made)).toEqual(made.end)
  await foyer.get(auth.resetPassword, { token, password: next, end: made.end }, null)
  await expectEnded(await signIn(owner, next), made)
  expect((await foyer.get(madeSinceByLink, { token }, null)).data).toEqual({ made: null })
})

test('nothing ends by a wrong password, and nothing out of reach: then the password stays, too', async () => {
  const [owner, neighbour] = [await foyer.customer(), await foyer.customer()]
  const [key, foreign] = [await foyer.apiKey(owner), await foyer.apiKey(neighbour)]
  const change = (current_password: string, keys: number[]) =>
    foyer.ask(own.changePassword, { current_password, password: next, end: { keys } }, owner)
  expectRefused(
    await change('not the password', [key.id]),
    invalid({ current_password: ['This is not your present password.'] }),
  )
  expectRefused(await change(password, [key.id, foreign.id]), invalid({ 'end.keys': [selectedIdsInvalid] }))
  for (const { program } of [key, foreign]) expectRefused(await foyer.ask(auth.me, {}, program), forbidden())
  expect((await foyer.ask(auth.login, { email: owner.user.email, password }, null)).status).toBe(200)
})

test('whoever may not end a user is told so, and is refused', async () => {
  const owner = await foyer.customer()
  const { id } = await foyer.property(owner)
  const ofProperty = { owner_type: 'Property', owner_id: id } as const
  const caretaker = await foyer.invited(owner, ofProperty)
  const friend = (await foyer.get(users.invite, { email: 'friend@example.com', name: 'Ada' }, caretaker)).data
  const { data } = await foyer.get(madeSince, {}, caretaker)
  expect(data.users).toMatchObject([{ id: friend.id, may_end: false }])
  const change = { current_password: password, password: next, end: { users: [friend.id] } }
  expectRefused(await foyer.ask(own.changePassword, change, caretaker), invalid({ 'end.users': [selectedIdsInvalid] }))
})
