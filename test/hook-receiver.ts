// Hook receiver: a program that listens to webhooks. It keeps what it was sent, and answers as the test says.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Post {
  /** Path and query. */
  url: string
  /** The same at each try. */
  id: string
  headers: IncomingHttpHeaders
  text: string
  body: { type: string; timestamp: string; data: Record<string, unknown> & { id: number; sequence: number } }
  /** When it came, by the clock that only goes forward. */
  at: number
}

export type Answer = (response: ServerResponse, post: Post) => void

export interface HookReceiver {
  /** With its port, as ALLOWED_HOSTS takes it. */
  host: string
  received: Post[]
  /** How it answers from now on: `thanks` at first. */
  answer: Answer
  /** Lets go of all connections, answered or not. */
  letGo(): void
  close(): Promise<void>
}

export const thanks: Answer = (response) => void response.writeHead(204).end()

export async function openHookReceiver(): Promise<HookReceiver> {
  const received: Post[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url = '', headers } = request
      const text = Buffer.concat(chunks).toString()
      const body = JSON.parse(text) as Post['body']
      const post = { url, id: String(headers['webhook-id']), headers, text, body, at: performance.now() }
      received.push(post)
      receiver.answer(response, post)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: HookReceiver = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: thanks,
    letGo: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
