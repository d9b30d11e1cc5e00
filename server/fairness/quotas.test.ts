// Quotas: what one customer may do in a day; a refusal says when it goes on, and customers do not affect each other.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused, expectRefusedBut, tooMuchOf } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => {
  foyer = await openFoyer({
    env: { QUOTA_CODES: '100', QUOTA_INVITATIONS: '3', QUOTA_MAILS: '5', QUOTA_UPLOADS_MB: '1', QUOTA_EXPORTS: '1' },
  })
})
afterAll(() => foyer.close())

/** A zone in which it is about noon, so that no midnight passes while a test runs. */
const atNoon = () => {
  const ahead = 12 - new Date().getUTCHours()
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
async function change(text: string, values: unknown[]) {
  const admin = await connect(foyer.database.adminUrl)
  try {
    return (await admin.query<{ used: number }>(text, values)).rows
  } finally {
    await admin.end()
  }
}
async function aCustomer(): Promise<Person> {
  const editor = await foyer.customer()
  await change('update customers set time_zone = $2 where id = $1', [editor.user.customer.id, atNoon()])
  return editor
}
const usedBy = async (editor: Person, quota: string) =>
  (
    await change('select used::integer from used_quotas where customer_id = $1 and quota = $2', [
      editor.user.customer.id,
      quota,
    ])
  )[0]?.used ?? 0

interface Answered {
  status: number
  text: string
  headers: Record<string, unknown>
}
const refusalOf = ({ status, text, headers }: Answered) => ({
  status,
  message: (JSON.parse(text) as { message?: string }).message,
  retry_after_s: Number(headers['retry-after']),
})
const over = (sentence: string) => ({
  status: 429,
  message: expect.stringMatching(
    new RegExp(`^${sentence}; the next are possible at midnight \\(Etc/GMT[+-]\\d+\\), in 1[123] hours\\.$`),
  ) as string,
  retry_after_s: expect.toSatisfy((wait: number) => wait > 10 * 3600 && wait <= 13 * 3600) as number,
})

test('voucher codes: a number a day, over however many batches, and what is refused costs nothing', async () => {
  const editor = await aCustomer()
  const place = { property_id: (await foyer.property(editor)).id, package_id: (await foyer.package(editor)).id }
  const make = (quantity: number, who = editor) => foyer.ask(batches.create, { quantity, ...place }, who)
  expect((await make(90)).status).toBe(201)
  expect(refusalOf(await make(11))).toEqual(over('Your company can make 100 voucher codes a day. Today 10 are left'))
  expect((await make(10)).status).toBe(201)
  expect(refusalOf(await make(1))).toEqual(over('Your company can make 100 voucher codes a day. Nothing is left today'))
  expect(await usedBy(editor, 'codes')).toBe(100)
  // Another customer has its own quota, and the next day begins with a full one.
  expect((await foyer.voucherBatch(await foyer.customer(), { quantity: 20 })).quantity).toBe(20)
  await change('update used_quotas set until = now() where customer_id = $1', [editor.user.customer.id])
  expect((await make(60)).status).toBe(201)
  expect(await usedBy(editor, 'codes')).toBe(60)
})

test('a batch that fails for another reason costs nothing, and many at once count together', async () => {
  const editor = await aCustomer()
  const place = { property_id: (await foyer.property(editor)).id, package_id: (await foyer.package(editor)).id }
  expectRefused(
    await foyer.ask(batches.create, { quantity: 50, ...place, property_id: 999_999 }, editor),
    invalid({ property_id: [selectedInvalid('property_id')] }),
  )
  const made = await Promise.all(
    Array.from({ length: 6 }, () => foyer.ask(batches.create, { quantity: 30, ...place }, editor)),
  )
  expectRefusedBut(
    3,
    made,
    tooMuchOf(/^Your company can make 100 voucher codes a day\. Today 10 are left; the next are possible at midnight /),
  )
  expect(await usedBy(editor, 'codes')).toBe(90)
})

test('invitations; a team that is one too many is invited as a whole or not at all', async () => {
  const editor = await aCustomer()
  const invite = (email: string) => foyer.ask(users.invite, { email, name: 'Ada' }, editor)
  for (const name of ['ada', 'bea']) expect((await invite(`${name}@quota.example`)).status).toBe(200)
  const two = { emails: ['cid@quota.example', 'dan@quota.example'], names: ['Cid', 'Dan'] }
  expect(refusalOf(await foyer.ask(users.inviteTeamMembers, two, editor))).toEqual(
    over('Your company can send 3 invitations a day. Nothing is left today'),
  )
  expect(await foyer.mailTo('cid@quota.example')).toBe('')
  expect((await invite('cid@quota.example')).status).toBe(200)
  expectRefused(
    await invite('dan@quota.example'),
    tooMuchOf(/^Your company can send 3 invitations a day\. Nothing is left today; the next are possible at midnight /),
  )
})

test('mails, those of an import together with those sent one by one', async () => {
  const editor = await aCustomer()
  const property_id = (await foyer.property(editor)).id
  const account = await foyer.account(editor, { property_id, username: 'u', password: 'p', email: 'u@quota.example' })
  const bring = (names: string[]) => {
    const lines = names.map((name) => `${name},${name}@quota.example,${name},word`)
    const AccountImport = aFile('guests.csv', ['name,email,username,password', ...lines].join('\n'))
    return foyer.send(imports.accounts, { AccountImport, property_id, mail_sign_ins: true }, editor)
  }
  const send = () => foyer.ask(accounts.sendSignIn, { id: account.id }, editor)
  expect((await send()).status).toBe(200)
  expect((await bring(['eva', 'fay', 'gil'])).status).toBe(200)
  // Lists leave a fifth of a day to people at work and to guests: these wait for tomorrow, and are counted then.
  expect((await bring(['hal', 'ivo'])).status).toBe(200)
  const waiting = 'select recipient_email from outbox_mails where customer_id = $1 and not counted order by id'
  expect(await foyer.query(waiting, [editor.user.customer.id])).toEqual([
    { recipient_email: 'hal@quota.example' },
    { recipient_email: 'ivo@quota.example' },
  ])
  expect((await send()).status).toBe(200)
  expect(refusalOf(await send())).toEqual(over('Your company can send 5 mails a day. Nothing is left today'))
})

test('uploads, by their total size', async () => {
  const editor = await aCustomer()
  const property_id = (await foyer.property(editor)).id
  const AccountImport = aFile('guests.csv', `name,note\n${`Ada,${'x'.repeat(400)}\n`.repeat(1000)}`)
  const bring = () => foyer.send(imports.accounts, { AccountImport, property_id }, editor)
  expect((await bring()).status).toBe(200)
  expect((await bring()).status).toBe(200)
  expect(refusalOf(await bring())).toEqual(over('Your company can upload 1 MB of files a day. Today 0.1 MB are left'))
  expect((await foyer.get(imports.list, {}, editor)).data).toHaveLength(2)
  await change('update used_quotas set used = 1000000 where customer_id = $1', [editor.user.customer.id])
  expect(refusalOf(await bring())).toEqual(over('Your company can upload 1 MB of files a day. Nothing is left today'))
  await change('update used_quotas set until = now() where customer_id = $1', [editor.user.customer.id])
  expect((await bring()).status).toBe(200)
})

test('downloads', async () => {
  const editor = await aCustomer()
  await foyer.account(editor)
  const take = () => foyer.ask(accounts.exportList, { format: 'csv' }, editor)
  expect((await take()).status).toBe(200)
  expect(refusalOf(await take())).toEqual(over('Your company can download 1 file a day. Nothing is left today'))
  // What is shown is not counted.
  expect((await foyer.ask(accounts.list, {}, editor)).status).toBe(200)
})
