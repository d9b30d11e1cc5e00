// Audience erasures: whoever is erased here is erased at the provider once, whatever fails on the way, and nothing waits for ever.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as dueWork from '#contract/due-work.ts'
import * as guests from '#contract/guests.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import { findDue } from '#server/due/find-due.ts'
import { invalid } from '#server/errors/refused.ts'
import { doDue, tryDue } from '#test/due.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { keyOf, openMailchimp, type Audience, type Mailchimp } from '#test/providers/mailchimp.ts'
import { expectRefused } from '#test/refused.ts'
import { erasureWork } from './audience-erasures.ts'
import { syncMarketing } from './marketing.ts'

let mailchimp: Mailchimp
let foyer: TestFoyer
let editor: Person
let property_id: number
beforeAll(async () => {
  mailchimp = await openMailchimp()
  foyer = await openFoyer({ env: mailchimp.env })
})
afterAll(async () => {
  await foyer?.close()
  await mailchimp?.close()
})
beforeEach(async () => {
  mailchimp.goRight()
  mailchimp.audiences.splice(0, Infinity, mailchimp.anAudience('Hotel guests'))
  await foyer.query('delete from rate_limits', [])
  editor = await foyer.customer()
  property_id = (await foyer.property(editor)).id
})

const customer = () => editor.user.customer.id
const only = (): Audience => {
  const [first] = mailchimp.audiences
  if (!first) throw new Error('there is one')
  return first
}
async function connect(id?: number) {
  const { url } = (await foyer.get(marketing.authorize, id === undefined ? {} : { id }, editor)).data
  return (await foyer.get(marketing.create, await mailchimp.consent(url), editor)).data.id
}
const sync = (id: number) => syncMarketing(foyer.services, customer(), id)
const own = async (id: number) => (await foyer.get(marketing.get, { id }, editor)).data
async function aGuest(email = `${unique('guest').replaceAll(' ', '.')}@example.com`) {
  const [guest] = await foyer.query<{ id: number }>(
    `with guest as (insert into guests (customer_id, property_id, email, name, confirmed_at)
         values ($1, $2, $3, 'Ada', now()) returning id),
       consent as (insert into consent_records (customer_id, guest_id, property_id, purpose, wording, method, granted_at)
         select $1, id, $2, 'marketing_email', 'Write to me', 'checkbox', clock_timestamp() from guest)
     select id::integer from guest`,
    [customer(), property_id, email],
  )
  return { id: guest?.id ?? 0, email }
}
/** Guests in the audience of a connection. */
async function ready(count = 1) {
  const all = await Promise.all(Array.from({ length: count }, () => aGuest()))
  const id = await connect()
  await sync(id)
  for (const { email } of all) expect(only().members.has(keyOf(email))).toBe(true)
  return { id, all, first: all[0] ?? { id: 0, email: '' } }
}
const erase = (...all: { id: number }[]) => foyer.get(guests.erase, { ids: all.map(({ id }) => id) }, editor)
const works = async () =>
  (await foyer.get(dueWork.list, { filters: { kind: erasureWork.kind.name } }, editor)).data.toSorted(
    (one, other) => one.id - other.id,
  )
const work = async () => {
  const [first] = await works()
  if (!first) throw new Error('there is none')
  return first
}
/** Does what is due. */
const go = () => doDue(erasureWork, foyer.services, customer())
const due = () =>
  foyer.query('update due_work set next_at = now() where customer_id = $1 and kind = $2', [
    customer(),
    erasureWork.kind.name,
  ])
const waits = async () =>
  (
    await foyer.query<{ s: number }>(
      `select extract(epoch from next_at - now())::float8 as s from due_work where customer_id = $1 and kind = $2 order by id`,
      [customer(), erasureWork.kind.name],
    )
  ).map(({ s }) => s)
const find = () => findDue(foyer.services, [erasureWork])
const erasing = /POST .*delete-permanent/
const looking = /^GET .*\/members\/\w+$/
const isErased = ({ email }: { email: string }) => only().barred.has(keyOf(email))
const members = () => foyer.query('select from marketing_members where customer_id = $1', [customer()])
/** As if it had been queued days ago. */
const longAgo = () =>
  foyer.query(`update due_work set created_at = created_at - interval '4 days' where customer_id = $1`, [customer()])

test('a guest who is erased here is queued in the same transaction, also by a desk that sees no audience, and erased there', async () => {
  const { first } = await ready()
  const here = await foyer.invited(editor, { owner_type: 'Property', owner_id: property_id })
  await foyer.get(guests.erase, { ids: [first.id] }, here)
  expect(await works()).toMatchObject([
    { about: 'A guest who was erased, in “Hotel guests” of Maple Hotels', state: 'waiting', tries: 0 },
  ])
  const before = mailchimp.requestsTo(looking).length
  await go()
  expect([isErased(first), await works(), await members()]).toEqual([true, [], []])
  expect(mailchimp.requestsTo(looking).length).toBe(before)
})

test('one who was never sent is not there, and nothing is called', async () => {
  await connect()
  const guest = await aGuest()
  await foyer.query(
    `insert into marketing_members (customer_id, marketing_integration_id, guest_id, subscriber_key)
     select customer_id, id, $2, $3 from marketing_integrations where customer_id = $1`,
    [customer(), guest.id, keyOf(guest.email)],
  )
  await erase(guest)
  expect([await works(), await members()]).toEqual([[], []])
})

test.each<[string, Parameters<Mailchimp['goWrong']>[0]['act']]>([
  ['was lost', 'lose'],
  ['was lost, and nothing was done', { status: 502, text: 'Bad gateway' }],
])('where an answer %s, it is looked whether they are there, and they are erased once', async (_how, act) => {
  const { first } = await ready()
  await erase(first)
  const [calls, looks] = [mailchimp.requestsTo(erasing).length, mailchimp.requestsTo(looking).length]
  mailchimp.goWrong({ at: erasing, act })
  await go()
  expect(await work()).toMatchObject({ state: 'waiting', tries: 1, last_error: expect.stringMatching(/try again/) })
  await due()
  await go()
  expect(isErased(first)).toBe(true)
  expect(await works()).toEqual([])
  expect(mailchimp.requestsTo(looking).length).toBe(looks + 1)
  expect(mailchimp.requestsTo(erasing).length).toBe(calls + (act === 'lose' ? 1 : 2))
})

const refusal = (detail: string) => ({ status: 400, body: { title: 'Bad Request', status: 400, detail } })

test('a refusal is given up at once, says where a person can do it, and keeps no address of them', async () => {
  const { id, first } = await ready()
  await erase(first)
  mailchimp.goWrong({ at: erasing, act: refusal(`“${first.email}” is under a legal hold (${first.email}).`) })
  await go()
  const failed = await work()
  expect(failed).toMatchObject({
    state: 'failed',
    last_error:
      'Mailchimp rejected the request. Mailchimp says: ““…” is under a legal hold (…).” Erase the contact there yourself, at ' +
      'https://us21.admin.mailchimp.com/lists/members/view?id=4711. Then dismiss this.',
  })
  expect((await own(id)).members).toMatchObject({ leaving: 1, erasures: 1, erasures_given_up: 1 })
  // Neither the minute nor a round tries it again.
  const calls = mailchimp.requestsTo(erasing).length
  await find()
  await sync(id)
  await find()
  await go()
  expect([await works(), mailchimp.requestsTo(erasing).length]).toMatchObject([[failed], calls])
  await foyer.get(dueWork.retry, { ids: [failed.id] }, editor)
  await go()
  expect([isErased(first), await works()]).toEqual([true, []])
})

test('what is dismissed is not found again, its reason is in the log, and nothing of the guest is left', async () => {
  const { id, first } = await ready()
  await erase(first)
  mailchimp.goWrong({ at: erasing, act: refusal('no') })
  await go()
  await foyer.get(dueWork.dismiss, { ids: [(await work()).id], reason: 'Erased there by hand.' }, editor)
  await find()
  await sync(id)
  await find()
  expect([await works(), await members(), (await own(id)).members.erasures]).toEqual([[], [], 0])
  const { data } = await foyer.get(activity.list, {}, editor)
  expect(JSON.stringify(data)).toContain('Erased there by hand.')
})

test.each([
  ['is not there', { status: 404, body: { title: 'Resource Not Found' } }],
  ['was erased before', refusal('x was permanently deleted')],
  ['was erased before, as the provider says', { status: 400, body: { title: 'Forgotten Email Not Subscribed' } }],
])('one who %s is erased', async (how, act) => {
  const { first } = await ready()
  await erase(first)
  if (how !== 'is not there') only().members.delete(keyOf(first.email))
  mailchimp.goWrong({ at: erasing, act })
  await go()
  expect([await works(), await members()]).toEqual([[], []])
})

test('a provider that asks to wait is not called before, for any of its erasures, however often it asks', async () => {
  const { all } = await ready(3)
  await erase(...all)
  mailchimp.goWrong({ at: erasing, act: { status: 429, headers: { 'retry-after': '900' } }, times: 3 })
  for (let times = 0; times < 3; times++) {
    await due()
    const calls = mailchimp.requestsTo(erasing).length
    await go()
    expect(mailchimp.requestsTo(erasing).length).toBe(calls + 1)
    expect(Math.min(...(await waits()))).toBeGreaterThan(850)
  }
  expect((await works()).map(({ tries }) => tries)).toEqual([0, 0, 0])
  await due()
  await go()
  expect(all.map(isErased)).toEqual([true, true, true])
})

test('while the provider is down one at a time is tried; after three days it is not known, and a person has it looked up', async () => {
  const { all } = await ready(2)
  await erase(...all)
  mailchimp.goWrong({ at: /\/members\//, act: { status: 503, text: 'down' }, times: 1000 })
  await go()
  expect((await works()).map(({ tries, state }) => [tries, state])).toEqual([
    [1, 'waiting'],
    [0, 'waiting'],
  ])
  expect((await waits())[1]).toBeGreaterThan(5)
  await longAgo()
  await due()
  await go()
  const [unknown, other] = await works()
  expect([unknown, other]).toMatchObject([{ state: 'unknown' }, { state: 'unknown' }])
  expect(unknown?.last_error).toBe(
    'Mailchimp is not working at the moment. It was tried for three days. Once Mailchimp works, try again: Foyer looks first whether the ' +
      'contact is there.',
  )
  await find()
  expect(await works()).toMatchObject([{ state: 'unknown' }, { state: 'unknown' }])
  const refused = await foyer.ask(dueWork.dismiss, { ids: [unknown?.id ?? 0] }, editor)
  expectRefused(refused, invalid({ reason: ['Enter what you found: it is not known whether this was done.'] }))
  mailchimp.goRight()
  const looks = mailchimp.requestsTo(looking).length
  await foyer.get(dueWork.retry, { ids: [unknown?.id ?? 0] }, editor)
  await go()
  expect(mailchimp.requestsTo(looking).length).toBe(looks + 1)
  expect(all.filter(isErased)).toHaveLength(1)
  await foyer.get(dueWork.dismiss, { ids: [other?.id ?? 0], reason: 'Erased by hand.' }, editor)
  expect([await works(), await members()]).toEqual([[], []])
})

test('where it cannot be looked whether they are there, nothing is erased, and it is not known', async () => {
  const { first } = await ready()
  await erase(first)
  mailchimp.goWrong({ at: erasing, act: { status: 500 } }, { at: looking, act: refusal('no') })
  await go()
  await due()
  const calls = mailchimp.requestsTo(erasing).length
  await go()
  expect(await work()).toMatchObject({ state: 'unknown' })
  expect(mailchimp.requestsTo(erasing).length).toBe(calls)
})

test('where only a new consent helps nothing is called any more, and all begins anew with it', async () => {
  const { id, all, first } = await ready(4)
  const [, second, third, fourth] = all
  await erase(first)
  mailchimp.goWrong({ at: erasing, act: refusal('no') })
  await go()
  mailchimp.endConsent()
  await erase(second ?? first, third ?? first)
  const before = mailchimp.requestsTo(/members/).length
  await go()
  // The first of them has found out.
  expect([(await own(id)).state, mailchimp.requestsTo(/members/).length]).toEqual(['reconnect', before + 1])
  await erase(fourth ?? first)
  await find()
  await go()
  const calls = mailchimp.requestsTo(/members/).length
  expect([await works(), mailchimp.requestsTo(/members/).length]).toMatchObject([[{ state: 'failed' }], calls])
  expect((await own(id)).members).toMatchObject({ erasures: 4, erasures_given_up: 1 })
  await connect(id)
  expect((await works()).map(({ state }) => state)).toEqual(all.map(() => 'waiting'))
  await go()
  expect(all.map(isErased)).toEqual(all.map(() => true))
  expect([await works(), await members()]).toEqual([[], []])
})

test('a consent that was given while one of a former consent was tried goes on with it', async () => {
  const { id, first } = await ready()
  await erase(first)
  mailchimp.goWrong({ at: erasing, act: { status: 403 } })
  const held = mailchimp.holds(erasing, 1, 'go on')
  const tried = go()
  await held.asked
  await connect(id)
  held.answers()
  await tried
  expect((await own(id)).state).toBe('connected')
  expect(await work()).toMatchObject({ state: 'waiting', last_error: expect.stringContaining('connected anew') })
  await due()
  await go()
  expect(isErased(first)).toBe(true)
})

test('for a connection that was taken down or disabled nothing is called, and it begins anew once that is in use', async () => {
  const { id, all, first } = await ready(2)
  const [, second] = all
  await erase(first)
  const calls = mailchimp.requestsTo(erasing).length
  await foyer.query('update marketing_integrations set active = false where id = $1', [id])
  await go()
  await find()
  expect([await works(), mailchimp.requestsTo(erasing).length]).toEqual([[], calls])
  await foyer.query('update marketing_integrations set active = true where id = $1', [id])
  await find()
  expect(await works()).toHaveLength(1)
  await foyer.get(marketing.remove, { id }, editor)
  await go()
  await erase(second ?? first)
  expect([await works(), mailchimp.requestsTo(erasing).length]).toEqual([[], calls])
  expect(await connect()).toBe(id)
  await go()
  expect(all.map(isErased)).toEqual([true, true])
})

test('what waits for a former connection to an audience goes over to the next one, and what is given up begins anew', async () => {
  const { id, all, first } = await ready(2)
  await erase(first)
  mailchimp.goWrong({ at: erasing, act: refusal('no') })
  await go()
  // The same audience as another connection, as releases before made it.
  await foyer.query('update marketing_integrations set deleted_at = now(), audience_id = $2 where id = $1', [
    id,
    'former',
  ])
  const next = await connect()
  expect(next).not.toBe(id)
  await foyer.query('update marketing_integrations set audience_id = $2 where id = $1', [id, only().id])
  await sync(next)
  expect(await work()).toMatchObject({ state: 'waiting' })
  await go()
  expect(all.map(isErased)).toEqual([true, false])
  // Of an audience that is gone there is nobody left, and nothing given up.
  await erase(all[1] ?? first)
  mailchimp.goWrong({ at: erasing, act: refusal('no') })
  await go()
  expect(await work()).toMatchObject({ state: 'failed' })
  await foyer.query('update marketing_integrations set deleted_at = now(), audience_id = $2 where id = $1', [
    next,
    'former',
  ])
  await sync(await connect())
  expect([await works(), (await members()).length]).toEqual([[], 0])
})

test.each(['in the audience', 'who has just agreed, and is in no audience yet'])(
  'an address that another guest agreed with, %s, stays there',
  async (where) => {
    const { id, first } = await ready()
    property_id = (await foyer.property(editor)).id
    const second = await aGuest(first.email.toUpperCase())
    if (where === 'in the audience') await sync(id)
    await erase(first)
    await go()
    expect([isErased(first), only().members.get(keyOf(first.email))?.status]).toEqual([false, 'subscribed'])
    expect(await works()).toEqual([])
    await sync(id)
    await erase(second)
    await go()
    expect(isErased(first)).toBe(true)
  },
)

test('one who withdrew, or left there, before they were erased is erased there, too', async () => {
  const { id, all } = await ready(2)
  const [withdrew, left] = all
  await foyer.get(guests.withdrawConsent, { ids: [withdrew?.id ?? 0] }, editor)
  const gone = { status: 'unsubscribed', last_changed: new Date().toISOString() }
  Object.assign(only().members.get(keyOf(left?.email ?? '')) ?? {}, gone)
  await sync(id)
  await erase(...all)
  await go()
  expect(all.map(isErased)).toEqual([true, true])
})

test('a guest who is erased while they are being sent is erased after that', async () => {
  const guest = await aGuest()
  const id = await connect()
  const held = mailchimp.holds(/^PUT/)
  const round = sync(id)
  await held.asked
  await erase(guest)
  const wait = (await waits())[0]
  expect(wait).toBeGreaterThan(60)
  const member = await foyer.query<{ id: number }>('select id from marketing_members where customer_id = $1', [
    customer(),
  ])
  const calls = mailchimp.requestsTo(erasing).length
  // Nor does a person have it tried before.
  await tryDue(erasureWork, foyer.services, { customer_id: customer(), about_id: member[0]?.id ?? 0 })
  expect(mailchimp.requestsTo(erasing).length).toBe(calls)
  held.answers()
  await round
  expect(only().members.has(keyOf(guest.email))).toBe(true)
  await foyer.query(`update marketing_members set due_at = now() where customer_id = $1`, [customer()])
  await due()
  await go()
  expect(isErased(guest)).toBe(true)
})

test('a guest who is erased while they are being taken out is erased, too', async () => {
  const { id, first } = await ready()
  await foyer.get(guests.withdrawConsent, { ids: [first.id] }, editor)
  const held = mailchimp.holds(/^DELETE/)
  const round = sync(id)
  await held.asked
  await erase(first)
  held.answers()
  await round
  await go()
  expect([isErased(first), await members()]).toEqual([true, []])
})

test('what nodes of the release before have left is found and looked up, and what they have erased is done', async () => {
  const { id, all, first } = await ready(2)
  await erase(...all)
  // They keep no work for it, but count tries in the row and set the next one hours ahead.
  await foyer.query('delete from due_work where customer_id = $1', [customer()])
  await foyer.query(
    `update marketing_members set attempts = 9, due_at = now() + interval '5 hours' where customer_id = $1`,
    [customer()],
  )
  await find()
  const [one, other] = await works()
  expect([one, other]).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
  const [looks, calls] = [mailchimp.requestsTo(looking).length, mailchimp.requestsTo(erasing).length]
  await foyer.query('delete from marketing_members where subscriber_key = $1', [keyOf(first.email)])
  await go()
  expect([await works(), await members()]).toEqual([[], []])
  expect(mailchimp.requestsTo(looking).length - looks).toBe(1)
  expect(mailchimp.requestsTo(erasing).length - calls).toBe(1)
  expect((await own(id)).members.erasures).toBe(0)
})
