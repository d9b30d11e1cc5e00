// Limits of mails: too many requests are refused with a sentence, and too many mails of a guest list are sent later.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import * as auth from '#contract/auth.ts'
import * as users from '#contract/users.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused, expectRefusedBut, tooMuchOf } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

async function rows<R extends object>(text: string, values: unknown[]) {
  const admin = await connect(foyer.database.adminUrl)
  try {
    return (await admin.query<R>(text, values)).rows
  } finally {
    await admin.end()
  }
}
const aGuest = (editor: Person) =>
  foyer.account(editor, { username: 'u', password: 'p', email: 'first@limits.example' })

test('one address gets ten mails an hour from one customer, whichever of its users asks', async () => {
  const editor = await foyer.customer()
  const { id } = await aGuest(editor)
  const send = (who: Person, email: string) => foyer.ask(accounts.sendSignIn, { id, email }, who)
  const colleague = await foyer.invited(editor)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => send(index % 2 ? editor : colleague, 'One@limits.example')),
  )
  const full = tooMuchOf(
    /^one(\+[\d+]+)?@limits\.example has been sent 10 mails within an hour\. Try again in (60|59) minutes\.$/i,
  )
  expectRefusedBut(10, answers, full)
  const refused = await send(editor, 'one@limits.example')
  expectRefused(refused, full)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
  // Invitations count with them.
  expectRefused(await foyer.ask(users.invite, { email: 'one@limits.example', name: 'One' }, editor), full)
  // Other addresses of the same mailbox.
  for (const email of ['one+1@limits.example', 'one+2+3@limits.example']) expectRefused(await send(editor, email), full)
  expect((await send(editor, 'two@limits.example')).status).toBe(200)
  const other = await foyer.customer()
  const guest = await aGuest(other)
  const ask = { id: guest.id, email: 'one@limits.example' }
  expect((await foyer.ask(accounts.sendSignIn, ask, other)).status).toBe(200)
})

test('one person asks for a hundred mails an hour; a colleague goes on', async () => {
  const editor = await foyer.customer()
  const colleague = await foyer.invited(editor)
  const { id } = await aGuest(editor)
  const send = (who: Person, index: number) =>
    foyer.ask(accounts.sendSignIn, { id, email: `guest-${index % 20}@limits.example` }, who)
  const statuses = []
  // One invitation has been sent already.
  for (let sent = 1; sent < 100; sent++) statuses.push((await send(editor, sent)).status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const refused = await send(editor, 100)
  expectRefused(refused, tooMuchOf(/^You can send 100 mails an hour\. Try again in \d\d minutes\.$/))
  expect((await send(colleague, 100)).status).toBe(200)
})

test('of a guest list with one address for all, ten are mailed at once and ten more in each hour that follows', async () => {
  const editor = await foyer.customer()
  const property_id = (await foyer.property(editor)).id
  const lines = Array.from({ length: 25 }, (_, index) => `Guest ${index},desk@limits.example,g${index},word`)
  const AccountImport = aFile('guests.csv', ['name,email,username,password', ...lines].join('\n'))
  await foyer.get(imports.accounts, { AccountImport, property_id, mail_sign_ins: true }, editor)
  const hours = await rows<{ hour: number; mails: number }>(
    `select ceil(extract(epoch from d.next_at - m.created_at) / 3600)::integer as hour, count(*)::integer as mails
     from outbox_mails as m join due_work as d on d.kind = 'mail' and d.about_id = m.id
     where m.customer_id = $1 and m.recipient_email = 'desk@limits.example' group by 1 order by 1`,
    [editor.user.customer.id],
  )
  expect(hours.map(({ mails }) => mails)).toEqual([10, 10, 5])
  expect(hours.map(({ hour }) => hour - (hours[0]?.hour ?? 0))).toEqual([0, 1, 2])
})

test('requests to reset somebody’s password cannot fill their mailbox, and the newest link stays valid', async () => {
  const { user } = await foyer.customer()
  for (let asked = 0; asked < 8; asked++) {
    const { statusCode } = await foyer.app.inject({
      method: 'POST',
      url: '/api/v1/auth/forgot-password',
      payload: { email: user.email },
      remoteAddress: `192.0.2.${asked}`,
    })
    expect(statusCode).toBe(200)
  }
  const [sent] = await rows<{ mails: number }>(
    `select count(*)::integer as mails from outbox_mails where recipient_email = $1 and subject like 'Set a new%'`,
    [user.email],
  )
  expect(sent?.mails).toBe(5)
  const token = foyer.tokenIn(await foyer.mailTo(user.email))
  const reset = await foyer.ask(auth.resetPassword, { token, password: 'quite another long password' }, null)
  expect(reset.status).toBe(200)
})
