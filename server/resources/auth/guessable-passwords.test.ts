// Guessable passwords: wherever users choose a password, a common one is refused, and one that is little more than the names of the
// person, company and place.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as groups from '#contract/groups.ts'
import * as own from '#contract/own-sign-in.ts'
import * as auth from '#contract/auth.ts'
import * as users from '#contract/users.ts'
import { linkUsedUp } from '#server/resources/auth/address-confirmation.ts'
import { openFoyer, password, unique, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => {
  foyer = await openFoyer()
})
afterAll(() => foyer.close())

const refused = (sentence: RegExp) => ({
  status: 422,
  body: { errors: { password: [expect.stringMatching(sentence)] } },
})
const [tooCommon, tooNear] = [refused(/too common/), refused(/little more than names/)]

test('at the sign-up', async () => {
  const person = { company_name: 'Lighthouse Hotels', name: 'Wilhelmina', email: 'w@beacon.example' }
  const signUp = (chosen: string) => foyer.ask(auth.signup, { ...person, password: chosen }, null)
  expect(await signUp('1q2w3e4r5t6y')).toMatchObject(tooCommon)
  for (const near of ['Lighthouse2026!', 'L1ghth0use-hotels', 'wilhelmina.1984', 'beacon-beacon-1'])
    expect(await signUp(near), near).toMatchObject(tooNear)
  expect((await signUp('lighthouse and seven gulls')).status).toBe(201)
})

test('with the link for a new one, which stays valid', async () => {
  const editor = await foyer.customer()
  await foyer.ask(auth.forgotPassword, { email: editor.user.email }, null)
  const token = foyer.tokenIn(await foyer.mailTo(editor.user.email))
  const reset = (chosen: string) => foyer.ask(auth.resetPassword, { token, password: chosen }, null)
  expect(await reset('1q2w3e4r5t6y')).toMatchObject(tooCommon)
  expect(await reset(`${editor.user.email} 2026`)).toMatchObject(tooNear)
  expect((await reset(password)).status).toBe(200)
  expectRefused(await reset(`${editor.user.email} 2026`), linkUsedUp())
})

test('with an invitation, whose place and person are known', async () => {
  const editor = await foyer.customer()
  const group = (await foyer.get(groups.create, { name: 'Cloudberry Lodges' }, editor)).data
  const email = `${unique('p').replaceAll(' ', '')}@example.com`
  await foyer.get(users.invite, { email, name: 'Penelope', owner_type: 'Group', owner_id: group.id }, editor)
  const token = foyer.tokenIn(await foyer.mailTo(email))
  const accept = (chosen: string, more: { name?: string } = {}) =>
    foyer.ask(auth.acceptInvitation, { token, password: chosen, ...more }, null)
  expect(await accept('1q2w3e4r5t6y')).toMatchObject(tooCommon)
  for (const near of ['cloudberry-2026', 'Penelope-Lodges']) expect(await accept(near), near).toMatchObject(tooNear)
  expect(await accept('Bartholomew1999', { name: 'Bartholomew' })).toMatchObject(tooNear)
  expect((await accept(password)).status).toBe(200)
})

test('when changing it, for each of the user’s companies', async () => {
  const editor = await foyer.customer()
  const other = await foyer.customer()
  const group = (await foyer.get(groups.create, { name: 'Cloudberry Lodges' }, other)).data
  const { email } = editor.user
  await foyer.get(users.invite, { email, name: 'Ann', owner_type: 'Group', owner_id: group.id }, other)
  await foyer.get(auth.acceptInvitation, { token: foyer.tokenIn(await foyer.mailTo(email)), password }, null)
  const change = (chosen: string) =>
    foyer.ask(own.changePassword, { current_password: password, password: chosen }, editor)
  expect(await change('1q2w3e4r5t6y')).toMatchObject(tooCommon)
  expect(await change(`${email}!`)).toMatchObject(tooNear)
  expect(await change('cloudberry-2026')).toMatchObject(tooNear)
  expect((await change('lighthouse and seven gulls')).status).toBe(200)
})
