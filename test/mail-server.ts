// Mail server: a real SMTP server on a free port.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface TakenMail {
  to: string[]
  /** The source as it was sent: headers, an empty line, the body. */
  text: string
}

/**
 * Accepts a mail once `take` has finished; if it throws, the sender is refused with the error's `responseCode`. A recipient is refused
 * with what `refusal` returns for the address.
 */
export async function openMailServer(
  take: (mail: TakenMail) => void | Promise<void>,
  refusal: (address: string) => Error | undefined = () => undefined,
) {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => done(refusal(address)),
    onData(stream, { envelope }, done) {
      const hand = async () => {
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        await take({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() })
      }
      void answer(hand, done)
    },
  })
  // A sender that is killed in the middle drops the connection.
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}

async function answer(work: () => Promise<void>, done: (refusal?: Error) => void) {
  try {
    await work()
  } catch (refusal) {
    done(refusal as Error)
    return
  }
  done()
}
