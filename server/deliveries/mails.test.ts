// Outbox: a mail reaches a real mail server, once it is committed and even if the server was unavailable at first.
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import * as auth from '#contract/auth.ts'
import * as users from '#contract/users.ts'
import { openMailer } from '#server/deliveries/mails.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { openMailServer, type TakenMail } from '#test/mail-server.ts'
import { aFile } from '#test/uploads.ts'

const received: TakenMail[] = []
/** The first ones are refused, as by a busy mail server. */
let refusals_left = 1
/** No mail is accepted before this resolves. */
let taking: Promise<unknown> = Promise.resolve()

let mail_server: Awaited<ReturnType<typeof openMailServer>>
let foyer: TestFoyer
beforeAll(async () => {
  mail_server = await openMailServer(async (mail) => {
    await taking
    if (refusals_left-- > 0) throw Object.assign(new Error('Try again later'), { responseCode: 451 })
    received.push(mail)
  })
  foyer = await openFoyer({
    env: { ROLES: 'all', SMTP_URL: mail_server.url, MAIL_FROM: 'Foyer <wifi@foyer.example>' },
  })
})
afterAll(async () => {
  await foyer.close()
  await mail_server.close()
})

const mailsTo = (address: string) => received.filter(({ to }) => to.includes(address)).map(({ text }) => text)

test('a new guest gets the sign-in by mail where the property mails its guests, and else does not', async () => {
  const editor = await foyer.customer()
  const guest = { username: 'ada', password: 'quiet-harbour' }
  const silent = (await foyer.property(editor)).id
  const mailing = (await foyer.property(editor, { send_email: true })).id
  await foyer.account(editor, { ...guest, property_id: silent, email: 'silent@guest.example' })
  await foyer.account(editor, {
    ...guest,
    property_id: mailing,
    username: 'bob',
    password: null,
    email: 'none@guest.example',
  })
  await foyer.account(editor, {
    ...guest,
    property_id: mailing,
    username: 'cid',
    draft: true,
    email: 'draft@guest.example',
  })
  await foyer.account(editor, { ...guest, property_id: mailing, email: 'ada@guest.example' })
  await expect.poll(() => mailsTo('ada@guest.example'), { timeout: 120_000 }).toHaveLength(1)
  expect(mailsTo('ada@guest.example')[0]).toMatch(/User name: ada\r?\nPassword: {2}quiet-harbour/)
  // Only plain text: a name can be nothing but text.
  expect(mailsTo('ada@guest.example')[0]).toMatch(/^Content-Type: text\/plain/im)
  expect(mailsTo('ada@guest.example')[0]).not.toMatch(/multipart|text\/html/i)
  // The text of a sent mail is deleted, and nobody else got one.
  await expect.poll(() => foyer.mailTo('ada@guest.example'), { timeout: 120_000 }).toBe('(sent)')
  for (const name of ['silent', 'none', 'draft']) expect(await foyer.mailTo(`${name}@guest.example`)).toBe('')
})

test('a guest whose account is completed, enabled or activated later gets the sign-in then, and once', async () => {
  const editor = await foyer.customer()
  const property_id = (await foyer.property(editor, { send_email: true })).id
  const anAccount = (name: string, values: object) =>
    foyer.account(editor, {
      property_id,
      username: name,
      password: 'quiet-harbour',
      email: `${name}@late.example`,
      ...values,
    })
  const [draft, disabled, bare] = [
    await anAccount('draft', { draft: true }),
    await anAccount('disabled', { active: false }),
    await anAccount('bare', { password: null }),
  ]
  for (const name of ['draft', 'disabled', 'bare']) expect(await foyer.mailTo(`${name}@late.example`)).toBe('')
  await foyer.get(accounts.update, { id: draft.id, draft: false }, editor)
  await foyer.get(accounts.activate, { id: disabled.id }, editor)
  // Who may set a password and not read it tells it to the guest all the same.
  const desk = await foyer.invited(editor, { user_type_id: 3 })
  await foyer.get(accounts.update, { id: bare.id, password: 'given-later' }, desk)
  for (const [name, password] of [
    ['draft', 'quiet-harbour'],
    ['disabled', 'quiet-harbour'],
    ['bare', 'given-later'],
  ] as const) {
    await expect.poll(() => mailsTo(`${name}@late.example`), { timeout: 120_000 }).toHaveLength(1)
    expect(mailsTo(`${name}@late.example`)[0]).toMatch(new RegExp(`User name: ${name}\\r?\\nPassword: {2}${password}`))
  }
  const written = () => foyer.query(`select from outbox_mails where recipient_email like '%@late.example'`, [])
  expect(await written()).toHaveLength(3)
  await foyer.get(accounts.update, { id: bare.id, password: 'another-one' }, editor)
  await foyer.get(accounts.deactivate, { ids: [draft.id, disabled.id] }, editor)
  for (const { id } of [draft, disabled]) await foyer.get(accounts.activate, { id }, editor)
  expect(await written()).toHaveLength(3)
})

test('an import mails only if asked, and only the new guests who can sign in', async () => {
  const editor = await foyer.customer()
  const property_id = (await foyer.property(editor, { send_email: true })).id
  await foyer.account(editor, { property_id, name: 'Old', email: 'old@import.example' })
  const file = aFile(
    'guests.csv',
    [
      'name,email,username,password,active',
      'New,new@import.example,new,word-1,',
      'Off,off@import.example,off,word-2,no',
      'Old,old@import.example,old,word-3,',
      'Nameless,nameless@import.example,,word-4,',
    ].join('\n'),
  )
  const bring = (more: object) => foyer.get(imports.accounts, { AccountImport: file, property_id, ...more }, editor)
  await bring({ dry_run: true, mail_sign_ins: true })
  expect(await foyer.mailTo('new@import.example')).toBe('')
  await bring({ mail_sign_ins: true })
  await expect.poll(() => mailsTo('new@import.example'), { timeout: 120_000 }).toHaveLength(1)
  expect(mailsTo('new@import.example')[0]).toMatch(/User name: new\r?\nPassword: {2}word-1/)
  for (const name of ['off', 'old', 'nameless']) expect(await foyer.mailTo(`${name}@import.example`)).toBe('')
  const again = aFile('guests.csv', 'name,email,username,password\nNext,next@import.example,next,word-5')
  await bring({ AccountImport: again })
  expect(await foyer.mailTo('next@import.example')).toBe('')
})

test('an invitation is sent, tried again when the server was busy, and addressed to nobody else', async () => {
  const editor = await foyer.customer()
  await foyer.get(users.invite, { email: 'desk@hotel.example', name: 'Desk\r\nBcc: spy@example.com' }, editor)
  await expect.poll(() => mailsTo('desk@hotel.example'), { timeout: 120_000 }).toHaveLength(1)
  expect(received.map(({ to }) => to).filter((to) => to.includes('desk@hotel.example'))).toEqual([
    ['desk@hotel.example'],
  ])
  const [text] = mailsTo('desk@hotel.example')
  expect(text).toMatch(/^From: Foyer <wifi@foyer\.example>/m)
  expect(text).toMatch(/^Message-ID: <foyer-\d+@foyer\.example>/m)
  expect(text).not.toMatch(/^Bcc:/m)
  await expect.poll(() => foyer.mailTo('desk@hotel.example'), { timeout: 120_000 }).toBe('(sent)')
})

test('a link for a new password does not wait for the many mails of somebody else, and neither does an invitation', async () => {
  const [editor, other] = [await foyer.customer(), await foyer.customer()]
  const property_id = (await foyer.property(editor)).id
  const lines = Array.from({ length: 120 }, (_, index) => `Guest ${index},${index}@crowd.example,crowd${index},word`)
  const AccountImport = aFile('guests.csv', ['name,email,username,password', ...lines].join('\n'))
  const { promise, resolve: take } = Promise.withResolvers<void>()
  taking = promise
  await foyer.get(imports.accounts, { AccountImport, property_id, mail_sign_ins: true }, editor)
  await foyer.get(users.invite, { email: 'colleague@other.example', name: 'Ida' }, other)
  await foyer.get(auth.forgotPassword, { email: other.user.email })
  await expect.poll(() => foyer.mailTo(other.user.email), { timeout: 120_000 }).toContain('reset-password')
  const before = received.length
  take()
  const turnOf = (address: string) => received.slice(before).findIndex(({ to }) => to.includes(address))
  for (const [address, turns] of [
    [other.user.email, 4],
    ['colleague@other.example', 8],
  ] as const) {
    await expect.poll(() => turnOf(address), { timeout: 120_000 }).toBeGreaterThanOrEqual(0)
    expect(turnOf(address)).toBeLessThan(turns)
  }
})

test('a mail server that goes silent is given up, so that the mails behind are sent', async () => {
  const silent = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 mail.example ESMTP\r\n')
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const mailer = openMailer({
    smtp_url: `smtp://127.0.0.1:${port}`,
    mail_from: 'wifi@foyer.example',
    outbox_dir: '',
    silence_max_s: 1,
  })
  const to = { recipient_name: 'Ada', recipient_email: 'ada@guest.example' }
  const mail = { ...to, id: 1, kind: 'other', subject: 'Hello', text: 'Hello' } as const
  try {
    await expect(mailer.deliver(mail)).rejects.toThrow(/timeout/i)
  } finally {
    silent.close()
  }
})
