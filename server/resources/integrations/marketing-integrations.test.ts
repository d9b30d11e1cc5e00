// Marketing integrations: only guests who agreed are sent to the audience; unsubscribed, withdrawn and erased ones are removed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as guests from '#contract/guests.ts'
import * as integrations from '#contract/marketing-integrations.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { connect as connectTo } from '#server/db/logins.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { sendWaiting } from '#server/integrations/audience-sending.ts'
import { erasureWork } from '#server/integrations/audience-erasures.ts'
import { syncMarketing, tellAudience } from '#server/integrations/marketing.ts'
import { invalid } from '#server/errors/refused.ts'
import { doDue } from '#test/due.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { keyOf, openMailchimp, type Audience, type Mailchimp } from '#test/providers/mailchimp.ts'
import { expectRefused } from '#test/refused.ts'

let mailchimp: Mailchimp
let foyer: TestFoyer
let admin: Client
let editor: Person
let property_id: number
beforeAll(async () => {
  mailchimp = await openMailchimp()
  foyer = await openFoyer({ env: mailchimp.env })
  admin = await connectTo(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin?.end()
  await foyer?.close()
  await mailchimp?.close()
})
beforeEach(async () => {
  mailchimp.goRight()
  mailchimp.audiences.splice(0, Infinity, mailchimp.anAudience('Hotel guests'))
  await admin.query('delete from rate_limits')
  editor = await foyer.customer()
  property_id = (await foyer.property(editor)).id
})

async function connect(id?: number) {
  const asked = id === undefined ? {} : { id }
  const { url } = (await foyer.get(integrations.authorize, asked, editor)).data
  return (await foyer.get(integrations.create, await mailchimp.consent(url), editor)).data
}
const own = async (id: number) => (await foyer.get(integrations.get, { id }, editor)).data
const sync = (id: number) => syncMarketing(foyer.services, editor.user.customer.id, id)
/** Lets the time pass until everybody is tried again. */
const due = () => admin.query('update marketing_members set due_at = null where due_at is not null')
const tell = async () => {
  for (const { id } of (await foyer.get(integrations.list, {}, editor)).data)
    await tellAudience(foyer.services, editor.user.customer.id, id)
}
/** Does the erasures whose time has come. */
const eraseThere = () => doDue(erasureWork, foyer.services, editor.user.customer.id)
const there = ({ email }: { email: string }) => only().members.get(keyOf(email))?.status
const membersOf = async (id: number) =>
  (await foyer.get(integrations.members, { params: { marketing_integration_id: id } }, editor)).data
const only = (): Audience => {
  const [first] = mailchimp.audiences
  if (!first) throw new Error('there is one')
  return first
}

/** A guest who signed in at the portal, and by default agreed to marketing. */
async function aGuest({
  email = `${unique('guest').replaceAll(' ', '.')}@example.com`,
  agreed = true,
  confirmed = true,
} = {}) {
  const customer_id = editor.user.customer.id
  const { rows } = await admin.query<{ id: number }>(
    `insert into guests (customer_id, property_id, email, name, confirmed_at)
     values ($1, $2, $3, 'Ada Lovelace', $4) returning id::integer`,
    [customer_id, property_id, email, confirmed ? new Date() : null],
  )
  const id = rows[0]?.id ?? 0
  await agree(id, 'terms', 'The terms')
  if (agreed) await agree(id)
  return { id, email }
}
const agree = (guest_id: number, purpose = 'marketing_email', wording = 'Write to me about offers') =>
  admin.query(
    `insert into consent_records (customer_id, guest_id, property_id, purpose, wording, method, granted_at)
     values ($1, $2, $3, $4, $5, 'checkbox', clock_timestamp())`,
    [editor.user.customer.id, guest_id, property_id, purpose, wording],
  )

const no_erasures = { erasures: 0, erasures_given_up: 0 }

const withdraw = ({ id }: { id: number }) => foyer.get(guests.withdrawConsent, { ids: [id] }, editor)

test('the only audience is taken, among several one is chosen, and no token is answered', async () => {
  const { state, audience_id, name } = await connect()
  expect({ state, audience_id, name }).toEqual({ state: 'connected', audience_id: only().id, name: 'Maple Hotels' })
  editor = await foyer.customer()
  mailchimp.audiences.push(mailchimp.anAudience('Conference guests'))
  const { id, state: open, audiences } = await connect()
  expect(open).toBe('choose')
  const other = audiences[1]?.id ?? ''
  expectRefused(
    await foyer.ask(integrations.update, { id, audience_id: 'nobody’s' }, editor),
    invalid({ audience_id: [selectedInvalid('audience_id')] }),
  )
  const { data } = await foyer.get(integrations.update, { id, audience_id: other }, editor)
  expect(data).toMatchObject({ state: 'connected', audience_id: other })
  expectRefused(
    await foyer.ask(integrations.update, { id, audience_id: only().id }, editor),
    invalid({ audience_id: ['The audience cannot be changed. To use another one, connect again.'] }),
  )
  expect(JSON.stringify(await foyer.get(integrations.list, {}, editor))).not.toMatch(/token/)
})

test('guests who agreed are sent, each once, and nobody else; the wording that they agreed to is shown with them', async () => {
  const [one, unsure] = [await aGuest(), await aGuest({ confirmed: false })]
  const silent = await aGuest({ agreed: false })
  const { id } = await connect()
  await sync(id)
  // They are left a while to confirm the address to us.
  expect(only().members.has(keyOf(unsure.email))).toBe(false)
  await due()
  await sync(id)
  expect(only().members.get(keyOf(one.email))).toMatchObject({
    status: 'subscribed',
    merge_fields: { FNAME: 'Ada', LNAME: 'Lovelace' },
  })
  expect(only().members.get(keyOf(unsure.email))?.status).toBe('pending')
  expect(only().members.has(keyOf(silent.email))).toBe(false)
  expect((await own(id)).members).toEqual({
    waiting: 0,
    sent: 2,
    refused: 0,
    unsubscribed: 0,
    leaving: 0,
    ...no_erasures,
  })
  expect(await membersOf(id)).toContainEqual(
    expect.objectContaining({ email: one.email, state: 'sent', wording: 'Write to me about offers' }),
  )
  const before = mailchimp.requestsTo(/^PUT|^POST .*lists/).length
  await sync(id)
  await tell()
  expect(mailchimp.requestsTo(/^PUT|^POST .*lists/).length).toBe(before)
})

test('one who unsubscribes has withdrawn, is not sent again, and is asked by mail once they agree again', async () => {
  const { id: guest_id, email } = await aGuest()
  const { id } = await connect()
  await sync(id)
  Object.assign(only().members.get(keyOf(email)) ?? {}, {
    status: 'unsubscribed',
    last_changed: new Date().toISOString(),
  })
  await sync(id)
  expect(await membersOf(id)).toMatchObject([{ state: 'unsubscribed', reason: 'They unsubscribed.' }])
  const { data } = await foyer.get(guests.list, {}, editor)
  expect(data).toMatchObject([{ id: guest_id, marketing: false }])
  await sync(id)
  expect(only().members.get(keyOf(email))?.status).toBe('unsubscribed')
  await agree(guest_id)
  await sync(id)
  expect(only().members.get(keyOf(email))?.status).toBe('pending')
  expect(await membersOf(id)).toMatchObject([{ state: 'sent' }])
})

test('one who is unsubscribed there already stays so', async () => {
  const { email } = await aGuest()
  const key = keyOf(email)
  const left = { id: key, email_address: email, status: 'unsubscribed', last_changed: '2020-01-01T00:00:00Z' }
  only().members.set(key, left)
  const { id } = await connect()
  await sync(id)
  expect(only().members.get(key)?.status).toBe('unsubscribed')
  expect(await membersOf(id)).toMatchObject([{ state: 'unsubscribed' }])
})

test('one who withdraws is archived; one who is erased is erased there, too, and their address is not kept', async () => {
  const [leaver, erased] = [await aGuest(), await aGuest()]
  const { id } = await connect()
  await sync(id)
  await withdraw(leaver)
  await foyer.get(guests.erase, { ids: [erased.id] }, editor)
  const rows = await admin.query<{ row: string }>(
    `select m::text as row from marketing_members m join guests g on g.id = m.guest_id and g.deleted_at is not null`,
  )
  expect(rows.rows.length).toBe(1)
  expect(rows.rows[0]?.row).not.toContain(erased.email)
  await sync(id)
  expect(only().barred.size).toBe(0)
  await eraseThere()
  expect(there(leaver)).toBe('archived')
  expect(only().barred.has(keyOf(leaver.email))).toBe(false)
  expect(only().barred.has(keyOf(erased.email))).toBe(true)
  expect(await membersOf(id)).toMatchObject([{ email: leaver.email, state: 'unsubscribed' }])
})

test.each([
  ['in compliance state', 'only from its owner'],
  ['of an address that looks false', 'looks fake'],
])('a member %s is refused, shows why, and delays nobody', async (how, sentence) => {
  const odd = await aGuest(how === 'in compliance state' ? {} : { email: 'nobody@nowhere' })
  if (how === 'in compliance state')
    only().members.set(keyOf(odd.email), {
      id: keyOf(odd.email),
      email_address: odd.email,
      status: 'compliance',
      last_changed: '',
    })
  const next = await aGuest()
  const { id } = await connect()
  await sync(id)
  expect(only().members.has(keyOf(next.email))).toBe(true)
  const refused = (await membersOf(id)).find(({ email }) => email === odd.email)
  expect(refused).toMatchObject({ state: 'refused' })
  expect(refused?.reason).toContain(sentence)
  expect((await own(id)).state).toBe('connected')
})

test.each<[string, Parameters<Mailchimp['goWrong']>[0]]>([
  ['asks to wait', { at: /^PUT/, act: { status: 429, headers: { 'retry-after': '60' } } }],
  ['is out of order', { at: /^PUT/, act: { status: 500, text: 'oops' } }],
  ['answers garbage', { at: /^PUT/, act: { status: 200, text: 'OK' } }],
  ['is not heard of', { at: /^PUT/, act: 'lose' }],
  ['is slow', { at: /^PUT/, act: 'hang' }],
])(
  'if the provider %s, a waiting member shows why, and is sent the next time',
  { timeout: 60_000 },
  async (_how, fault) => {
    const { email } = await aGuest()
    const { id } = await connect()
    mailchimp.goWrong(fault)
    await sync(id)
    expect(await own(id)).toMatchObject({ members: { waiting: 1 } })
    expect((await membersOf(id))[0]?.reason).toMatch(/again|wait/)
    await due()
    await sync(id)
    expect(await own(id)).toMatchObject({ state: 'connected', members: { waiting: 0, sent: 1 } })
    expect(only().members.get(keyOf(email))?.status).toBe('subscribed')
  },
)

test('a consent that has ended asks for a user, and the same connection goes on', async () => {
  const { id } = await connect()
  mailchimp.endConsent()
  await aGuest()
  await sync(id)
  expect(await own(id)).toMatchObject({ state: 'reconnect', members: { waiting: 0 } })
  expect(await connect(id)).toMatchObject({ id, state: 'connected' })
  await sync(id)
  expect(await own(id)).toMatchObject({ members: { sent: 1 } })
})

test('a removed audience is reported, and nobody is sent', async () => {
  const { id } = await connect()
  await aGuest()
  mailchimp.audiences.splice(0, Infinity, mailchimp.anAudience('Another'))
  await sync(id)
  const { state, last_error } = await own(id)
  expect(state).toBe('failing')
  expect(last_error).toContain('The audience was removed')
  expect(only().members.size).toBe(0)
})

test('after disconnecting, nobody is sent any more', async () => {
  const { id } = await connect()
  await foyer.get(integrations.remove, { id }, editor)
  await aGuest()
  await sync(id)
  expect(only().members.size).toBe(0)
  expect((await foyer.get(integrations.list, {}, editor)).data).toEqual([])
})

const left = async () => (await foyer.get(integrations.list, {}, editor)).meta.left

test('a guest erased while the audience is disconnected is erased there once it is connected again, and shown as waiting', async () => {
  const [before, meanwhile, leaver, stays, gone] = [
    await aGuest(),
    await aGuest(),
    await aGuest(),
    await aGuest(),
    await aGuest(),
  ]
  const { id } = await connect()
  await sync(id)
  // Before the next synchronisation.
  await foyer.get(guests.erase, { ids: [before.id] }, editor)
  expect((await own(id)).members).toMatchObject({ sent: 4, leaving: 1, erasures: 1 })
  expect(await left()).toEqual([])
  await foyer.get(integrations.remove, { id }, editor)
  await foyer.get(guests.erase, { ids: [meanwhile.id] }, editor)
  await withdraw(leaver)
  Object.assign(only().members.get(keyOf(gone.email)) ?? {}, {
    status: 'unsubscribed',
    last_changed: new Date().toISOString(),
  })
  expect(await left()).toEqual([
    { integration_type: 'mailchimp', name: 'Maple Hotels', audience: 'Hotel guests', erasures: 2 },
  ])
  expect((await foyer.get(integrations.members, {}, editor)).data).toEqual([])
  const { data: waiting } = await foyer.get(integrations.members, { filters: { disconnected: true } }, editor)
  expect(waiting.filter(({ guest }) => guest === null)).toHaveLength(2)
  expect(JSON.stringify(waiting)).not.toContain(meanwhile.email)
  expect(only().members.size).toBe(5)

  // Another audience of the account is not this one.
  mailchimp.audiences.push(mailchimp.anAudience('Conference guests'))
  const { id: other, audiences } = await connect()
  await foyer.get(integrations.update, { id: other, audience_id: audiences[1]?.id ?? '' }, editor)
  await sync(other)
  expect(await left()).toMatchObject([{ erasures: 2 }])
  await foyer.get(integrations.remove, { id: other }, editor)

  const { id: new_id } = await connect()
  const { id: again } = (await foyer.get(integrations.update, { id: new_id, audience_id: only().id }, editor)).data
  expect(again).toBe(id)
  await sync(again)
  await eraseThere()
  expect([...only().barred].toSorted((one, next) => one.localeCompare(next))).toEqual(
    [keyOf(before.email), keyOf(meanwhile.email)].toSorted((one, next) => one.localeCompare(next)),
  )
  expect([stays, gone, leaver].map(there)).toEqual(['subscribed', 'unsubscribed', 'archived'])
  expect(only().members.size).toBe(3)
  expect(await left()).toEqual([])
  expect((await own(again)).members).toEqual({
    waiting: 0,
    sent: 1,
    refused: 0,
    unsubscribed: 2,
    leaving: 0,
    ...no_erasures,
  })
  expect((await membersOf(again)).find(({ email }) => email === gone.email)).toMatchObject({
    reason: 'They unsubscribed.',
  })
})

test('a guest erased while consent has ended is shown as waiting, and is erased there once consent is renewed', async () => {
  const { id: guest_id, email } = await aGuest()
  const { id } = await connect()
  await sync(id)
  mailchimp.endConsent()
  await sync(id)
  await foyer.get(guests.erase, { ids: [guest_id] }, editor)
  expect(await own(id)).toMatchObject({ state: 'reconnect', members: { erasures: 1 } })
  await eraseThere()
  expect(only().barred.size).toBe(0)
  await connect(id)
  await eraseThere()
  expect(only().barred.has(keyOf(email))).toBe(true)
  expect(await own(id)).toMatchObject({ state: 'connected', members: { erasures: 0 } })
})

test('no erasures are left for an audience that was deleted at the provider', async () => {
  const { id: guest_id } = await aGuest()
  const { id } = await connect()
  await sync(id)
  await foyer.get(integrations.remove, { id }, editor)
  await foyer.get(guests.erase, { ids: [guest_id] }, editor)
  mailchimp.audiences.splice(0, Infinity, mailchimp.anAudience('Another'))
  const { id: again } = await connect()
  await sync(again)
  expect(await left()).toEqual([])
})

const rename = (id: number, name: string) => admin.query('update guests set name = $2 where id = $1', [id, name])
const waitsAndSentence = async (id: number, { email }: { email: string }) => {
  const one = (await membersOf(id)).find((member) => member.email === email)
  return { state: one?.state, waits: one?.next_try_at != null, reason: one?.reason }
}

test('one address for which the provider always fails holds up nobody, and waits longer each time', async () => {
  const [odd, next, other] = [await aGuest(), await aGuest(), await aGuest()]
  const { id } = await connect()
  mailchimp.goWrong({ at: new RegExp(`PUT .*${keyOf(odd.email)}`), act: { status: 500, text: 'oops' }, times: 1000 })
  await sync(id)
  expect([odd, next, other].map(there)).toEqual([undefined, 'subscribed', 'subscribed'])
  expect(await waitsAndSentence(id, odd)).toMatchObject({
    state: 'waiting',
    waits: true,
    reason: expect.stringMatching(/try again/),
  })
  expect((await own(id)).state).toBe('connected')
  const waited = async () => {
    const { rows } = await admin.query<{ s: number }>(
      'select extract(epoch from due_at - now())::float as s from marketing_members where guest_id = $1 and attempts > 0',
      [odd.id],
    )
    return rows[0]?.s ?? 0
  }
  const first = await waited()
  await due()
  await tell()
  expect(await waited()).toBeGreaterThan(first * 1.5)
  // Before its time it is not tried again.
  const tries = mailchimp.requestsTo(/^PUT/).length
  await tell()
  expect(mailchimp.requestsTo(/^PUT/).length).toBe(tries)
  mailchimp.goRight()
  await due()
  await tell()
  expect(there(odd)).toBe('subscribed')
})

test('an erasure that fails holds up neither other erasures nor those who agreed, and is not given up', async () => {
  const [odd, other] = [await aGuest(), await aGuest()]
  const { id } = await connect()
  await sync(id)
  await foyer.get(guests.erase, { ids: [odd.id, other.id] }, editor)
  const next = await aGuest()
  mailchimp.goWrong({ at: new RegExp(`POST .*${keyOf(odd.email)}`), act: { status: 500, text: 'oops' } })
  await eraseThere()
  await tell()
  expect(there(next)).toBe('subscribed')
  // The rest of the connection waits some seconds, and goes then.
  await foyer.query(`update due_work set next_at = now() where kind = 'audience_erasure' and tries = 0`, [])
  await eraseThere()
  expect([...only().barred]).toEqual([keyOf(other.email)])
  expect((await own(id)).members).toMatchObject({ erasures: 1, erasures_given_up: 0 })
  expect((await membersOf(id)).find(({ guest }) => guest === null)).toMatchObject({
    reason: 'Mailchimp is not working at the moment. Foyer will try again.',
    next_try_at: expect.any(String),
  })
  await foyer.query(`update due_work set next_at = now() where kind = 'audience_erasure'`, [])
  await eraseThere()
  expect(only().barred.has(keyOf(odd.email))).toBe(true)
  expect((await own(id)).members.erasures).toBe(0)
})

test('one who withdrew and whom the provider refuses to take out is refused, with what helps, and asked for no more', async () => {
  const [odd, by_hand, next] = [await aGuest(), await aGuest(), await aGuest()]
  const { id } = await connect()
  await sync(id)
  for (const one of [odd, by_hand, next]) await withdraw(one)
  const refusing = (one: { email: string }) => ({
    at: new RegExp(`DELETE .*${keyOf(one.email)}`),
    act: { status: 400, body: { title: 'Bad Request', detail: 'Not this one.' } },
    times: 1000,
  })
  mailchimp.goWrong(refusing(odd), refusing(by_hand))
  await sync(id)
  expect([odd, by_hand, next].map(there)).toEqual(['subscribed', 'subscribed', 'archived'])
  expect((await own(id)).members).toMatchObject({ refused: 2, leaving: 0, unsubscribed: 1 })
  expect(await waitsAndSentence(id, odd)).toEqual({
    state: 'refused',
    waits: false,
    reason:
      'Mailchimp rejected the request. Mailchimp says: “Not this one.” They withdrew their consent here: unsubscribe them there yourself.',
  })
  const { data: refused } = await foyer.get(integrations.members, { filters: { state: ['refused'] } }, editor)
  expect(new Set(refused.map(({ email }) => email))).toEqual(new Set([odd.email, by_hand.email]))
  const calls = mailchimp.requestsTo(/^DELETE/).length
  await due()
  await sync(id)
  await tell()
  expect(mailchimp.requestsTo(/^DELETE/).length).toBe(calls)
  // Archived there by a person, they have left; and so has one who unsubscribes.
  Object.assign(only().members.get(keyOf(by_hand.email)) ?? {}, {
    status: 'archived',
    last_changed: new Date().toISOString(),
  })
  await sync(id)
  expect(await waitsAndSentence(id, by_hand)).toMatchObject({
    state: 'unsubscribed',
    reason: 'They withdrew their consent.',
  })
  // With a new consent it is asked again, and so it is of one who agrees and withdraws once more.
  await connect(id)
  await sync(id)
  expect(mailchimp.requestsTo(/^DELETE/).length).toBe(calls + 1)
  expect(await waitsAndSentence(id, odd)).toMatchObject({ state: 'refused' })
  await agree(odd.id)
  await sync(id)
  expect(await waitsAndSentence(id, odd)).toMatchObject({ state: 'sent', reason: null })
  mailchimp.goRight()
  await withdraw(odd)
  await sync(id)
  expect([there(odd), (await own(id)).members.refused]).toEqual(['archived', 0])
})

test('one whom the provider refused to take out, and who is erased then, is erased there', async () => {
  const guest = await aGuest()
  const { id } = await connect()
  await sync(id)
  await withdraw(guest)
  mailchimp.goWrong({ at: /^DELETE/, act: { status: 400, body: { title: 'Bad Request' } } })
  await sync(id)
  expect((await own(id)).members).toMatchObject({ refused: 1 })
  await foyer.get(guests.erase, { ids: [guest.id] }, editor)
  await eraseThere()
  expect(only().barred.has(keyOf(guest.email))).toBe(true)
})

test('five guests in a row for whom it fails are the provider’s failure: nobody is blamed, and the rest is not tried', async () => {
  for (let count = 0; count < 8; count++) await aGuest()
  const { id } = await connect()
  mailchimp.goWrong({ at: /PUT/, act: { status: 500, text: 'oops' }, times: 1000 })
  const before = mailchimp.requestsTo(/^PUT/).length
  await sync(id)
  expect(mailchimp.requestsTo(/^PUT/).length - before).toBe(5)
  expect(await own(id)).toMatchObject({ state: 'failing', members: { waiting: 8 } })
})

test.each([
  ['cleaned', 'refused', /bounced.*consent stands/i],
  ['archived', 'refused', /archived.*consent stands/i],
  ['transactional', 'refused', /not subscribed.*consent stands/i],
  ['pending', 'sent', /asked them by mail/],
  ['subscribed', 'sent', /^$/],
])(
  'one who is %s there is %s, with the reason, and consent stands; so is one who becomes that',
  async (status, state, reason) => {
    const [was, becomes] = [await aGuest(), await aGuest()]
    const member = ({ email }: { email: string }) => ({
      id: keyOf(email),
      email_address: email,
      last_changed: '2020-01-01T00:00:00Z',
    })
    only().members.set(keyOf(was.email), { ...member(was), status })
    const { id } = await connect()
    await sync(id)
    Object.assign(only().members.get(keyOf(becomes.email)) ?? {}, { status, last_changed: new Date().toISOString() })
    await sync(id)
    expect([was, becomes].map(there)).toEqual([status, status])
    for (const one of await membersOf(id)) {
      expect(one).toMatchObject({ state, provider_state: status })
      expect(one.reason ?? '').toMatch(reason)
    }
    const { data } = await foyer.get(guests.list, {}, editor)
    expect(data.map(({ marketing }) => marketing)).toEqual([true, true])
    // Restored there, all is well again.
    for (const one of only().members.values())
      Object.assign(one, { status: 'subscribed', last_changed: new Date().toISOString() })
    await sync(id)
    expect(await membersOf(id)).toMatchObject([
      { state: 'sent', reason: null },
      { state: 'sent', reason: null },
    ])
  },
)

test('a consent given after somebody left there stands, though they are not in the audience until they agree once more', async () => {
  const { id: guest_id, email } = await aGuest()
  const { id } = await connect()
  await sync(id)
  const [early, late] = [await aGuest(), await aGuest()]
  for (const [guest, last_changed] of [
    [early, '2020-01-01T00:00:00Z'],
    [late, '2100-01-01T00:00:00Z'],
  ] as const)
    only().members.set(keyOf(guest.email), {
      id: keyOf(guest.email),
      email_address: guest.email,
      status: 'unsubscribed',
      last_changed,
    })
  await tell()
  expect(await waitsAndSentence(id, early)).toMatchObject({
    state: 'unsubscribed',
    reason: expect.stringMatching(/before they agreed here/),
  })
  expect(await waitsAndSentence(id, late)).toMatchObject({ state: 'unsubscribed', reason: 'They unsubscribed.' })
  expect([there(early), there(late), there({ email })]).toEqual(['unsubscribed', 'unsubscribed', 'subscribed'])
  const consents = async () =>
    new Map((await foyer.get(guests.list, {}, editor)).data.map((guest) => [guest.id, guest.marketing]))
  expect(await consents()).toEqual(
    new Map([
      [guest_id, true],
      [early.id, true],
      [late.id, false],
    ]),
  )
  await agree(early.id)
  await tell()
  expect(there(early)).toBe('pending')
})

test('between whole rounds the audience is told who agreed, withdrew or changed their name; an erasure needs no round', async () => {
  const [leaver, erased, renamed] = [await aGuest(), await aGuest(), await aGuest()]
  const { id } = await connect()
  await sync(id)
  const customer_id = editor.user.customer.id
  // Its next round is an hour away.
  await admin.query(
    `update due_work set next_at = now() + interval '1 hour' where kind = 'marketing_connection' and customer_id = $1`,
    [customer_id],
  )
  const isDue = async () =>
    (await admin.query(`select from door_due_marketing('marketing_connection') where customer_id = $1`, [customer_id]))
      .rowCount
  // What is two minutes old has been looked at for certain.
  const settled = () =>
    admin.query(
      `update consent_records set created_at = created_at - interval '1 hour', withdrawn_at = withdrawn_at - interval '1 hour'`,
    )
  await settled()
  expect(await isDue()).toBe(0)
  const next = await aGuest()
  expect(await isDue()).toBe(1)
  await tell()
  expect(there(next)).toBe('subscribed')
  await settled()
  expect(await isDue()).toBe(0)
  await withdraw(leaver)
  expect(await isDue()).toBe(1)
  await tell()
  expect(there(leaver)).toBe('archived')
  await settled()
  await foyer.get(guests.erase, { ids: [erased.id] }, editor)
  expect(await isDue()).toBe(0)
  await eraseThere()
  expect(only().barred.has(keyOf(erased.email))).toBe(true)
  await rename(renamed.id, 'Grace Hopper')
  await sync(id)
  expect(only().members.get(keyOf(renamed.email))).toMatchObject({
    status: 'subscribed',
    merge_fields: { FNAME: 'Grace', LNAME: 'Hopper' },
  })
  const before = mailchimp.requestsTo(/^PUT/).length
  await sync(id)
  expect(mailchimp.requestsTo(/^PUT/).length).toBe(before)
})

test('many new guests go together; those whom the audience knows or refuses are then tried for themselves', async () => {
  const all: { id: number; email: string }[] = []
  for (let count = 0; count < 10; count++) all.push(await aGuest())
  const [known, odd] = [await aGuest(), await aGuest({ email: 'somebody@nowhere' })]
  only().members.set(keyOf(known.email), {
    id: keyOf(known.email),
    email_address: known.email,
    status: 'cleaned',
    last_changed: '2020-01-01T00:00:00Z',
  })
  const { id } = await connect()
  const before = mailchimp.requestsTo(/^PUT/).length
  await sync(id)
  expect(all.map(there)).toEqual(all.map(() => 'subscribed'))
  expect(mailchimp.requestsTo(/^PUT/).length - before).toBe(2)
  expect(await waitsAndSentence(id, known)).toMatchObject({
    state: 'refused',
    reason: expect.stringMatching(/bounced/),
  })
  expect(await waitsAndSentence(id, odd)).toMatchObject({
    state: 'refused',
    reason: expect.stringMatching(/looks fake/),
  })
})

test('a batch that the provider cannot take is sent one by one', async () => {
  for (let count = 0; count < 10; count++) await aGuest()
  const { id } = await connect()
  mailchimp.goWrong({ at: /POST .*lists\/\w+$/, act: { status: 500, text: 'oops' }, times: 1000 })
  await sync(id)
  expect(only().members.size).toBe(10)
  expect(await own(id)).toMatchObject({ state: 'connected', members: { sent: 10, waiting: 0 } })
})

test('the address of a guest who is erased stays in the audience where another guest has agreed with it', async () => {
  const email = `${unique('shared').replaceAll(' ', '.')}@example.com`
  const first = await aGuest({ email })
  const { id } = await connect()
  await sync(id)
  property_id = (await foyer.property(editor)).id
  const second = await aGuest({ email: email.toUpperCase() })
  await rename(second.id, 'Mary Shelley')
  await foyer.get(guests.erase, { ids: [first.id] }, editor)
  await eraseThere()
  await tell()
  await tell()
  expect(there({ email })).toBe('subscribed')
  expect(only().barred.size).toBe(0)
  expect(only().members.get(keyOf(email))?.merge_fields).toEqual({ FNAME: 'Mary', LNAME: 'Shelley' })
  expect((await own(id)).members).toMatchObject({ sent: 1, erasures: 0 })
  await foyer.get(guests.erase, { ids: [second.id] }, editor)
  await eraseThere()
  expect(only().barred.has(keyOf(email))).toBe(true)
})

test.each<[string, (id: number, guest: { id: number }) => Promise<unknown>]>([
  ['the consent was withdrawn', (_, guest) => withdraw(guest)],
  ['the guest was erased', (_, guest) => admin.query('select erase_guests(array[$1::bigint])', [guest.id])],
  [
    'the connection is disabled',
    (id) => admin.query('update marketing_integrations set active = false where id = $1', [id]),
  ],
  [
    'the connection was taken down',
    (id) => admin.query('update marketing_integrations set deleted_at = now() where id = $1', [id]),
  ],
])('a round under way asks again before each call: once %s, nothing goes', async (_, change) => {
  const guest = await aGuest()
  const { id } = await connect()
  const customer_id = editor.user.customer.id
  let sent = 0
  const tenancy = foyer.services.tenancy
  // Queued, and then it changes before the call.
  await admin.query(
    `insert into marketing_members (customer_id, marketing_integration_id, guest_id, subscriber_key, consent_record_id)
     select $1, $2, $3, md5(lower(g.email)), r.id from guests g join consent_records r on r.guest_id = g.id
       and r.purpose = 'marketing_email'
     where g.id = $3`,
    [customer_id, id, guest.id],
  )
  await admin.query(`set app.customer_id = '${customer_id}'`)
  await change(id, guest)
  const caller = callerOfJob(customer_id, 'marketing')
  const provider = { added_max: 500, upsert: () => Promise.reject(new Error(`called ${++sent}`)) }
  await sendWaiting({
    tenancy,
    caller,
    id,
    provider,
    ask: foyer,
    tenant_id: '',
    audience_id: '',
    until: Date.now() + 5000,
  } as never)
  expect(sent).toBe(0)
})
