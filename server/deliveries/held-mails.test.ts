// Held mails: a customer that was created by signing up sends mails to nobody else until somebody has confirmed their address.
// A real mail server receives what is sent.
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmAddress, sendConfirmation } from '#contract/address-confirmation.ts'
import * as auth from '#contract/auth.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import * as users from '#contract/users.ts'
import { refusals } from '#contract/errors.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { forgetHeldMails, hold } from '#server/deliveries/held-mails.ts'
import { linkUsedUp } from '#server/resources/auth/address-confirmation.ts'
import { entered, openFoyer, password, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMailServer, type TakenMail } from '#test/mail-server.ts'
import { expectRefused } from '#test/refused.ts'

const received: TakenMail[] = []
let mail_server: Awaited<ReturnType<typeof openMailServer>>
let foyer: TestFoyer
let admin: pg.Client
beforeAll(async () => {
  mail_server = await openMailServer((mail) => void received.push(mail))
  foyer = await openFoyer({
    env: { ROLES: 'all', SMTP_URL: mail_server.url, MAIL_FROM: 'Foyer <wifi@foyer.example>' },
  })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
  await mail_server.close()
})

const patiently = { timeout: 60_000 }
let serial = 0
const anAddress = () => `recipient${++serial}@held.example`
const waits = async (who: Person) => (await foyer.get(auth.me, {}, who)).data.mails_wait
const invite = (who: Person, email: string) =>
  foyer.get(users.invite, { name: 'A Recipient', email, user_type_id: 1 }, who)

const mailsTo = (address: string) => received.filter(({ to }) => to.includes(address))
async function isSent(address: string) {
  await expect.poll(() => mailsTo(address), patiently).toHaveLength(1)
}
async function isHeld(address: string) {
  const held = 'select from outbox_mails where recipient_email = $1 and held_at is not null'
  await expect.poll(async () => (await admin.query(held, [address])).rowCount, patiently).toBe(1)
}

/** Long lines of a mail are folded (quoted-printable). */
const unfolded = (text: string) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
/** The tokens of links that confirm an address, in the order in which they arrived. */
const tokensFor = (address: string) =>
  mailsTo(address).flatMap(({ text }) => {
    const [, token] = /confirm-address\?token=([\w-]+)/.exec(unfolded(text)) ?? []
    return token ?? []
  })
async function tokensOf({ user }: Person, many = 1) {
  await expect.poll(() => tokensFor(user.email), patiently).toHaveLength(many)
  return tokensFor(user.email)
}
const confirm = (token = '') => foyer.ask(confirmAddress, { token, password }, null)

test('mails to others wait for the confirmed address, and mails to oneself do not', async () => {
  const owner = await foyer.signedUp()
  const [colleague, guest] = [anAddress(), anAddress()]
  expect(await waits(owner)).toBe(true)
  await invite(owner, colleague)
  const property_id = (await foyer.property(owner, { send_email: true })).id
  await foyer.account(owner, { property_id, username: 'ada', password: 'quiet-harbour', email: guest })
  const own = { property_id, username: 'own', password: 'quiet-harbour', email: owner.user.email }
  await foyer.account(owner, own)
  const [token] = await tokensOf(owner)
  await expect
    .poll(() => mailsTo(owner.user.email).some(({ text }) => text.includes('User name: own')), patiently)
    .toBe(true)
  await isHeld(colleague)
  await isHeld(guest)

  // Mails of another customer are sent.
  const other = anAddress()
  await invite(await foyer.customer(), other)
  await isSent(other)
  expect([...mailsTo(colleague), ...mailsTo(guest)]).toEqual([])

  expect((await confirm(token)).status).toBe(200)
  expect(await waits(owner)).toBe(false)
  await isSent(colleague)
  await isSent(guest)
  // The link is used twice.
  expect((await confirm(token)).status).toBe(200)
  const later = anAddress()
  await invite(owner, later)
  await isSent(later)
  expect(await foyer.get(sendConfirmation, {}, owner)).toEqual({ data: {} })
  expect([mailsTo(colleague).length, mailsTo(guest).length, tokensFor(owner.user.email).length]).toEqual([1, 1, 1])
})

test('of several links the newest works, and five are sent in an hour', async () => {
  const owner = await foyer.signedUp()
  // One after the other, since mails sent at the same time arrive in any order.
  for (let sent = 1; sent <= 5; sent++) {
    await tokensOf(owner, sent)
    await foyer.get(sendConfirmation, {}, owner)
  }
  const refused = await foyer.ask(sendConfirmation, {}, owner)
  expectRefused(refused, refusals.tooMany)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const tokens = await tokensOf(owner, 6)
  const [newest, ...older] = tokens.toReversed()
  for (const token of [...older, 'x'.repeat(43)]) expectRefused(await confirm(token), linkUsedUp())
  expect((await confirm(newest)).status).toBe(200)
  expect(await waits(owner)).toBe(false)
})

test('an expired link no longer works', async () => {
  const owner = await foyer.signedUp()
  const [token] = await tokensOf(owner)
  await admin.query(
    `update address_confirmations set expires_at = now() - interval '1 second'
     where login_id = (select id from logins where email = $1)`,
    [owner.user.email],
  )
  expectRefused(await confirm(token), linkUsedUp())
  expect(await waits(owner)).toBe(true)
})

/** A schedule, and what became of it. */
async function aSchedule(who: Person) {
  const weekly = { name: unique('Usage'), frequency: 3, start_date: '2027-01-04', recipients: [anAddress()] }
  const { id } = (await foyer.get(scheduled.create, weekly, who)).data
  return async (now: Person) => (await foyer.get(reports.get, { id }, now)).data.status
}

test('a link for a forgotten password or an invitation proves the address, and nothing of the sign-up goes on in its name', async () => {
  const [forgetful, invited] = [await foyer.signedUp(), await foyer.signedUp()]
  const schedules = [await aSchedule(forgetful), await aSchedule(invited)]
  const [ofForgetful, ofInvited] = [anAddress(), anAddress()]
  await invite(forgetful, ofForgetful)
  await invite(invited, ofInvited)
  await isHeld(ofForgetful)
  await isHeld(ofInvited)

  await foyer.get(auth.forgotPassword, { email: forgetful.user.email }, null)
  const linkIn = (address: string, word: string) =>
    mailsTo(address)
      .map(({ text }) => unfolded(text))
      .find((text) => text.includes(word)) ?? ''
  await expect.poll(() => linkIn(forgetful.user.email, 'reset-password?token='), patiently).not.toBe('')
  const token = foyer.tokenIn(linkIn(forgetful.user.email, 'reset-password?token='))
  await foyer.get(auth.resetPassword, { token, password }, null)

  await foyer.get(users.invite, { name: 'Known', email: invited.user.email, user_type_id: 1 }, await foyer.customer())
  await expect.poll(() => linkIn(invited.user.email, 'invite=1'), patiently).not.toBe('')
  const invitation = foyer.tokenIn(linkIn(invited.user.email, 'invite=1'))
  const accepted = foyer.signedIn((await foyer.get(auth.acceptInvitation, { token: invitation, password }, null)).data)
  // Sessions from before the address was proven have ended.
  const owners = [
    foyer.signedIn((await foyer.get(auth.login, { email: forgetful.user.email, password }, null)).data),
    foyer.signedIn((await foyer.get(auth.switchUser, { user_id: invited.user.id }, accepted)).data),
  ]
  const written = () =>
    foyer.query(`select from outbox_mails where recipient_email = any($1)`, [[ofForgetful, ofInvited]])
  expect(await written()).toEqual([])
  for (const [index, owner] of owners.entries()) {
    expect(await waits(owner)).toBe(true)
    const people = (await foyer.get(users.list, {}, owner)).data.filter(({ id }) => id !== owner.user.id)
    expect(people.map(({ active }) => active)).toEqual([false])
    expect(await schedules[index]?.(owner)).toBe('disabled')
    // The owner is asked in the app, and says by the link that the sign-up is theirs.
    await foyer.get(sendConfirmation, {}, owner)
    const link = (await tokensOf(owner, 2)).at(-1) ?? ''
    expect((await foyer.ask(confirmAddress, { token: link }, owner)).status).toBe(200)
    expect(await waits(owner)).toBe(false)
    const later = anAddress()
    await invite(owner, later)
    await isSent(later)
  }
  expect([...mailsTo(ofForgetful), ...mailsTo(ofInvited)]).toEqual([])
})

test('a further customer of a confirmed address need not wait; one of an unconfirmed address gets no second link', async () => {
  const further = async ({ user }: Person) => {
    const company = { company_name: unique('Further'), name: user.name, email: user.email, password }
    return entered((await foyer.get(auth.signup, company)).data).user.mails_wait
  }
  const confirmed = await foyer.customer()
  expect(await further(confirmed)).toBe(false)
  const unconfirmed = await foyer.signedUp()
  expect(await further(unconfirmed)).toBe(true)
  const [token] = await tokensOf(unconfirmed)
  expect((await confirm(token)).status).toBe(200)
  const { data } = await foyer.get(auth.me, {}, unconfirmed)
  expect([data, ...data.users].map((user) => user.mails_wait)).toEqual([false, false])
})

test('a mail that is being held while the address is confirmed is not lost', async () => {
  const owner = await foyer.signedUp()
  const [token] = await tokensOf(owner)
  const address = anAddress()
  await invite(owner, address)
  await isHeld(address)
  const { rows } = await admin.query<{ id: number }>('select id from outbox_mails where recipient_email = $1', [
    address,
  ])
  await admin.query('update outbox_mails set held_at = null where recipient_email = $1', [address])
  const caller = callerOfJob(owner.user.customer.id, 'mail')
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const confirmed = begun.then(() => confirm(token))
  await foyer.services.tenancy.enter(caller, 'write', async (scope) => {
    expect(await hold(scope, rows[0]?.id ?? 0, address)).toBe(true)
    begin()
    await expect.poll(waitingForLocks, patiently).toBeGreaterThan(0)
  })
  expect((await confirmed).status).toBe(200)
  await isSent(address)
})
const waitingForLocks = async () => {
  const { rows } = await admin.query<{ waiting: number }>(
    `select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.waiting
}

test('of many held mails for one address ten are sent at once, and the others in the following hours', async () => {
  const owner = await foyer.signedUp()
  const [token] = await tokensOf(owner)
  const address = anAddress()
  await admin.query(
    `insert into outbox_mails (customer_id, recipient_email, subject, text, held_at)
     select $1, $2, 'A mail', 'that waits', now() from generate_series(1, 25)`,
    [owner.user.customer.id, address],
  )
  expect((await confirm(token)).status).toBe(200)
  const { rows } = await admin.query<{ hours: number; mails: number }>(
    `select round(extract(epoch from next_at - created_at) / 3600)::integer as hours, count(*)::integer as mails
     from due_work where kind = 'mail' and about_id in (select id from outbox_mails where recipient_email = $1)
     group by 1 order by 1`,
    [address],
  )
  expect(rows).toEqual([
    { hours: 0, mails: 10 },
    { hours: 1, mails: 10 },
    { hours: 2, mails: 5 },
  ])
})

test('mails held for more than a week are deleted', async () => {
  const owner = await foyer.signedUp()
  const [old, young] = [anAddress(), anAddress()]
  await invite(owner, old)
  await invite(owner, young)
  await isHeld(old)
  await isHeld(young)
  await admin.query(`update outbox_mails set held_at = now() - interval '7 days 1 minute' where recipient_email = $1`, [
    old,
  ])
  await forgetHeldMails(foyer.services.tenancy)
  expect([await foyer.mailTo(old), await foyer.mailTo(young)]).toEqual(['', expect.stringContaining('invited you')])
})

test('the first user of an installation need not confirm their address', async () => {
  const first = await openFoyer({ env: { SIGNUP: 'first' } })
  try {
    const owner = await first.signedUp()
    expect(owner.user.mails_wait).toBe(false)
    expect(await first.mailTo(owner.user.email)).toBe('')
  } finally {
    await first.close()
  }
})
