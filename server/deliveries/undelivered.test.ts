// Undelivered: what could not be delivered is listed for the customer's editors, without its text, until it is sent again.
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as auth from '#contract/auth.ts'
import * as dashboard from '#contract/dashboard.ts'
import * as undelivered from '#contract/undelivered.ts'
import * as users from '#contract/users.ts'
import { selectedIdsInvalid } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { mailWork, openMailer } from '#server/deliveries/mails.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMailServer, type TakenMail } from '#test/mail-server.ts'
import { expectRefused } from '#test/refused.ts'

let mail_server: Awaited<ReturnType<typeof openMailServer>>
let foyer: TestFoyer
let admin: pg.Client
const refused = new Set<string>()
const taken: TakenMail[] = []
beforeAll(async () => {
  mail_server = await openMailServer(
    (mail) => void taken.push(mail),
    (address) =>
      refused.has(address) ? Object.assign(new Error('5.1.1 No such mailbox'), { responseCode: 550 }) : undefined,
  )
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
  await mail_server.close()
})

/** Hands the customer's pending mails to the mail server, once each. */
async function handIn(who: Person) {
  const customer_id = who.user.customer.id
  const mailer = openMailer({ smtp_url: mail_server.url, mail_from: 'wifi@foyer.example', outbox_dir: '' })
  const waiting =
    'select id from outbox_mails where customer_id = $1 and sent_at is null and failed_at is null order by id'
  const { rows } = await admin.query<{ id: string }>(waiting, [customer_id])
  for (const { id } of rows)
    await tryDue(mailWork, { ...foyer.services, mailer }, { customer_id, about_id: Number(id) })
}
const listedFor = async (who: Person) => (await foyer.get(undelivered.list, {}, who)).data
async function seenBy(who: Person) {
  await handIn(who)
  return listedFor(who)
}
/** An address that the mail server rejects as unknown. */
function nobody() {
  const email = `${unique('nobody').replaceAll(' ', '.')}@hotel.example`
  refused.add(email)
  return email
}
const invite = (who: Person, email: string) => foyer.get(users.invite, { email, name: 'Ada Lee' }, who)

test('an undelivered invitation is in the list, on the dashboard and at the user, until it is sent again', async () => {
  const editor = await foyer.customer()
  const email = nobody()
  const { data: user } = await invite(editor, email)
  expect(await seenBy(editor)).toHaveLength(1)
  const [row] = await seenBy(editor)
  expect(row).toMatchObject({
    channel: 'mail',
    recipient: email,
    recipient_name: 'Ada Lee',
    kind: 'invitation',
    about_id: user.id,
    why: 'nobody',
    message: 'Nobody has this address or number.',
    attempts: 1,
  })
  // Nothing of its content: neither its text nor its link.
  expect(JSON.stringify(row)).not.toMatch(/token|http|You are invited/)
  const { data: board } = await foyer.get(dashboard.get, {}, editor)
  expect(board.attention).toContainEqual(expect.objectContaining({ kind: 'undelivered', left: 1 }))
  expect((await foyer.get(users.get, { id: user.id }, editor)).data.invitation_undelivered).toBe(true)

  // The mailbox exists by now: the second invitation has a link of its own, and replaces the first one.
  refused.delete(email)
  await invite(editor, email)
  expect(await seenBy(editor)).toEqual([])
  expect((await foyer.get(users.get, { id: user.id }, editor)).data.invitation_undelivered).toBe(false)
  expect(taken.filter(({ to }) => to.includes(email))).toHaveLength(1)
})

test('what is dismissed is gone for everybody, and the log says who did it', async () => {
  const editor = await foyer.customer()
  await invite(editor, nobody())
  await invite(editor, nobody())
  expect(await seenBy(editor)).toHaveLength(2)
  const [newest, oldest] = await seenBy(editor)
  await foyer.get(undelivered.dismiss, { ids: [newest?.id ?? 0] }, editor)
  expect((await seenBy(editor)).map(({ id }) => id)).toEqual([oldest?.id])
  const { data: board } = await foyer.get(dashboard.get, {}, editor)
  expect(board.attention).toContainEqual(expect.objectContaining({ kind: 'undelivered', left: 1 }))
})

test('only the customer’s own editors see it, and only their dashboard mentions it', async () => {
  const editor = await foyer.customer()
  const viewer = await foyer.invited(editor, { user_type_id: 1 })
  const neighbour = await foyer.customer()
  await invite(editor, nobody())
  expect(await seenBy(editor)).toHaveLength(1)
  expectRefused(await foyer.ask(undelivered.list, {}, viewer), forbidden())
  const { data: board } = await foyer.get(dashboard.get, {}, viewer)
  expect(board.attention.filter(({ kind }) => kind === 'undelivered')).toEqual([])
  expect(await seenBy(neighbour)).toEqual([])
  const [row] = await seenBy(editor)
  expectRefused(
    await foyer.ask(undelivered.dismiss, { ids: [row?.id ?? 0] }, neighbour),
    invalid({ ids: [selectedIdsInvalid] }),
  )
})

test('an undelivered sign-in is shown at the account; a property’s editor who sends it again clears it', async () => {
  const editor = await foyer.customer()
  const property = await foyer.property(editor)
  const colleague = await foyer.invited(editor, { user_type_id: 2, owner_type: 'Property', owner_id: property.id })
  const email = nobody()
  const { id } = await foyer.account(editor, {
    property_id: property.id,
    username: 'ada',
    password: 'quiet-harbour',
    email,
  })
  await foyer.get(accounts.sendSignIn, { id }, editor)
  expect(await seenBy(editor)).toHaveLength(1)
  expect((await seenBy(editor))[0]).toMatchObject({ kind: 'guest_sign_in', about_id: id })
  expect((await foyer.get(accounts.get, { id }, colleague)).data.sign_in_undelivered).toBe(true)
  await foyer.get(accounts.sendSignIn, { id, email: 'ada@guest.example' }, colleague)
  expect(await seenBy(editor)).toEqual([])
  expect((await foyer.get(accounts.get, { id }, colleague)).data.sign_in_undelivered).toBe(false)
})

test('an expired link is not sent any more, and is listed as undelivered', async () => {
  const editor = await foyer.customer()
  await foyer.get(auth.forgotPassword, { email: editor.user.email })
  await admin.query(
    `update outbox_mails set good_until = now() - interval '1 second' where recipient_email = $1 and kind = 'password_reset'`,
    [editor.user.email],
  )
  expect(await seenBy(editor)).toMatchObject([{ kind: 'password_reset', why: 'late', recipient: editor.user.email }])
  expect(taken.filter(({ to, text }) => to.includes(editor.user.email) && text.includes('new password'))).toEqual([])
})

test('an entry is deleted with its message', async () => {
  const editor = await foyer.customer()
  const email = nobody()
  await invite(editor, email)
  expect(await seenBy(editor)).toHaveLength(1)
  await admin.query('delete from outbox_mails where recipient_email = $1', [email])
  expect(await seenBy(editor)).toEqual([])
})
