// Guests' consents: who wants to hear no more tells the property, which withdraws what they agreed to; what they agreed to besides stays.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as guests from '#contract/guests.ts'
import { selectedIdsInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { connect } from '#server/db/logins.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

/** A guest who has agreed to the terms, and to marketing either way. */
async function aGuest({
  email = 'ada@guests.example',
  mobile_number,
}: { email?: string | null; mobile_number?: string } = {}) {
  const { id: property_id } = await foyer.property(editor)
  const { rows } = await admin.query<{ id: number }>(
    `with guest as (insert into guests (customer_id, property_id, email, mobile_number, auth_method_id)
         values ($1, $2, $3, $4, 5) returning id),
       agreed as (insert into consent_records (customer_id, property_id, guest_id, purpose, wording, method)
         select $1, $2, guest.id, purpose, 'Write to me', 'checkbox' from guest,
           unnest(array['terms', 'marketing_email', 'marketing_sms']) as purpose)
     select id::integer from guest`,
    [editor.user.customer.id, property_id, email, mobile_number],
  )
  return { id: rows[0]?.id ?? 0, property_id }
}
const withdrawn = async (id: number) => {
  const { rows } = await admin.query<{ purpose: string; withdrawn_via: string }>(
    'select purpose, withdrawn_via from consent_records where guest_id = $1 and withdrawn_at is not null order by purpose',
    [id],
  )
  return rows
}

test('consent to marketing is withdrawn, the terms stay, and log, file and webhooks are told once', async () => {
  const { id } = await aGuest()
  const other = await aGuest({ email: 'bea@guests.example' })
  const marketing = async () => (await foyer.get(guests.get, { id }, editor)).data.marketing
  await foyer.get(guests.withdrawConsent, { ids: [id], purposes: ['marketing_sms'] }, editor)
  expect(await withdrawn(id)).toEqual([{ purpose: 'marketing_sms', withdrawn_via: 'desk' }])
  expect(await marketing()).toBe(true)
  for (let pressed = 0; pressed < 2; pressed++) await foyer.get(guests.withdrawConsent, { ids: [id] }, editor)
  expect(await withdrawn(id)).toEqual([
    { purpose: 'marketing_email', withdrawn_via: 'desk' },
    { purpose: 'marketing_sms', withdrawn_via: 'desk' },
  ])
  expect(await marketing()).toBe(false)
  expect((await foyer.get(guests.list, { filters: { marketing: true } }, editor)).data.map((one) => one.id)).toEqual([
    other.id,
  ])
  const { rows: lines } = await admin.query(
    `select action, after from activity where object_type = 'guests' and object_id = $1 order by id`,
    [id],
  )
  expect(lines).toEqual([
    { action: 'update', after: { consent_withdrawn: ['marketing_sms'] } },
    { action: 'update', after: { consent_withdrawn: ['marketing_email', 'marketing_sms'] } },
  ])
  const { rows: told } = await admin.query(
    `select type from events where guest_id = $1 and type = 'guest.consent_withdrawn'`,
    [id],
  )
  expect(told).toHaveLength(2)
  const { text } = await foyer.file(guests.data, { id }, editor)
  const { consents } = JSON.parse(text) as { consents: { purpose: string; withdrawn_at: string | null }[] }
  expect(consents.filter((one) => one.withdrawn_at === null)).toMatchObject([{ purpose: 'terms' }])
})

test('nobody withdraws for guests out of reach, nor what is no consent to marketing', async () => {
  const { id } = await aGuest()
  const { property_id } = await aGuest()
  const elsewhere = await foyer.invited(editor, { owner_type: 'Property', owner_id: property_id })
  const viewer = await foyer.viewer(editor)
  const asked = (who: Person, purposes?: 'marketing_email'[]) =>
    foyer.ask(guests.withdrawConsent, { ids: [id], ...(purposes && { purposes }) }, who)
  expectRefused(await asked(elsewhere), invalid({ ids: [selectedIdsInvalid] }))
  expectRefused(await asked(viewer), forbidden())
  expectRefused(
    await asked(editor, ['terms' as 'marketing_email']),
    invalid({ 'purposes.0': ['Please choose one of: marketing_email, marketing_sms'] }),
  )
  expectRefused(await asked(editor, []), invalid({ purposes: [messages.fields.required] }))
  expect(await withdrawn(id)).toEqual([])
})

test('one who agreed at several properties is heard at all of them that the caller sees, by address or number', async () => {
  const both = ['marketing_email', 'marketing_sms']
  const purposes = async ({ id }: { id: number }) => (await withdrawn(id)).map(({ purpose }) => purpose)
  const first = await aGuest({ email: 'cy@guests.example' })
  const second = await aGuest({ email: 'Cy@Guests.Example' })
  const stranger = await aGuest({ email: 'dee@guests.example' })
  const nameless = [await aGuest({ email: null }), await aGuest({ email: null })] as const
  const withNumber = { email: null, mobile_number: '+447700900123' }
  const numbers = [await aGuest(withNumber), await aGuest(withNumber)] as const

  const of = { owner_type: 'Property', owner_id: first.property_id } as const
  const there = await foyer.invited(editor, of)
  expect((await foyer.get(guests.withdrawConsent, { ids: [first.id] }, there)).data.ids).toEqual([first.id])
  expect([await purposes(first), await purposes(second)]).toEqual([both, []])

  const ids = [first.id, numbers[0].id, nameless[0].id]
  const answered = await foyer.get(guests.withdrawConsent, { ids }, editor)
  expect(answered.data.ids.toSorted((a, b) => a - b)).toEqual(
    [...ids, second.id, numbers[1].id].toSorted((a, b) => a - b),
  )
  for (const one of [first, second, ...numbers, nameless[0]]) expect(await purposes(one)).toEqual(both)
  for (const one of [stranger, nameless[1]]) expect(await purposes(one)).toEqual([])
})
