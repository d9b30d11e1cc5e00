// Outage mails: one message when guests of a property cannot get online, one when they can again, to those who want it, by mail or to a
// telephone, outside their quiet hours.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as users from '#contract/users.ts'
import { keepStates } from '#server/sessions/property-states.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { opened, waiting, type Waiting } from '#test/waiting-messages.ts'

let foyer: TestFoyer
beforeAll(async () => {
  foyer = await openFoyer()
})
afterAll(() => foyer.close())

const minute = () => keepStates(foyer.services)
const wants = (who: Person, editor: Person, values: object = {}) =>
  foyer.get(users.update, { id: who.user.id, outage_mails: true, ...values }, editor)
const mailsOf = async ({ user }: Person) =>
  opened(
    'outbox_mails',
    await foyer.query<Waiting & { subject: string }>(
      `select subject, ${waiting.outbox_mails} from outbox_mails where recipient_email = $1 and kind = 'other' order by id`,
      [user.email],
    ),
  )

async function place(editor: Person, name: string) {
  const { id: package_id } = await foyer.package(editor)
  const portal = await foyer.portal(editor)
  const { id } = await foyer.property(editor, { name, portal_id: portal.id, package_id })
  const gateway = await foyer.gateway(editor, { property_id: id, name: `Box of ${name}` })
  const heard = (ago: string) =>
    foyer.query('update gateways set last_seen_at = now() - $2::interval where id = $1', [gateway.id, ago])
  await heard('0 minutes')
  return { id, heard }
}
/** What is stored about outages gets older. */
const pass = (customer_id: number, minutes: number) =>
  foyer.query('update outages set calm_since = calm_since - make_interval(mins => $2) where customer_id = $1', [
    customer_id,
    minutes,
  ])

test('who wants it is told once, of all that fell silent together, and once when it is over half an hour later', async () => {
  const editor = await foyer.customer()
  const customer_id = editor.user.customer.id
  const [harbour, tower] = [await place(editor, 'Harbour'), await place(editor, 'Tower')]
  const manager = await foyer.invited(editor, { owner_type: 'Property', owner_id: tower.id })
  const other = await foyer.invited(editor)
  await wants(editor, editor)
  await wants(manager, editor)
  for (const { heard } of [harbour, tower]) await heard('25 hours')
  await Promise.all([minute(), minute()])
  await minute()
  const [first, second] = await mailsOf(editor)
  expect(first?.subject).toBe('Guests cannot get online: 2 properties')
  expect(first?.text).toMatch(/Harbour, since .*:\nThe gateway Box of Harbour has not been heard from\./)
  expect(first?.text).toContain('http://foyer.test/customer/dashboard')
  expect(second).toBeUndefined()
  expect((await mailsOf(manager)).map(({ subject }) => subject)).toEqual(['Guests cannot get online: Tower'])
  expect(await mailsOf(other)).toEqual([])
  // It comes back for 20 minutes.
  await tower.heard('0 minutes')
  await minute()
  await pass(customer_id, 20)
  await tower.heard('25 hours')
  await minute()
  await tower.heard('0 minutes')
  await minute()
  await pass(customer_id, 31)
  await minute()
  await minute()
  expect((await mailsOf(manager)).map(({ subject }) => subject)).toEqual([
    'Guests cannot get online: Tower',
    'Guests can get online again: Tower',
  ])
  // Another one is another mail.
  await tower.heard('25 hours')
  await minute()
  expect(await mailsOf(manager)).toHaveLength(3)
})

test('who wants a text is told once by it, at their own number, and by a mail only if they want one, too', async () => {
  const editor = await foyer.customer()
  const customer_id = editor.user.customer.id
  const houses = []
  for (const name of ['Ash', 'Birch', 'Cedar', 'Dune']) houses.push(await place(editor, `${name} ${customer_id}`))
  const refused = (values: object) => foyer.ask(users.update, { id: editor.user.id, ...values }, editor)
  expect((await refused({ outage_texts: true })).body).toMatchObject({
    errors: { mobile_number: ['Enter the number for text messages.'] },
  })
  expect((await refused({ mobile_number: '07700 900123' })).body).toMatchObject({
    errors: { mobile_number: ['Give the number with its country code, such as +44 7700 900123.'] },
  })
  const { data } = await wants(editor, editor, {
    outage_mails: false,
    outage_texts: true,
    mobile_number: '+44 7700 900 123',
  })
  expect(data).toMatchObject({ outage_mails: false, outage_texts: true, mobile_number: '+447700900123' })
  const texts = async () =>
    opened(
      'outbox_texts',
      await foyer.query<Waiting & { hours: number }>(
        `select ${waiting.outbox_texts}, round(extract(epoch from good_until - created_at) / 3600)::integer as hours
         from outbox_texts where customer_id = $1 and mobile_number = '+447700900123' order by id`,
        [customer_id],
      ),
    )
  for (const { heard } of houses) await heard('25 hours')
  await Promise.all([minute(), minute()])
  await minute()
  const names = ['Ash', 'Birch', 'Cedar'].map((name) => `${name} ${customer_id}`).join(', ')
  expect(await texts()).toEqual([
    { text: `Guests cannot get online: ${names}, 1 more. http://foyer.test/customer/dashboard`, hours: 2 },
  ])
  for (const { heard } of houses) await heard('0 minutes')
  await minute()
  await pass(customer_id, 31)
  await minute()
  await minute()
  expect((await texts()).map(({ text }) => text).slice(1)).toEqual([`Guests can get online again: ${names}, 1 more.`])
  expect(await mailsOf(editor)).toEqual([])
})

test('in quiet hours nothing is sent, and what is over by then is told to nobody', async () => {
  const editor = await foyer.customer()
  const house = await place(editor, 'House')
  const [{ now: hour } = { now: 0 }] = await foyer.query<{ now: number }>(
    `select extract(hour from now() at time zone time_zone)::integer as now from customers where id = $1`,
    [editor.user.customer.id],
  )
  const at = (hours: number) => `${String((hour + hours + 24) % 24).padStart(2, '0')}:00`
  await wants(editor, editor, { quiet_from: at(-1), quiet_until: at(2) })
  await house.heard('25 hours')
  await minute()
  expect(await mailsOf(editor)).toEqual([])
  await wants(editor, editor, { quiet_from: at(3), quiet_until: at(4) })
  await minute()
  expect(await mailsOf(editor)).toHaveLength(1)
  const { data } = await foyer.get(users.get, { id: editor.user.id }, editor)
  expect(data).toMatchObject({ outage_mails: true, quiet_from: at(3), quiet_until: at(4) })
})
