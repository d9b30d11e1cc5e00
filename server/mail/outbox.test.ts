// Outbox: a mail reaches a real mail server, once it is committed and in spite of a server that was away.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as users from '#contract/users.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

interface Received {
  to: string[]
  text: string
}
const received: Received[] = []
/** Turned away at first, as a busy mail server would. */
let refusals_left = 1

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      if (refusals_left-- > 0) return done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
      received.push({
        to: session.envelope.rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString(),
      })
      done()
    })
  },
})

let foyer: TestFoyer
beforeAll(async () => {
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  foyer = await openFoyer({
    env: { ROLES: 'all', SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Foyer <wifi@foyer.example>' },
  })
})
afterAll(async () => {
  await foyer.close()
  await new Promise((resolve) => smtp.close(() => resolve(undefined)))
})

test('an invitation is sent, tried again when the server was busy, and addressed to nobody else', async () => {
  const editor = await foyer.customer()
  await foyer.get(users.invite, { email: 'desk@hotel.example', name: 'Desk\r\nBcc: spy@example.com' }, editor)
  await expect.poll(() => received.length, { timeout: 120_000 }).toBe(1)
  expect(received[0]?.to).toEqual(['desk@hotel.example'])
  expect(received[0]?.text).toMatch(/^From: Foyer <wifi@foyer\.example>/m)
  expect(received[0]?.text).toMatch(/^Message-ID: <foyer-\d+@foyer\.example>/m)
  expect(received[0]?.text).not.toMatch(/^Bcc:/m)
  await expect.poll(() => foyer.mailTo('desk@hotel.example'), { timeout: 120_000 }).toBe('(sent)')
})
