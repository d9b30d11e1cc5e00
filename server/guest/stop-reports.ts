// Stop reports: the page that the stop link of a mailed report opens. Opening it changes nothing, because mail programs open links
// by themselves; its button ends the mails, and so does the unsubscribe button of a mail program (RFC 8058).
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { notFound } from '#server/errors/refused.ts'
import { readStopToken } from '#server/reports/stop-links.ts'
import type { Services } from '#server/services.ts'
import { stopPage } from './pages.ts'

interface Route {
  Params: { token: string }
}

export async function serveStopLinks(app: FastifyInstance, { guestDoors, fingerprint }: Services) {
  async function answer({ token }: Route['Params'], stop: boolean) {
    const link = readStopToken(fingerprint, token)
    if (!link) throw notFound()
    const { customer_id, report_id, email } = link
    const [found] = await guestDoors.callFunction(sql<{ report_name: string; stopped: boolean }>`
      select * from door_stop_report(${customer_id}, ${report_id}, ${email}, ${stop})`)
    if (!found) throw notFound()
    return stopPage({ ...found, email })
  }

  await app.register(async (own) => {
    // Mail programs send a form of either kind, which has nothing that is not in the address.
    own.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, _body, done) => done(null, {}))
    own.get<Route>('/stop-reports/:token', async ({ params }, reply) =>
      reply.type('text/html; charset=utf-8').send(await answer(params, false)),
    )
    own.post<Route>('/stop-reports/:token', async ({ params }, reply) =>
      reply.type('text/html; charset=utf-8').send(await answer(params, true)),
    )
  })
}
