// Deliveries: what is retried and when, and what happens to deliveries that are given up.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { mailWork, openMailer } from '#server/deliveries/mails.ts'
import { textWork } from '#server/deliveries/texts.ts'
import { Refused } from '#server/errors/refused.ts'
import type { Storage } from '#server/files/storage.ts'
import { draftWork } from '#server/integrations/push.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { openMailServer } from '#test/mail-server.ts'

const busy_for_s = 600
const provider = createServer((request, answer) => {
  request.resume().on('end', () => answer.writeHead(503, { 'retry-after': String(busy_for_s) }).end())
})
const no_such_mailbox = 'nobody@hotel.example'
const rejected_for_now = 'relayed@hotel.example'

let mail_server: Awaited<ReturnType<typeof openMailServer>>
let foyer: TestFoyer
let admin: pg.Client
beforeAll(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo
  mail_server = await openMailServer(
    () => {},
    (address) => {
      const error_text = { [no_such_mailbox]: '5.1.1 No such mailbox', [rejected_for_now]: '5.7.1 We do not relay' }[
        address
      ]
      return error_text === undefined ? undefined : Object.assign(new Error(error_text), { responseCode: 550 })
    },
  )
  foyer = await openFoyer({
    env: {
      ROLES: 'all',
      SMS_URL: `http://127.0.0.1:${port}/send`,
      ALLOWED_HOSTS: `127.0.0.1:${port}`,
      SMTP_URL: mail_server.url,
    },
  })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
  await mail_server.close()
  await new Promise((resolve) => provider.close(resolve))
})

const patiently = { timeout: 60_000 }
const rows = async (query: string, values: unknown[] = []) =>
  (await admin.query<Record<string, unknown>>(query, values)).rows
const mailTo = (address: string) =>
  rows(
    `select attempts, text, failed_at is not null as failed, stop_url from outbox_mails where recipient_email = $1`,
    [address],
  )

test('a provider that asks for a later retry is not called earlier', async () => {
  const editor = await foyer.customer()
  const [country] = await rows(`select id from countries where code = 'GB'`)
  const property_id = (await foyer.property(editor, { send_sms: true, country_id: Number(country?.['id']) })).id
  await foyer.account(editor, {
    property_id,
    username: 'ada',
    password: 'quiet-harbour',
    mobile_number: '07700 900123',
  })
  const tried = `select attempts, last_error from outbox_texts where mobile_number = '+447700900123'`
  await expect
    .poll(() => rows(tried), patiently)
    .toEqual([{ attempts: 1, last_error: 'RetryAfter: SMS_URL answered 503' }])
  const waits = `
    select state, next_at > now() + make_interval(secs => ${busy_for_s - 120}) as waits, last_error from due_work
    where kind = 'text_message'`
  expect(await rows(waits)).toEqual([
    { state: 'waiting', waits: true, last_error: 'The provider of text messages asked us to wait.' },
  ])
})

async function aMail(address: string) {
  const editor = await foyer.customer()
  const customer_id = editor.user.customer.id
  const [mail] = await rows(
    `insert into outbox_mails (customer_id, recipient_email, subject, text, stop_url)
     values ($1, $2, 'Hello', 'A secret', 'https://stop.example') returning id`,
    [customer_id, address],
  )
  return { customer_id, about_id: Number(mail?.['id']) }
}
const away = { smtp_url: 'smtp://127.0.0.1:1', mail_from: 'wifi@foyer.example', outbox_dir: '' }

test.each([
  ['a mail server', mailWork],
  ['a provider of texts', textWork],
  ['an accounting provider', draftWork],
])('%s may be down for three days', (_who, { tries_max, wait_s }) => {
  const day_s = 24 * 3600
  // Chance leaves out up to half of each wait.
  const waits = Array.from({ length: 20 * (tries_max - 1) }, (_, n) => wait_s(1 + Math.floor(n / 20)))
  const days = waits.reduce((sum, wait) => sum + wait, 0) / 20 / day_s
  expect(days).toBeGreaterThan(2.8)
  expect(days).toBeLessThan(3.2)
  expect(Math.max(...waits)).toBeLessThanOrEqual(3600)
})

test('a mail is given up after the last attempt, and its text deleted', async () => {
  const needs = { ...foyer.services, mailer: openMailer(away) }
  const mail = await aMail('away@hotel.example')
  expect(await tryDue(mailWork, needs, { ...mail, tried: mailWork.tries_max - 2 })).toMatchObject({
    as: 'again',
    last_error: 'The mail server could not be reached.',
  })
  expect(await mailTo('away@hotel.example')).toMatchObject([
    { attempts: mailWork.tries_max - 1, failed: false, text: 'A secret' },
  ])
  const due = `select state, tries, next_at > now() + interval '20 minutes' as waits from due_work where about_id = $1`
  expect(await rows(due, [mail.about_id])).toEqual([{ state: 'waiting', tries: mailWork.tries_max - 1, waits: true }])
  expect(await tryDue(mailWork, needs, { ...mail, tried: mailWork.tries_max - 1 })).toMatchObject({ as: 'failed' })
  expect(await mailTo('away@hotel.example')).toEqual([
    { attempts: mailWork.tries_max, failed: true, text: '(not sent)', stop_url: null },
  ])
  expect(await rows(due, [mail.about_id])).toEqual([])
  // Another try finds nothing to do.
  expect(await tryDue(mailWork, needs, mail)).toBe('done')
})

test('a mail that no key opens is tried until it is given up, and is not the mail server’s fault', async () => {
  const needs = { ...foyer.services, mailer: openMailer({ ...away, smtp_url: mail_server.url }) }
  const mail = await aMail('sealed@hotel.example')
  await rows(`update outbox_mails set sealed_text = 'of another key' where id = $1`, [mail.about_id])
  expect(await tryDue(mailWork, needs, { ...mail, tried: 0 })).toMatchObject({
    as: 'again',
    last_error: 'Its text could not be decrypted.',
  })
  expect(await tryDue(mailWork, needs, { ...mail, tried: mailWork.tries_max - 1 })).toMatchObject({ as: 'failed' })
  expect(await mailTo('sealed@hotel.example')).toMatchObject([{ failed: true, text: '(not sent)' }])
})

test('a file that cannot be read is not the mail server’s fault, and the mail server’s is not the file’s', async () => {
  const withFile = async (address: string) => {
    const mail = await aMail(address)
    await rows(
      `with file as (insert into files (customer_id, sha256, name, content_type, byte_size)
         values ($1, sha256('usage'), 'usage.csv', 'text/csv', 5) returning id)
       update outbox_mails set file_id = file.id from file where outbox_mails.id = $2 returning outbox_mails.id`,
      [mail.customer_id, mail.about_id],
    )
    return mail
  }
  const there = { ...foyer.services, mailer: openMailer({ ...away, smtp_url: mail_server.url }) }
  const reads = (read: Storage['read']) => ({ ...there, storage: { ...there.storage, read } })
  const whole = () => Promise.resolve({ byte_size: 5, content: Readable.from([Buffer.from('usage')]) })
  const broken = () => {
    async function* parts() {
      yield await Promise.resolve(Buffer.from('us'))
      throw new Error('cut off')
    }
    return Promise.resolve({ byte_size: 5, content: Readable.from(parts(), { objectMode: false }) })
  }
  const sentences = []
  for (const [address, needs] of Object.entries({
    'away@file.example': reads(() => Promise.reject(new Refused('unavailable', { retry_after_s: 5 }))),
    'gone@file.example': reads(() => Promise.resolve(null)),
    'broken@file.example': reads(broken),
    'whole@file.example': { ...reads(whole), mailer: openMailer(away) },
  }))
    sentences.push(await tryDue(mailWork, needs, await withFile(address)))
  const unread = { as: 'again', last_error: 'The file that goes with it could not be read.' }
  expect(sentences).toMatchObject([
    unread,
    unread,
    unread,
    { as: 'again', last_error: 'The mail server could not be reached.' },
  ])
})

test('a mail with a link is tried until its link ends, however often that is', async () => {
  const lines: unknown[] = []
  const log = { ...foyer.services.log, warn: (fields: unknown) => void lines.push(fields) }
  const needs = { ...foyer.services, log, mailer: openMailer(away) }
  const mail = await aMail('linked@hotel.example')
  const linked = (until: string) =>
    rows(`update outbox_mails set good_until = now() + interval '${until}' where id = $1 returning id`, [mail.about_id])
  await linked('4 days')
  expect(await tryDue(mailWork, needs, { ...mail, tried: 2 * mailWork.tries_max })).toMatchObject({ as: 'again' })
  expect(await mailTo('linked@hotel.example')).toMatchObject([{ failed: false, text: 'A secret' }])
  expect(lines).toEqual([])
  await linked('-1 seconds')
  expect(await tryDue(mailWork, needs, mail)).toBe('done')
  expect(await mailTo('linked@hotel.example')).toMatchObject([{ failed: true, text: '(not sent)' }])
  // Who runs the installation reads of it, without an address.
  expect(lines).toEqual([
    expect.objectContaining({ customer: mail.customer_id, delivery: 'mail', id: mail.about_id, why: 'late' }),
  ])
})

test('a mail to an address that does not exist is not retried, and one that is rejected for another reason is', async () => {
  const needs = { ...foyer.services, mailer: openMailer({ ...away, smtp_url: mail_server.url }) }
  await tryDue(mailWork, needs, await aMail(no_such_mailbox))
  expect(await mailTo(no_such_mailbox)).toMatchObject([{ attempts: 1, failed: true, text: '(not sent)' }])
  expect(await tryDue(mailWork, needs, await aMail(rejected_for_now))).toMatchObject({
    as: 'again',
    last_error: 'The mail server rejected it.',
  })
  expect(await mailTo(rejected_for_now)).toMatchObject([{ failed: false, text: 'A secret' }])
})
