// Messages under test: a real mail server and a provider of text messages, and what they received.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openMailServer } from '#test/mail-server.ts'

interface Taken {
  to: string
  text: string
}

/** Joins the long lines that mail programs break. */
const unfolded = (text: string) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')

/** Accepts every text message, and every mail except to refused addresses. `env` is the environment Foyer needs. */
export async function openMessages(refuses: (address: string) => boolean = () => false) {
  const mails: Taken[] = []
  const texts: Taken[] = []
  const mail_server = await openMailServer(({ to, text }) => {
    const refused = to.find(refuses)
    if (refused !== undefined) throw Object.assign(new Error(`<${refused}> is not known here`), { responseCode: 550 })
    mails.push(...to.map((address) => ({ to: address, text: unfolded(text) })))
  })
  const provider = createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      texts.push(JSON.parse(Buffer.concat(chunks).toString()) as Taken)
      answer.writeHead(202).end()
    })
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const text_port = (provider.address() as AddressInfo).port
  const of = (taken: Taken[], to: string) => taken.filter((one) => one.to === to).map(({ text }) => text)
  return {
    env: {
      SMTP_URL: mail_server.url,
      SMS_URL: `http://127.0.0.1:${text_port}/send`,
      ALLOWED_HOSTS: `127.0.0.1:${text_port}`,
    },
    mailsTo: (address: string) => of(mails, address),
    textsTo: (number: string) => of(texts, number),
    async close() {
      await mail_server.close()
      await new Promise((resolve) => provider.close(resolve))
    },
  }
}
