// Box asks: boxes that ask the portal itself whether a guest may be online, and go on asking, with what was used. What the guest has
// brought to the box proves it: an unguessable key and a pass, which are taken once, for their device.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { hashOf } from '#server/access/authenticate.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { BoxQuestion } from '#server/gateways/box-asks.ts'
import { noteAnswer } from '#server/gateways/controller-state.ts'
import { kinds } from '#server/gateways/kinds.ts'
import type { Services } from '#server/services.ts'
import { begunByGrant, nameOfCalled, recordOf, type CalledSession } from '#server/sessions/called-sessions.ts'
import { storeReports } from '#server/sessions/keep-records.ts'
import { askToEndUsedUp } from '#server/sessions/used-up.ts'
import { admitHere } from './controller-grants.ts'
import { languageOf } from './page.ts'
import { onlinePage } from './pages.ts'
import type { FoundGateway } from './status.ts'

interface Found extends FoundGateway {
  access_pass_id: number
}
interface Open extends CalledSession {
  state: string
  age_s: number
  is_over: boolean
  time_zone: string
  /** What is counted from the gateway's side is the other way round. */
  counts_from_gateway_side: boolean
}

export function serveBoxAsks(
  app: FastifyInstance,
  services: Pick<Services, 'seal' | 'tenancy' | 'guestDoors' | 'queue' | 'portal_url'>,
) {
  for (const { definition, asks } of kinds) {
    if (!asks) continue
    for (const path of asks.paths)
      app.get(path, async (request, reply) => {
        const query = Object.fromEntries(new URL(`${services.portal_url}${request.url}`).searchParams)
        const question = asks.read(query)
        const may = question !== null && (await mayBeOnline(services, definition.id, question))
        return reply.type('text/plain; charset=utf-8').send(asks.answerTo(may))
      })
    for (const path of asks.online_paths)
      app.get(path, (request, reply) => reply.type('text/html; charset=utf-8').send(onlinePage(languageOf(request))))
    for (const path of asks.ping.paths)
      app.get(path, (_request, reply) => reply.type('text/plain; charset=utf-8').send(asks.ping.answer))
  }
}

async function mayBeOnline(
  services: Pick<Services, 'seal' | 'tenancy' | 'guestDoors' | 'queue'>,
  made: number,
  question: BoxQuestion,
): Promise<boolean> {
  const { brought, mac_address } = question
  const [gateway] = await services.guestDoors.callFunction(sql<Found>`
    select * from door_status(${brought.public_id}, ${hashOf(brought.status_key)})`)
  if (gateway?.gateway_type_id !== made || mac_address === null) return false
  return services.tenancy.enter(callerOfGateway(gateway), 'write', async (scope) => {
    await scope.lock('gateways', sql`t.id = ${gateway.id}`)
    await noteAnswer(scope, gateway.id)
    const [open] = await openOf(scope, gateway, brought.username)
    if (open) return open.mac_address === mac_address && goesOn(scope, services, gateway, open, question)
    if (question.says === 'left') return false
    return admitHere(scope, services, { gateway, pass: brought, mac_address })
  })
}

/** The last time that they were let in with this pass. */
const openOf = (scope: Scope, { id, access_pass_id }: Found, username: string) =>
  scope.run(sql<Open>`
    select t.id as grant_id, t.state, t.mac_address::text, t.authorisation_id, g.nas_identifier, g.counts_from_gateway_side, p.username,
      s.session_key, extract(epoch from now() - t.granted_at)::float8 as age_s, coalesce(t.ends_at < now(), true) as is_over,
      coalesce(h.time_zone, c.time_zone) as time_zone
    from controller_grants as t
    join gateways as g on g.customer_id = t.customer_id and g.id = t.gateway_id
    join properties as h on h.customer_id = g.customer_id and h.id = g.property_id
    join customers as c on c.id = t.customer_id
    join access_passes as p on p.customer_id = t.customer_id and p.id = t.access_pass_id and p.username = ${username}
    ${begunByGrant}
    where t.access_pass_id = ${access_pass_id} and t.gateway_id = ${id} and ${scope.inReach('controller_grants', 't')}
    order by t.id desc limit 1`)

/** What was used is kept first: it may end the session. */
async function goesOn(
  scope: Scope,
  { queue }: Pick<Services, 'queue'>,
  { id: gateway_id, property_id }: Found,
  open: Open,
  { says, bytes_to_guest, bytes_from_guest }: BoxQuestion,
): Promise<boolean> {
  if (open.state !== 'granted') return false
  const [bytes_down, bytes_up] = open.counts_from_gateway_side
    ? [bytes_from_guest, bytes_to_guest]
    : [bytes_to_guest, bytes_from_guest]
  const seconds = Math.floor(open.age_s)
  const keep = (kind: 'interim' | 'stop', cause: string) => {
    const record = recordOf(open, { kind, seconds, bytes_up, bytes_down, cause })
    return storeReports(scope, { property_id, time_zone: open.time_zone }, [{ gateway_id, record }])
  }
  if (says === 'asks') await askToEndUsedUp(scope, queue, await keep('interim', ''))
  const [session] = await scope.run(sql<{ is_to_end: boolean }>`
    select t.stopped_at is not null or t.disconnect_for is not null or t.disconnect_asked_at is not null as is_to_end
    from radius_sessions as t
    where t.gateway_id = ${gateway_id} and t.acct_session_id = ${nameOfCalled(open.grant_id)} and ${scope.inReach('radius_sessions', 't')}
    order by t.id desc limit 1`)
  const isToEnd = session?.is_to_end ?? false
  if (says === 'asks' && !open.is_over && !isToEnd) return true
  await scope.change('controller_grants', [open.grant_id], { state: 'ended' })
  // NAS-Request: at our word.
  await keep('stop', says === 'left' ? 'User-Request' : isToEnd ? 'NAS-Request' : 'Session-Timeout')
  return false
}
