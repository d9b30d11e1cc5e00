// Stop reports: the pages that the links in mails to receivers of reports open: one stops them, the other asks whether they are wanted.
// Opening changes nothing, because mail programs open links by themselves; a button does, and so does the unsubscribe button of a
// mail program (RFC 8058).
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { notFound } from '#server/errors/refused.ts'
import { readReceiverToken, readStopToken, type Receiver } from '#server/reports/stop-links.ts'
import type { Services } from '#server/services.ts'
import { receiverPage, stopPage, type ReceiverState } from './pages.ts'

interface Route {
  Params: { token: string }
}

export async function serveStopLinks(
  app: FastifyInstance,
  { guestDoors, fingerprint }: Pick<Services, 'fingerprint' | 'guestDoors'>,
) {
  async function answered(link: Receiver | null, answer: 'yes' | 'no' | null) {
    if (!link) throw notFound()
    const { customer_id, email } = link
    const [found] = await guestDoors.callFunction(sql<{ customer_name: string; state: ReceiverState }>`
      select * from door_receiver(${customer_id}, ${email}, ${answer})`)
    if (!found) throw notFound()
    return { ...found, email }
  }
  const stop = async (token: string, answer: 'no' | null) =>
    stopPage(await answered(readStopToken(fingerprint, token), answer))
  const receive = async (token: string, answer: 'yes' | 'no' | null) =>
    receiverPage(await answered(readReceiverToken(fingerprint, token), answer), token)

  await app.register(async (own) => {
    // Mail programs send a form of either kind, which has nothing that is not in the address.
    own.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, _body, done) => done(null, {}))
    const html = 'text/html; charset=utf-8'
    own.get<Route>('/stop-reports/:token', async ({ params }, reply) =>
      reply.type(html).send(await stop(params.token, null)),
    )
    own.post<Route>('/stop-reports/:token', async ({ params }, reply) =>
      reply.type(html).send(await stop(params.token, 'no')),
    )
    own.get<Route>('/receive-reports/:token', async ({ params }, reply) =>
      reply.type(html).send(await receive(params.token, null)),
    )
    own.post<Route & { Params: { answer: string } }>(
      '/receive-reports/:token/:answer(yes|no)',
      async ({ params: { token, answer } }, reply) =>
        reply.type(html).send(await receive(token, answer === 'yes' ? 'yes' : 'no')),
    )
  })
}
