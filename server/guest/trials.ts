// Trials: the pages of a simulated gateway, on the portal's origin. Who opens the first one has joined its network: as at any gateway they
// are sent to the portal, and back from there to be let in by RADIUS. What a trial leaves in the database nobody else sees (decision 154).
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { callerOfGateway, trial_type_id } from '#server/access/principal.ts'
import type { Condition } from '#server/access/reach.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { isTrialKey, trialNamed } from '#server/gateways/trial/kind.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Services } from '#server/services.ts'
import { trialOverPage, trialPage } from './pages.ts'
import { deviceOf, openTrialGateway, type Online, type TrialReports, type TrialGateway } from './trial-gateway.ts'

interface Found {
  customer_id: number
  id: number
  property_id: number
  property_name: string
  /** Of the property's portal; null: it has none. */
  public_id: string | null
  sealed_radius_secret: Buffer
  ends_at: string
}
interface Route {
  Params: { key: string }
  Querystring: Record<string, string | undefined>
}

const callerOf = (found: Pick<Found, 'customer_id' | 'id' | 'property_id'>) =>
  callerOfGateway({ ...found, name: 'Trial', gateway_type_id: trial_type_id })

/** A browser is one device for as long as the trial runs. */
const cookie = 'trial-device'
const deviceIn = ({ headers }: FastifyRequest) =>
  /(?:^|; )trial-device=([\w-]{22})(?:;|$)/.exec(headers.cookie ?? '')?.[1]

export function serveTrials(
  app: FastifyInstance,
  services: Pick<Services, 'seal' | 'tenancy' | 'guestDoors' | 'portal_url' | 'radius_near'>,
) {
  const { guestDoors, tenancy, seal, portal_url, radius_near } = services
  const open = new Map<string, { gateway: TrialGateway; over: NodeJS.Timeout }>()
  app.addHook('onClose', async () => {
    for (const { gateway, over } of open.values()) {
      clearTimeout(over)
      gateway.close()
    }
  })

  async function find({ params: { key } }: FastifyRequest<Route>): Promise<Found | undefined> {
    if (!isTrialKey(key)) return undefined
    const [found] = await guestDoors.callFunction(sql<Found>`select * from door_trial(${trialNamed(key)})`)
    return found
  }

  /** The box itself, which this node keeps while it has guests. */
  function gatewayOf(key: string, { sealed_radius_secret, ends_at, ...found }: Found): TrialGateway {
    const known = open.get(key)
    if (known) return known.gateway
    const secret = seal.open(sealed_radius_secret, placeIn('gateway_secrets.sealed_radius_secret', found, found.id))
    const gateway = openTrialGateway(radius_near, {
      called: trialNamed(key),
      secret,
      reported: reportedOf(services, found),
    })
    const over = setTimeout(
      () => {
        gateway.close()
        open.delete(key)
      },
      Date.parse(ends_at) - Date.now(),
    )
    over.unref()
    open.set(key, { gateway, over })
    return gateway
  }

  /** Not there any more: its guests are reported no longer, either. */
  function over(reply: FastifyReply, key: string) {
    const known = open.get(key)
    clearTimeout(known?.over)
    known?.gateway.close()
    open.delete(key)
    return reply.code(404).type('text/html; charset=utf-8').send(trialOverPage)
  }

  const portalOf = (key: string, public_id: string, device: string, more: Record<string, string> = {}) =>
    `${portal_url}/p/${public_id}?${new URLSearchParams({ trial: key, device, ...more }).toString()}`

  app.get<Route>('/trial/:key', async (request, reply) => {
    const { key } = request.params
    const found = await find(request)
    if (!found) return over(reply, key)
    if (found.public_id === null)
      return reply.type('text/html; charset=utf-8').send(trialPage(found.property_name, 'no_portal'))
    const seed = deviceIn(request) ?? randomBytes(16).toString('base64url')
    reply.header('set-cookie', `${cookie}=${seed}; Path=/trial/${key}; HttpOnly; SameSite=Lax; Max-Age=3600`)
    await tenancy.enter(callerOf(found), 'write', (scope) =>
      scope.change('gateways', [found.id], { guests_sent_at: sql`now()` }),
    )
    return reply.redirect(portalOf(key, found.public_id, deviceOf(`${key} ${seed}`)), 303)
  })

  app.get<Route>('/trial/:key/login', async (request, reply) => {
    const { key } = request.params
    const { device = '', username = '', password = '', back = '' } = request.query
    const found = await find(request)
    if (!found?.public_id) return over(reply, key)
    // RADIUS does its own work in turns: this request must not hold one of the guests' meanwhile.
    request.turn?.end()
    const isIn = await gatewayOf(key, found).admit(device, username, password)
    if (isIn === null)
      return reply.code(503).type('text/html; charset=utf-8').send(trialPage(found.property_name, 'silent'))
    if (!isIn) return reply.redirect(portalOf(key, found.public_id, device, { refused: '1' }), 303)
    await guestDoors.callFunction(sql`select door_tried(${found.id})`)
    return reply.redirect(back.startsWith(`${portal_url}/p/`) ? back : portal_url, 303)
  })

  app.get<Route>('/trial/:key/logout', async (request, reply) => {
    const { key } = request.params
    const found = await find(request)
    if (!found) return over(reply, key)
    const seed = deviceIn(request)
    // RADIUS does its own work in turns, as at the sign-in.
    request.turn?.end()
    if (seed !== undefined) await gatewayOf(key, found).end(deviceOf(`${key} ${seed}`))
    return reply.type('text/html; charset=utf-8').send(trialPage(found.property_name, 'left', `/trial/${key}`))
  })
}

/** The sessions of a trial, as they were reported by whichever node. */
function reportedOf(
  { tenancy }: Pick<Services, 'tenancy'>,
  found: Pick<Found, 'customer_id' | 'id' | 'property_id'>,
): TrialReports {
  const read = <R extends object>(query: (reach: Condition) => RawBuilder<R>) =>
    tenancy.enter(callerOf(found), 'read', (scope) => scope.run(query(scope.inReach('radius_sessions', 't'))))
  return {
    async openOf(mac_address) {
      const [open_now] = await read(
        (reach) => sql<Omit<Online, 'mac_address' | 'mark' | 'ends_at' | 'unanswered'>>`
          select t.acct_session_id, t.username, extract(epoch from t.started_at)::float8 * 1000 as began_at, t.bytes_up, t.bytes_down
          from radius_sessions as t where t.gateway_id = ${found.id} and t.mac_address = ${mac_address}::macaddr
            and t.stopped_at is null and ${reach} order by t.id desc limit 1`,
      )
      return open_now ? { ...open_now, mac_address, mark: null, ends_at: Infinity, unanswered: 0 } : null
    },
    async ended(acct_session_ids) {
      const over_now = await read(
        (reach) => sql<ColumnsOf<'radius_sessions', 'acct_session_id'>>`
          select t.acct_session_id from radius_sessions as t where t.gateway_id = ${found.id}
            and t.acct_session_id = any(${acct_session_ids}) and t.stopped_at is not null and ${reach}`,
      )
      return over_now.map(({ acct_session_id }) => acct_session_id)
    },
  }
}
