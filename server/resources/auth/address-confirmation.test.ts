// Address confirmation: the mail and the sign-up prove an address together, and whoever has only the mail takes it off.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/address-confirmation.ts'
import * as auth from '#contract/auth.ts'
import { isTakenOff } from '#contract/taken-off.ts'
import { refusals } from '#contract/errors.ts'
import { linkUsedUp } from '#server/resources/auth/address-confirmation.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, password, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

const linkOf = async ({ user }: Person) => foyer.tokenIn(await foyer.mailTo(user.email))
const confirm = (token: string, given?: string, who: Person | null = null) =>
  foyer.ask(contract.confirmAddress, { token, ...(given !== undefined && { password: given }) }, who)
const waits = async (who: Person) => (await foyer.get(auth.me, {}, who)).data.mails_wait
const rest = () => foyer.query('delete from rate_limits', [])
const mailsTo = (email: string) =>
  foyer.query('select id from outbox_mails where recipient_email = $1 and sent_at is null', [email])

test('the link alone confirms nothing: neither without a password, nor with a wrong one, nor as somebody else', async () => {
  await rest()
  const [owner, other] = [await foyer.signedUp(), await foyer.customer()]
  const token = await linkOf(owner)
  const asksPassword = invalid({ password: ['Please give the password that you signed up with.'] })
  expectRefused(await confirm(token), asksPassword)
  expectRefused(await confirm(token, undefined, other), asksPassword)
  expectRefused(
    await confirm(token, 'not the password'),
    invalid({ password: ['This is not the password that you signed up with.'] }),
  )
  expect(await waits(owner)).toBe(true)
})

test('the session that signed up confirms, and so does its password elsewhere', async () => {
  await rest()
  const [here, elsewhere] = [await foyer.signedUp(), await foyer.signedUp()]
  expect((await confirm(await linkOf(here), undefined, here)).status).toBe(200)
  expect((await confirm(await linkOf(elsewhere), password)).status).toBe(200)
  expect([await waits(here), await waits(elsewhere)]).toEqual([false, false])
})

test('the page names the company and when it signed up, and whether the password is needed', async () => {
  await rest()
  const owner = await foyer.signedUp()
  const token = await linkOf(owner)
  const shown = async (who: Person | null) => (await foyer.get(contract.toConfirm, { token }, who)).data.sign_up
  const company_name = owner.user.customer.name
  expect(await shown(null)).toMatchObject({ company_name, asks_password: true, confirmed: false })
  expect(await shown(owner)).toMatchObject({ company_name, asks_password: false })
  expect(Date.now() - Date.parse((await shown(null))?.signed_up_at ?? '')).toBeLessThan(60_000)
  const { data } = await foyer.get(contract.toConfirm, { token: 'x'.repeat(43) }, null)
  expect(data).toEqual({ sign_up: null })
})

test('who has not signed up takes the address off: an empty sign-up goes at once, and the address can sign up by itself', async () => {
  await rest()
  const thief = await foyer.signedUp()
  const { email } = thief.user
  const token = await linkOf(thief)
  expect((await foyer.ask(contract.notMe, { token }, null)).status).toBe(200)
  expectRefused(await foyer.ask(auth.me, {}, thief), refusals.unauthenticated)
  expect(await mailsTo(email)).toEqual([])
  for (const refused of [await foyer.ask(contract.notMe, { token }, null), await confirm(token, password)])
    expectRefused(refused, linkUsedUp())
  const own = { company_name: unique('Company'), name: 'Ada', email, password: 'quite another password 7' }
  expect((await foyer.ask(auth.signup, own, null)).status).toBe(201)
})

test('a sign-up with something in it is asked for another address, neither the same nor one that somebody has', async () => {
  await rest()
  const [thief, known] = [await foyer.signedUp(), await foyer.customer()]
  const { email } = thief.user
  await foyer.property(thief)
  await foyer.get(contract.notMe, { token: await linkOf(thief) }, null)
  const { data } = await foyer.get(auth.me, {}, thief)
  expect(isTakenOff(data.email)).toBe(true)
  expect(await foyer.query('select from customers where contact_email = $1', [email])).toEqual([])
  expect((await foyer.ask(contract.sendConfirmation, {}, thief)).status).toBe(200)
  expect(await mailsTo(data.email)).toEqual([])
  const give = (address: string) => foyer.ask(contract.anotherAddress, { email: address }, thief)
  for (const address of [email, known.user.email, email.toUpperCase()])
    expectRefused(
      await give(address),
      invalid({ email: ['This address cannot be used here. Please give another one.'] }),
    )
  const another = `${unique('another').replaceAll(' ', '.')}@example.com`
  expect((await give(another)).status).toBe(200)
  const token = foyer.tokenIn(await foyer.mailTo(another))
  expect((await confirm(token, undefined, thief)).status).toBe(200)
  expect((await foyer.get(auth.me, {}, thief)).data).toMatchObject({ email: another, mails_wait: false })
  expectRefused(
    await give(`${another}.org`),
    invalid({ email: ['This address cannot be used here. Please give another one.'] }),
  )
})

test('after seven days without another address it ends', async () => {
  await rest()
  const thief = await foyer.signedUp()
  await foyer.property(thief)
  await foyer.get(contract.notMe, { token: await linkOf(thief) }, null)
  const sweep = () => foyer.services.tenancy.callFunction(sql`select door_sweep()`)
  await sweep()
  expect((await foyer.ask(auth.me, {}, thief)).status).toBe(200)
  await foyer.query(`update logins set taken_off_at = now() - interval '8 days' where taken_off = $1`, [
    thief.user.email,
  ])
  await sweep()
  expectRefused(await foyer.ask(auth.me, {}, thief), refusals.unauthenticated)
  expect(
    await foyer.query('select from customers where id = $1 and deleted_at is null', [thief.user.customer.id]),
  ).toEqual([])
})

test('a confirmed address is not taken off', async () => {
  await rest()
  const owner = await foyer.signedUp()
  const token = await linkOf(owner)
  await confirm(token, password)
  expectRefused(await foyer.ask(contract.notMe, { token }, null), linkUsedUp())
  expect((await foyer.get(auth.me, {}, owner)).data.email).toBe(owner.user.email)
})
