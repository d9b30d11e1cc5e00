// SMS outbox: a text message reaches a real URL as the settings say, and never more often than allowed.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import * as stays from '#contract/stays.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { queueText } from '#server/deliveries/texts.ts'
import { invalid } from '#server/errors/refused.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused } from '#test/refused.ts'

interface Received {
  to: string
  text: string
  authorization: string | undefined
  key: unknown
}
const received: Received[] = []
const refused_number = '+447700900404'
/** The first ones are refused, as by a busy provider. */
let refusals_left = 1

const provider = createServer((request, answer) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString()) as { to: string; text: string }
    if (message.to === refused_number) return answer.writeHead(422).end()
    if (refusals_left-- > 0) return answer.writeHead(503).end()
    const { authorization, 'idempotency-key': key } = request.headers
    received.push({ ...message, authorization, key })
    return answer.writeHead(202).end()
  })
})

let foyer: TestFoyer
beforeAll(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo
  foyer = await openFoyer({
    env: {
      ROLES: 'all',
      SMS_URL: `http://127.0.0.1:${port}/send`,
      SMS_TOKEN: 'a token',
      ALLOWED_HOSTS: `127.0.0.1:${port}`,
      QUOTA_TEXTS: '9',
    },
  })
})
afterAll(async () => {
  await foyer.close()
  await new Promise((resolve) => provider.close(resolve))
})

const textsTo = (number: string) => received.filter(({ to }) => to === number)
const british = async (editor: Person, send_sms = true) => {
  const admin = await connect(foyer.database.adminUrl)
  const { rows } = await admin.query<{ id: number }>(`select id from countries where code = 'GB'`)
  await admin.end()
  return (await foyer.property(editor, { send_sms, country_id: rows[0]?.id ?? 0 })).id
}

test('a new guest gets the sign-in by text message where the property texts its guests', async () => {
  const editor = await foyer.customer()
  const guest = { password: 'quiet-harbour' }
  const silent = await british(editor, false)
  await foyer.account(editor, { ...guest, username: 'bob', property_id: silent, mobile_number: '07700 900111' })
  const property_id = await british(editor)
  await foyer.account(editor, { ...guest, username: 'ada', property_id, mobile_number: '07700 900 123' })
  await expect.poll(() => textsTo('+447700900123'), { timeout: 120_000 }).toHaveLength(1)
  expect(textsTo('+447700900123')[0]).toEqual({
    to: '+447700900123',
    text: expect.stringMatching(/^Wi-Fi at .+\. User name: ada Password: quiet-harbour$/),
    authorization: 'Bearer a token',
    key: expect.stringMatching(/^foyer-text-\d+$/),
  })
  expect(textsTo('+447700900111')).toEqual([])
  // The text of a sent message is deleted.
  const admin = await connect(foyer.database.adminUrl)
  const textOf = async () =>
    (await admin.query<{ text: string }>(`select text from outbox_texts where mobile_number = '+447700900123'`)).rows
  await expect.poll(textOf, { timeout: 120_000 }).toEqual([{ text: '(sent)' }])
  await admin.end()
})

test('an invalid number is refused on its field, and one that the provider refuses is not retried', async () => {
  const editor = await foyer.customer()
  const property_id = await british(editor)
  const values = { name: 'Eve', username: 'eve', password: 'word', property_id }
  const none = await foyer.ask(accounts.create, { ...values, mobile_number: '1 - 2 - 3' }, editor)
  expectRefused(
    none,
    invalid({ mobile_number: ['The sign-in cannot be texted to this number. Please check it, or leave it out.'] }),
  )
  expect(none.text).toContain('cannot be texted to this number')
  await foyer.account(editor, { ...values, mobile_number: refused_number })
  const admin = await connect(foyer.database.adminUrl)
  const sent = async () =>
    (
      await admin.query<object>(
        'select attempts, failed_at is not null as failed, text, last_error from outbox_texts where mobile_number = $1',
        [refused_number],
      )
    ).rows
  await expect
    .poll(sent, { timeout: 120_000 })
    .toEqual([{ attempts: 1, failed: true, text: '(not sent)', last_error: 'Rejected: SMS_URL answered 422' }])
  await admin.end()
})

test('an import texts its new guests if asked, five to one number, and what is beyond the day’s quota waits its turn', async () => {
  const editor = await foyer.customer()
  const property_id = await british(editor)
  const rows = (count: number, word: string, number = '200') =>
    aFile(
      'guests.csv',
      [
        'name,mobile_number,username,password',
        ...Array.from({ length: count }, (_, n) => `${word} ${n},+44 7700 900${number},${word}${n},word`),
      ].join('\n'),
    )
  await foyer.get(imports.accounts, { AccountImport: rows(6, 'calm'), property_id }, editor)
  await foyer.get(imports.accounts, { AccountImport: rows(6, 'loud'), property_id, text_sign_ins: true }, editor)
  await expect.poll(() => textsTo('+447700900200'), { timeout: 120_000 }).toHaveLength(5)
  expect(textsTo('+447700900200').every(({ text }) => text.includes('loud'))).toBe(true)
  // The sixth is counted tomorrow, so that three of these five are today's: lists leave a fifth of the nine to guests who wait for a code.
  const more = { AccountImport: rows(5, 'more', '201'), property_id, text_sign_ins: true }
  await foyer.get(imports.accounts, more, editor)
  await expect.poll(() => textsTo('+447700900201'), { timeout: 120_000 }).toHaveLength(3)

  const customer_id = editor.user.customer.id
  const waiting = `select m.id, extract(epoch from d.next_at - now())::integer as wait_s from outbox_texts as m
    join due_work as d on d.kind = 'text_message' and d.state = 'waiting' and d.about_id = m.id
    where m.customer_id = $1 and not m.counted and m.mobile_number = '+447700900201' and d.next_at > now() + interval '1 second'`
  const itsTurn = (text_ids: number[]) =>
    foyer.query(
      `update due_work set next_at = now() where kind = 'text_message' and state = 'waiting' and about_id = any ($1)`,
      [text_ids],
    )
  const left = await foyer.query<{ id: number; wait_s: number }>(waiting, [customer_id])
  const ids = left.map(({ id }) => id)
  const [midnight] = await foyer.query<{ wait_s: number }>(
    `select extract(epoch from until - now())::integer as wait_s from used_quotas where customer_id = $1 and quota = 'texts'`,
    [customer_id],
  )
  expect(ids).toHaveLength(2)
  for (const { wait_s } of left) expect(Math.abs(wait_s - (midnight?.wait_s ?? 0))).toBeLessThan(30)

  // It is counted when it goes: while the day is not over, it waits on.
  await itsTurn(ids)
  await expect.poll(() => foyer.query(waiting, [customer_id]), { timeout: 120_000 }).toHaveLength(2)
  expect(textsTo('+447700900201')).toHaveLength(3)
  await foyer.query(`update used_quotas set until = now() where customer_id = $1`, [customer_id])
  await itsTurn(ids)
  await expect.poll(() => textsTo('+447700900201'), { timeout: 120_000 }).toHaveLength(5)
})

test('however much waits of lists, guests are sent their codes', async () => {
  const editor = await foyer.customer()
  const property_id = await british(editor)
  const { queue, tenancy } = foyer.services
  const rows = Array.from({ length: 20 }, (_, n) => `Guest ${n},+44 7700 9003${n + 10},guest${n},word`)
  const AccountImport = aFile('guests.csv', ['name,mobile_number,username,password', ...rows].join('\n'))
  await foyer.get(imports.accounts, { AccountImport, property_id, text_sign_ins: true }, editor)
  await tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', (scope) =>
    queueText(
      scope,
      queue,
      { kind: 'guest_code', mobile_number: '+447700900399', text: 'Your code is 123456.' },
      { property_id, mac_address: aMacAddress(), good_for_s: 600 },
    ),
  )
  await expect.poll(() => textsTo('+447700900399'), { timeout: 120_000 }).toHaveLength(1)
})

test('a press counts to a person, and is refused where their day is used up, or that of the number', async () => {
  const editor = await foyer.customer()
  const property_id = await british(editor)
  const desk = await foyer.invited(editor, { user_type_id: 3 })
  const colleague = await foyer.invited(editor, { user_type_id: 3 })
  const room = await foyer.room(editor, { property_id })
  const { stay_id } = await foyer.roomGuest(editor, { room_id: room.id })
  const slip = (who: Person, mobile_number = '07700 900500') =>
    foyer.ask(stays.slip, { id: stay_id ?? 0, by: 'sms', mobile_number }, who)
  const used = async (quota: string, many: number) =>
    foyer.query(
      `insert into used_quotas (customer_id, quota, used, until) values ($1, $2, $3, now() + interval '1 hour')
       on conflict (customer_id, quota) do update set used = $3`,
      [editor.user.customer.id, quota, many],
    )
  expect((await slip(desk)).status).toBe(200)
  await used(`texts of user:${desk.user.id}`, 100)
  const refused = await slip(desk)
  expect([refused.status, refused.text]).toEqual([
    429,
    expect.stringContaining('You have sent 100 text messages today. Try again in'),
  ])
  expect((await slip(colleague)).status).toBe(200)
  await used('texts to +447700900500', 5)
  expect((await slip(colleague)).text).toContain('This number has been sent 5 text messages today.')
  await used('texts', 9)
  expect((await slip(colleague, '07700 900501')).text).toContain('Your company can send 9 text messages a day.')
})
