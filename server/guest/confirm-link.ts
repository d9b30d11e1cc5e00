// Confirm link: the page that the link of a mail opens, in any browser. Opening it changes nothing, because mail programs open
// links by themselves; its button confirms the address.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { ConfirmStep, PortalPageProps } from '#portal/design.ts'
import { portalDocument } from '#portal/portal-document.tsx'
import { hashOf } from '#server/access/authenticate.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { notFound } from '#server/errors/refused.ts'
import type { Services } from '#server/services.ts'
import { confirm, masked } from './confirmations.ts'
import { languageOf, pageOf, sendPage } from './page.ts'

interface Route {
  Params: { token: string }
}
interface Sent {
  customer_id: number
  gateway_id: number
  property_id: number
  gateway_name: string
  property_name: string
  public_id: string
  code_id: number
  guest_id: number
  address: string
  is_used: boolean
  is_over: boolean
}

export function serveConfirmLinks(
  app: FastifyInstance,
  { guestDoors, tenancy }: Pick<Services, 'tenancy' | 'guestDoors'>,
) {
  async function find(request: FastifyRequest<Route>) {
    const [sent] = await guestDoors.callFunction(
      sql<Sent>`select * from door_confirmation(${hashOf(request.params.token)})`,
    )
    if (!sent) throw notFound()
    const [portal] = await guestDoors.callFunction(
      sql<{ page: string }>`select page from door_portal(${sent.public_id})`,
    )
    if (!portal) throw notFound()
    return { sent, shown: JSON.parse(portal.page) as Pick<PortalPageProps, 'design' | 'footer'> }
  }

  function send(
    request: FastifyRequest<Route>,
    reply: FastifyReply,
    { sent, shown }: Awaited<ReturnType<typeof find>>,
    state: ConfirmStep['state'],
  ) {
    const step: ConfirmStep = { name: 'confirm', state, address: masked(sent.address) }
    const { design, footer } = shown
    const { property_name } = sent
    const props = { design, footer: footer ?? null, property_name, step, language: languageOf(request), action: '' }
    return sendPage(request, reply, pageOf(portalDocument({ ...props, addressIn: (code) => `?lang=${code}` })))
  }

  const stateOf = ({ is_used, is_over }: Sent) => (is_used ? 'done' : is_over ? 'over' : 'asked')

  app.get<Route>('/confirm/:token', async (request, reply) => {
    const found = await find(request)
    return send(request, reply, found, stateOf(found.sent))
  })

  app.post<Route>('/confirm/:token', async (request, reply) => {
    const found = await find(request)
    const { sent } = found
    const state = stateOf(sent)
    if (state !== 'asked') return send(request, reply, found, state)
    const gateway = { ...sent, id: sent.gateway_id, name: sent.gateway_name }
    const guest = await tenancy.enter(callerOfGateway(gateway), 'write', (scope) => confirm(scope, sent))
    return send(request, reply, found, guest === null ? stateOf((await find(request)).sent) : 'done')
  })
}
