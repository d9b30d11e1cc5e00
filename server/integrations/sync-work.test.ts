// Sync work: that each connection is kept in line by one piece of due work, which comes sooner where something is to be told, later while
// the provider fails, and not at all where only a person can help.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as accounting from '#contract/accounting-integrations.ts'
import * as guests from '#contract/guests.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import { findDue } from '#server/due/find-due.ts'
import { doDue, tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { keyOf, openMailchimp, type Mailchimp } from '#test/providers/mailchimp.ts'
import { openXero, type Xero } from '#test/providers/xero.ts'
import { erasureWork } from './audience-erasures.ts'
import { accountingWork, marketingWork } from './sync-work.ts'

let xero: Xero
let mailchimp: Mailchimp
let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  ;[xero, mailchimp] = await Promise.all([openXero(), openMailchimp()])
  foyer = await openFoyer({ env: { ...xero.env, ...mailchimp.env } })
})
afterAll(async () => {
  await foyer?.close()
  await xero?.close()
  await mailchimp?.close()
})
beforeEach(async () => {
  xero.goRight()
  mailchimp.goRight()
  xero.organisations.splice(0, Infinity, xero.anOrganisation('Maple Hotels Ltd'))
  mailchimp.audiences.splice(0, Infinity, mailchimp.anAudience('Hotel guests'))
  await foyer.query('delete from rate_limits', [])
  await foyer.query('delete from due_work', [])
  editor = await foyer.customer()
})

const works = { accounting: accountingWork, marketing: marketingWork }
const tried = (kind: keyof typeof works, about_id: number) =>
  tryDue(works[kind], foyer.services, { customer_id: editor.user.customer.id, about_id })
const rowOf = async (kind: keyof typeof works) => {
  const [row] = await foyer.query<{ state: string; tries: number; wait_s: number; last_error: string | null }>(
    `select state, tries, extract(epoch from next_at - now())::integer as wait_s, last_error from due_work
     where kind = $1 and customer_id = $2`,
    [works[kind].kind.name, editor.user.customer.id],
  )
  return row
}
const find = () => findDue(foyer.services, Object.values(works))
async function connectXero() {
  const { url } = (await foyer.get(accounting.authorize, {}, editor)).data
  return (await foyer.get(accounting.create, await xero.consent(url), editor)).data.id
}
async function connectMailchimp(again?: number) {
  const { url } = (await foyer.get(marketing.authorize, again === undefined ? {} : { id: again }, editor)).data
  return (await foyer.get(marketing.create, await mailchimp.consent(url), editor)).data.id
}
const aGuest = async (email: string) => {
  const { id: property_id } = await foyer.property(editor)
  const [guest] = await foyer.query<{ id: number }>(
    `with guest as (insert into guests (customer_id, property_id, email, name, confirmed_at)
         values ($1, $2, $3, 'Ada', now()) returning id),
       consent as (insert into consent_records (customer_id, guest_id, property_id, purpose, wording, method, granted_at)
         select $1, id, $2, 'marketing_email', 'Write to me', 'checkbox', clock_timestamp() from guest)
     select id::integer from guest`,
    [editor.user.customer.id, property_id, email],
  )
  return guest?.id ?? 0
}

test('a connection is kept at once, and then each hour', async () => {
  const id = await connectXero()
  expect(await rowOf('accounting')).toMatchObject({ state: 'waiting', tries: 0 })
  expect(await tried('accounting', id)).toBe('done')
  const { wait_s, ...row } = (await rowOf('accounting')) ?? { wait_s: 0 }
  expect(row).toEqual({ state: 'waiting', tries: 0, last_error: null })
  expect(wait_s).toBeGreaterThan(3500)
})

test('while the provider fails it is tried on after growing waits, and once it answers nothing is left of that', async () => {
  const id = await connectXero()
  await tried('accounting', id)
  xero.goWrong({ at: /Contacts/, act: { status: 502, text: 'Bad gateway' }, times: 1000 })
  for (const [tries, longest] of [
    [1, 60],
    [2, 120],
    [3, 240],
  ] as const) {
    await tried('accounting', id)
    const row = await rowOf('accounting')
    expect(row).toMatchObject({ state: 'waiting', tries, last_error: expect.stringContaining('Foyer will try again.') })
    expect(row?.wait_s).toBeGreaterThanOrEqual(longest / 2 - 2)
    expect(row?.wait_s).toBeLessThanOrEqual(longest)
  }
  // What has failed is not brought forward by the minute.
  await find()
  expect((await rowOf('accounting'))?.wait_s).toBeGreaterThan(60)
  xero.goRight()
  expect(await tried('accounting', id)).toBe('done')
  expect(await rowOf('accounting')).toMatchObject({ tries: 0, last_error: null })
})

test('where only a new consent helps nothing is tried any more until there is one', async () => {
  const id = await connectXero()
  await tried('accounting', id)
  xero.endConsent()
  await foyer.query('update integration_tokens set expires_at = now()', [])
  await tried('accounting', id)
  expect((await foyer.get(accounting.get, { id }, editor)).data.state).toBe('reconnect')
  expect(await rowOf('accounting')).toBeUndefined()
  await find()
  expect(await rowOf('accounting')).toBeUndefined()
  const { url } = (await foyer.get(accounting.authorize, { id }, editor)).data
  await foyer.get(accounting.create, await xero.consent(url), editor)
  expect(await rowOf('accounting')).toMatchObject({ state: 'waiting' })
})

test('what nobody keeps yet is found, and what is not in use is let go until it is', async () => {
  const id = await connectXero()
  await foyer.query('delete from due_work', [])
  await find()
  expect(await rowOf('accounting')).toMatchObject({ state: 'waiting' })
  await foyer.query('update accounting_integrations set active = false where id = $1', [id])
  const calls = xero.requestsTo(/./).length
  expect(await tried('accounting', id)).toBe('done')
  await find()
  expect([xero.requestsTo(/./).length, await rowOf('accounting')]).toEqual([calls, undefined])
  await foyer.query('update accounting_integrations set active = true where id = $1', [id])
  await find()
  expect(await rowOf('accounting')).toMatchObject({ state: 'waiting' })
})

test('what was chosen while it was kept is kept at once, also a new consent, and what is chosen of another one is not', async () => {
  xero.organisations.push(xero.anOrganisation('Oak Hotels Ltd'))
  const [one, other] = [await connectXero(), await connectXero()]
  const [maple, oak] = xero.organisations.map(({ tenantId }) => tenantId)
  const another_organisation = `tenant_id = case tenant_id when '${oak}' then '${maple}' else '${oak}' end`
  const waitOf = async (id: number, change: string, changed: number) => {
    const held = xero.holds(/connections/)
    const round = tried('accounting', id)
    await held.asked
    await foyer.query(`update accounting_integrations set ${change} where id = $1`, [changed])
    held.answers()
    expect(await round).toBe('done')
    const [row] = await foyer.query<{ wait_s: number }>(
      `select extract(epoch from next_at - now())::integer as wait_s from due_work where kind = $1 and about_id = $2`,
      [accountingWork.kind.name, id],
    )
    return row?.wait_s
  }
  for (const [id, another] of [
    [one, other],
    [other, one],
  ] as const) {
    expect(await waitOf(id, another_organisation, another)).toBeGreaterThan(3500)
    expect(await waitOf(id, another_organisation, id)).toBeLessThan(5)
    expect(await waitOf(id, 'connected_at = now()', id)).toBeLessThan(5)
  }
})

test('a failure of an organisation that was left while it was read is none of the chosen one, which is read at once', async () => {
  xero.organisations.push(xero.anOrganisation('Oak Hotels Ltd'))
  const [maple, oak] = xero.organisations.map(({ tenantId }) => tenantId)
  const id = await connectXero()
  const choose = (tenant_id: string | undefined) =>
    foyer.query('update accounting_integrations set tenant_id = $2 where id = $1', [id, tenant_id])
  await choose(maple)
  await tried('accounting', id)
  xero.goWrong({ at: /Contacts/, act: { status: 502, text: 'Bad gateway' }, times: 1000 })
  const held = xero.holds(/connections/)
  const round = tried('accounting', id)
  await held.asked
  await choose(oak)
  held.answers()
  expect(await round).toBe('done')
  expect((await foyer.get(accounting.get, { id }, editor)).data).toMatchObject({ state: 'connected', last_error: null })
  expect((await rowOf('accounting'))?.wait_s).toBeLessThan(5)
  // Of the chosen one it is.
  await tried('accounting', id)
  expect((await foyer.get(accounting.get, { id }, editor)).data.state).toBe('failing')
})

test('a failure of a former consent is none of the one that was given meanwhile, which is kept at once', async () => {
  const id = await connectXero()
  await tried('accounting', id)
  const again = async () => {
    const { url } = (await foyer.get(accounting.authorize, { id }, editor)).data
    await foyer.get(accounting.create, await xero.consent(url), editor)
  }
  xero.goWrong({ at: /Contacts/, act: { status: 502, text: 'Bad gateway' }, times: 1000 })
  const held = xero.holds(/Contacts/)
  const round = tried('accounting', id)
  await held.asked
  await again()
  held.answers()
  expect(await round).toBe('done')
  expect((await foyer.get(accounting.get, { id }, editor)).data).toMatchObject({ state: 'connected', last_error: null })
  expect((await rowOf('accounting'))?.wait_s).toBeLessThan(5)
})

test('an audience has no failure of a former consent, either', async () => {
  const id = await connectMailchimp()
  mailchimp.goWrong({ at: /^GET .*\/lists$/, act: { status: 502, text: 'Bad gateway' }, times: 1000 })
  const held = mailchimp.holds(/^GET .*\/lists$/)
  const round = tried('marketing', id)
  await held.asked
  await foyer.query('update marketing_integrations set connected_at = now() where id = $1', [id])
  held.answers()
  expect(await round).toBe('done')
  expect((await foyer.get(marketing.get, { id }, editor)).data).toMatchObject({ last_error: null })
  expect((await rowOf('marketing'))?.wait_s).toBeLessThan(5)
})

test('a renewal that is refused because consent was given anew meanwhile goes on with the new one', async () => {
  const id = await connectXero()
  await tried('accounting', id)
  xero.endConsent()
  await foyer.query('update integration_tokens set expires_at = now()', [])
  const held = xero.holds(/token/, 1, 'go on')
  const round = tried('accounting', id)
  await held.asked
  const { url } = (await foyer.get(accounting.authorize, { id }, editor)).data
  await foyer.get(accounting.create, await xero.consent(url), editor)
  const before = xero.requestsTo(/Contacts/).length
  held.answers()
  expect(await round).toBe('done')
  expect(xero.requestsTo(/Contacts/).length).toBe(before + 1)
  expect((await foyer.get(accounting.get, { id }, editor)).data).toMatchObject({ state: 'connected', last_error: null })
})

test('an audience is told within a minute of what has changed, without a whole round', async () => {
  const id = await connectMailchimp()
  await tried('marketing', id)
  expect((await rowOf('marketing'))?.wait_s).toBeGreaterThan(3000)
  await foyer.query(`update marketing_integrations set looked_at = now() + interval '3 minutes'`, [])
  await find()
  expect((await rowOf('marketing'))?.wait_s).toBeGreaterThan(3000)
  await foyer.query(`update marketing_integrations set looked_at = now() - interval '3 minutes'`, [])
  const guest = await aGuest('ada@example.com')
  await find()
  expect((await rowOf('marketing'))?.wait_s).toBeLessThanOrEqual(0)
  const whole = mailchimp.requestsTo(/^GET .*\/lists$/).length
  await tried('marketing', id)
  expect(mailchimp.audiences[0]?.members.get(keyOf('ada@example.com'))?.status).toBe('subscribed')
  expect(mailchimp.requestsTo(/^GET .*\/lists$/).length).toBe(whole)
  const { wait_s } = (await rowOf('marketing')) ?? {}
  expect(wait_s).toBeGreaterThan(3000)
  // One who is erased here is erased there at once.
  await foyer.get(guests.erase, { ids: [guest] }, editor)
  await doDue(erasureWork, foyer.services, editor.user.customer.id)
  expect(mailchimp.audiences[0]?.barred.has(keyOf('ada@example.com'))).toBe(true)
})

test('after a failure, and an hour after the last, the round is a whole one', async () => {
  const id = await connectMailchimp()
  await tried('marketing', id)
  const wholes = () => mailchimp.requestsTo(/^GET \/3\.0\/lists$/).length
  let before = wholes()
  await tried('marketing', id)
  expect(wholes()).toBe(before)
  await foyer.query(`update marketing_integrations set changes_since = now() - interval '71 minutes' where id = $1`, [
    id,
  ])
  await tried('marketing', id)
  expect(wholes()).toBe(++before)
  await foyer.query('update marketing_integrations set failures = 1 where id = $1', [id])
  await find()
  expect((await rowOf('marketing'))?.wait_s).toBeLessThanOrEqual(0)
  await tried('marketing', id)
  expect(wholes()).toBe(++before)
})
