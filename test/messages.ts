// Messages under test: a real mail server and a real provider of text messages, and what they took.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

interface Taken {
  to: string
  text: string
}

/** Long lines are broken by mail programs: here each is whole again. */
const unfolded = (text: string) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')

/** Takes every mail and every text message. `env` is what Foyer must be told. */
export async function openMessages() {
  const mails: Taken[] = []
  const texts: Taken[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = unfolded(Buffer.concat(chunks).toString())
        mails.push(...envelope.rcptTo.map(({ address }) => ({ to: address, text })))
        done()
      })
    },
  })
  smtp.listen(0, '127.0.0.1')
  const provider = createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      texts.push(JSON.parse(Buffer.concat(chunks).toString()) as Taken)
      answer.writeHead(202).end()
    })
  }).listen(0, '127.0.0.1')
  await Promise.all([once(smtp.server, 'listening'), once(provider, 'listening')])
  const mail_port = (smtp.server.address() as AddressInfo).port
  const text_port = (provider.address() as AddressInfo).port
  const of = (taken: Taken[], to: string) => taken.filter((one) => one.to === to).map(({ text }) => text)
  return {
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mail_port}`,
      SMS_URL: `http://127.0.0.1:${text_port}/send`,
      ALLOWED_HOSTS: `127.0.0.1:${text_port}`,
    },
    mailsTo: (address: string) => of(mails, address),
    textsTo: (number: string) => of(texts, number),
    async close() {
      await new Promise((resolve) => smtp.close(() => resolve(undefined)))
      await new Promise((resolve) => provider.close(resolve))
    },
  }
}
