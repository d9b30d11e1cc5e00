// Deliveries: what is retried and when, and what happens to deliveries that are given up.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { deliver } from '#server/deliveries/deliveries.ts'
import { mails, openMailer } from '#server/deliveries/mails.ts'
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
    select round(extract(epoch from start_after - created_on))::integer as wait_s from pgboss.job
    where name = 'text' and state in ('created', 'retry')`
  expect(await rows(waits)).toEqual([{ wait_s: busy_for_s }])
})

/** A mail after a number of attempts, and a job for it. */
async function aMail(address: string, attempts: number) {
  const editor = await foyer.customer()
  const customer_id = editor.user.customer.id
  const [mail] = await rows(
    `insert into outbox_mails (customer_id, recipient_email, subject, text, attempts, stop_url)
     values ($1, $2, 'Hello', 'A secret', $3, 'https://stop.example') returning id`,
    [customer_id, address, attempts],
  )
  return { customer_id, mail_id: Number(mail?.['id']) }
}
const away = { smtp_url: 'smtp://127.0.0.1:1', mail_from: 'wifi@foyer.example', outbox_dir: '' }

test('a mail is given up after the last attempt, and its text deleted', async () => {
  const needs = { ...foyer.services, mailer: openMailer(away) }
  const job = await aMail('away@hotel.example', mails.tries_max - 2)
  await expect(deliver(mails, needs, { ...job, urgent: true })).rejects.toThrow('tried in vain')
  expect(await mailTo('away@hotel.example')).toMatchObject([
    { attempts: mails.tries_max - 1, failed: false, text: 'A secret' },
  ])
  const next = await rows(
    `select data->'urgent' as urgent, priority > 0 as goes_first, start_after > created_on + interval '1 hour' as waits
     from pgboss.job where name = 'mail' and data->>'mail_id' = $1`,
    [String(job.mail_id)],
  )
  expect(next).toEqual([{ urgent: true, goes_first: true, waits: true }])
  await expect(deliver(mails, needs, job)).rejects.toThrow('given up after 13 tries')
  expect(await mailTo('away@hotel.example')).toEqual([
    { attempts: mails.tries_max, failed: true, text: '(not sent)', stop_url: null },
  ])
  // Another job for it finds nothing to do.
  await deliver(mails, needs, job)
})

test('a mail to an address that does not exist is not retried, and one that is rejected for another reason is', async () => {
  const needs = { ...foyer.services, mailer: openMailer({ ...away, smtp_url: mail_server.url }) }
  await deliver(mails, needs, await aMail(no_such_mailbox, 0))
  expect(await mailTo(no_such_mailbox)).toMatchObject([{ attempts: 1, failed: true, text: '(not sent)' }])
  await expect(deliver(mails, needs, await aMail(rejected_for_now, 0))).rejects.toThrow('tried in vain')
  expect(await mailTo(rejected_for_now)).toMatchObject([{ failed: false, text: 'A secret' }])
})
