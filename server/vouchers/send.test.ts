// Sending: codes and sign-ins by mail, and the list of a batch's codes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { mails } from '#server/deliveries/mails.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { withCode } from '#test/voucher-codes.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

async function use(code: string) {
  const admin = await connect(foyer.database.adminUrl)
  await admin.query(`update vouchers set redeemed_at = now() where ${withCode()}`, [vouchers.normalised(code)])
  await admin.end()
}

test('the codes of a batch are listed page by page, with the state of each', async () => {
  const { id } = await foyer.voucherBatch(editor, { quantity: 7 })
  const params = { voucher_batch_id: id }
  const first = await foyer.get(vouchers.list, { params, per_page: 4 }, editor)
  expect([first.data.length, first.meta.total, first.meta.to]).toEqual([4, 7, 4])
  const rest = await foyer.get(vouchers.list, { params, per_page: 4, cursor: first.meta.next_cursor }, editor)
  const excluding = { params, excludeIds: first.data.map((voucher) => voucher.id) }
  expect((await foyer.get(vouchers.list, excluding, editor)).data).toEqual(rest.data)
  const codes = [...first.data, ...rest.data].map(({ code }) => code)
  expect(new Set(codes).size).toBe(7)
  for (const code of codes) expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/)
  expect(first.data[0]).toMatchObject({ state: 'valid', reason: vouchers.reasons.valid_unused, redeemed_at: null })

  await use(codes[1] ?? '')
  const used = await foyer.get(vouchers.list, { params, filters: { used: true } }, editor)
  expect(used.data.map(({ code, reason }) => [code, reason])).toEqual([[codes[1], vouchers.reasons.valid_active]])
  const sought = { params, searchValue: ` ${codes[2]?.toLowerCase() ?? ''} ` }
  expect((await foyer.get(vouchers.list, sought, editor)).data.map(({ code }) => code)).toEqual([codes[2]])
  expect((await foyer.get(vouchers.list, { params, per_page: 0, count: true }, editor)).meta.total).toBe(7)
})

test('viewers see only the end of a code, and codes out of reach are not listed', async () => {
  const { id } = await foyer.voucherBatch(editor, { quantity: 1 })
  const params = { voucher_batch_id: id }
  const [whole] = (await foyer.get(vouchers.list, { params }, editor)).data
  const [masked] = (await foyer.get(vouchers.list, { params }, await foyer.viewer(editor))).data
  expect(masked?.code).toBe(`••••-••••-${whole?.code.slice(-4)}`)
  const viewer = await foyer.viewer(editor)
  const found = async (searchValue: string, who = viewer) =>
    (await foyer.get(vouchers.list, { params, searchValue }, who)).meta.total
  const code = whole?.code ?? ''
  // A viewer could spell it out letter by letter; and of a sealed code only its end is compared, whoever asks.
  for (const hidden of [code.slice(0, 1), code.slice(0, 9), code.slice(2, 8)])
    if (!code.slice(-4).includes(hidden))
      expect([hidden, await found(hidden), await found(hidden, editor)]).toEqual([hidden, 0, 0])
  for (const seen of [code, code.slice(-4), code.slice(-2)]) expect([seen, await found(seen)]).toEqual([seen, 1])
  expectRefused(
    await foyer.ask(vouchers.list, { params }, await foyer.customer()),
    invalid({ 'params.voucher_batch_id': [selectedInvalid('voucher_batch_id')] }),
  )
})

/** The newest mail to an address, as it is handed to the mail server. */
async function leaving(email: string): Promise<string> {
  const [mail] = await foyer.query<{ id: number; customer_id: number }>(
    'select id::float8, customer_id from outbox_mails where recipient_email = $1 order by id desc limit 1',
    [email],
  )
  const caller = callerOfJob(mail?.customer_id ?? 0, 'test')
  const read = await foyer.services.tenancy.enter(caller, 'read', async (scope) => {
    const found = await mails.read(scope, mail?.id ?? 0)
    return found && mails.opened(scope, found)
  })
  return read?.text ?? ''
}

test('a batch is mailed with the codes that can still be used, and the recipient is logged', async () => {
  const property = await foyer.property(editor, { name: 'Harbour Hotel' })
  const { id, batch_number } = await foyer.voucherBatch(editor, { quantity: 4, property_id: property.id })
  const rows = (await foyer.get(vouchers.list, { params: { voucher_batch_id: id } }, editor)).data
  const codes = rows.map(({ code }) => code)
  await use(codes[0] ?? '')
  await foyer.get(vouchers.deactivate, { ids: [rows[1]?.id ?? 0] }, editor)
  const email = 'reception@hotel.example'
  expect((await foyer.get(batches.sendCodes, { id, email }, editor)).data).toEqual({ sent: 2 })
  const kept = await foyer.mailTo(email)
  expect(codes.filter((code) => kept.includes(code))).toEqual([])
  const text = await leaving(email)
  expect(text).toContain('Harbour Hotel')
  expect(text).toContain(batch_number)
  expect(codes.map((code) => text.includes(code))).toEqual([false, false, true, true])
  // While it waits, one is used and one taken back.
  await use(codes[2] ?? '')
  await foyer.get(vouchers.deactivate, { ids: [rows[3]?.id ?? 0] }, editor)
  const later = await leaving(email)
  expect(codes.filter((code) => later.includes(code))).toEqual([])
  expect(later.match(/^(Used by now|Taken back)$/gm)).toEqual(['Used by now', 'Taken back'])
  const lines = (await foyer.get(activity.list, { filters: { action: 'export' } }, editor)).data
  expect(JSON.stringify(lines[0])).toContain(email)
  expectRefused(await foyer.ask(batches.sendCodes, { id, email }, await foyer.viewer(editor)), forbidden())

  const large = await foyer.voucherBatch(editor, { quantity: batches.mailed_max + 1, property_id: property.id })
  const refused = await foyer.ask(batches.sendCodes, { id: large.id, email }, editor)
  expectRefused(refused, invalid({ id: ['More than 200 codes cannot be mailed. Download them as a file instead.'] }))
  expect(refused.text).toContain(
    `More than ${batches.mailed_max} codes cannot be mailed. Download them as a file instead.`,
  )
})

test('a mail with codes says for whom each is good: one guest, or several where it is shared', async () => {
  for (const [devices, good] of [
    [0, 'one guest'],
    [50, 'several guests'],
  ] as const) {
    const { id } = await foyer.voucherBatch(editor, { quantity: 2, devices })
    const email = `${devices}-devices@hotel.example`
    await foyer.get(batches.sendCodes, { id, email }, editor)
    expect(await leaving(email)).toContain(`enter one of these codes; each is good for ${good}.`)
  }
})

test('a guest is mailed the sign-in, at the account’s address or another; without a password there is nothing to send', async () => {
  const guest = { email: 'ana@guests.example', username: 'ana.quay', password: 'k7mp-4xqe' }
  const { id } = await foyer.account(editor, { ...guest, expires_at: '2030-12-05T12:00:00Z' })
  expect((await foyer.get(accounts.sendSignIn, { id }, editor)).data).toEqual({ email: guest.email })
  const text = await foyer.mailTo(guest.email)
  for (const part of [guest.username, guest.password, '5 Dec 2030']) expect(text).toContain(part)
  expect((await foyer.get(accounts.sendSignIn, { id, email: 'B@guests.example' }, editor)).data.email).toBe(
    'b@guests.example',
  )

  const nobody = await foyer.account(editor, { username: 'bram' })
  const refused = await foyer.ask(accounts.sendSignIn, { id: nobody.id, email: guest.email }, editor)
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('no user name and password')])
  const unaddressed = await foyer.ask(accounts.sendSignIn, { id: nobody.id }, editor)
  expectRefused(unaddressed, invalid({ email: [messages.fields.required] }))
  expectRefused(await foyer.ask(accounts.sendSignIn, { id }, await foyer.customer()), notFound())
})
