// FreeRADIUS: the front for production: FreeRADIUS talks to gateways (deploy/freeradius), and asks here, over HTTP from the
// same machine. The policy and the way of keeping reports are those of the built-in front.
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { z } from 'zod'
import { classOf, refusalOf, type Access } from '#server/radius/access.ts'
import { recordIn } from '#server/radius/accounting-record.ts'
import type { Accounting } from '#server/radius/accounting.ts'
import { proofIn } from '#server/radius/credentials.ts'
import { attribute } from '#server/radius/dictionary.ts'
import { attributesIn, inAnswer, Said } from '#server/radius/freeradius-words.ts'
import type { Gateway, Gateways } from '#server/radius/gateways.ts'
import { number, valueOf, type Attributes } from '#server/radius/packet.ts'
import { replyAttributes } from '#server/radius/reply-attributes.ts'
import type { Services } from '#server/services.ts'
import { dropStalledReaders } from '#server/watch/stalled-readers.ts'

const body_limit = 64 * 1024
const ip = z.string().refine((word) => isIP(word) !== 0)
const Sender = z.object({
  /** By what `/client` has called it. */
  client: z.string().regex(/^gateway-\d{1,10}$/),
  address: ip,
  /** When it happened, in seconds since 1970; empty where the gateway does not say. */
  at: z.coerce.number().int().positive().optional().catch(undefined),
})

interface Front {
  services: Services
  gateways: Gateways
  access: Access
  accounting: Accounting
  token: string
}

/** An answer without content is no answer to the gateway: which status it has tells FreeRADIUS' log why. */
export function freeradiusApp({ services, gateways, access, accounting, token }: Front): FastifyInstance {
  const { log, metrics } = services
  const app = Fastify({ bodyLimit: body_limit, forceCloseConnections: true })
  dropStalledReaders(app)
  takeTokenOnly(app, token)
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const isBadlyAsked = error instanceof z.ZodError || (error.statusCode ?? 500) < 500
    if (!isBadlyAsked) log.warn({ err: error }, 'a gateway got no answer')
    return reply.code(isBadlyAsked ? 400 : 503).send()
  })
  app.addHook('onResponse', async ({ routeOptions: { url } }, reply) => {
    const kind = { '/access': 'access', '/accounting': 'accounting' } as const
    const counted = kind[url as keyof typeof kind]
    const result = reply.statusCode >= 500 ? 'failed' : isAnswer(reply) ? 'answered' : 'unanswered'
    if (counted) metrics.radius(counted, result, reply.elapsedTime)
  })

  app.get('/client', async (request, reply) => {
    const { address } = z.object({ address: ip }).parse(request.query)
    const [gateway] = await gateways.at(address)
    if (!gateway) return reply.code(404).send()
    return {
      'control:FreeRADIUS-Client-IP-Address': address,
      'control:FreeRADIUS-Client-Secret': { value: gateway.secret, op: ':=', do_xlat: false },
      'control:FreeRADIUS-Client-Shortname': `gateway-${gateway.id}`,
      // Looked at here: so it can be said which gateway signs nothing.
      'control:FreeRADIUS-Client-Require-MA': 'no',
      'control:FreeRADIUS-Client-Virtual-Server': 'foyer',
    }
  })

  app.post('/access', async (request, reply) => {
    const said = { attributes: attributesIn(Said.parse(request.body)) }
    const isSigned = valueOf(said, attribute.message_authenticator) !== undefined
    const gateway = await sender(gateways, said, request.query, isSigned)
    const verdict = gateway && (await access.verdictOn(gateway, said, credentialsIn(said)))
    if (!verdict) return reply.code(404).send()
    if (!verdict.accepted) return reply.code(401).send(inAnswer([refusalOf(said, verdict.reason)]))
    const granted = replyAttributes(gateway.gateway_type_id, verdict.grant, classOf(verdict.class_of))
    return { 'control:Auth-Type': 'Accept', ...inAnswer(granted) }
  })

  app.post('/accounting', async (request, reply) => {
    const received_at = Date.now()
    const said = { attributes: attributesIn(Said.parse(request.body)) }
    // FreeRADIUS takes no report whose authenticator was not made with the secret.
    const gateway = await sender(gateways, said, request.query, true)
    if (!gateway || !valueOf(said, attribute.acct_status_type)) return reply.code(404).send()
    const { at, address } = Sender.parse(request.query)
    const record = recordIn(stamped(said, at), { received_at, address }, gateway.counts_from_gateway_side)
    if (record) await accounting.keep(gateway, record)
    return reply.code(204).send()
  })
  return app
}

/** FreeRADIUS has found that the packet was signed with the secret of its client; among those that have it too is the sender. */
async function sender(
  gateways: Gateways,
  said: Attributes,
  query: unknown,
  isSigned: boolean,
): Promise<Gateway | null> {
  const { client, address } = Sender.parse(query)
  const known = (await gateways.at(address)).find(({ id }) => client === `gateway-${id}`)
  if (!known) return null
  return gateways.senderOf(said, address, (secret) =>
    secret !== known.secret ? 'wrong' : isSigned ? 'right' : 'missing',
  )
}

const stamped = ({ attributes }: Attributes, at: number | undefined): Attributes => ({
  attributes: at === undefined ? attributes : [...attributes, number(attribute.event_timestamp, at)],
})

/** FreeRADIUS has uncovered the password. */
function credentialsIn(said: Attributes) {
  const password = valueOf(said, attribute.user_password)?.toString()
  const shown = password === undefined ? ({ kind: 'none' } as const) : ({ kind: 'password', password } as const)
  return valueOf(said, attribute.chap_password) ? proofIn(said) : shown
}

/** Whoever asks must know the token: what is answered here holds secrets. */
function takeTokenOnly(app: FastifyInstance, token: string) {
  const digest = (word: string) => createHash('sha256').update(word).digest()
  const expected = digest(`Basic ${Buffer.from(`freeradius:${token}`).toString('base64')}`)
  app.addHook('onRequest', async (request, reply) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return
    // To FreeRADIUS 401 would mean that the guest is refused.
    return reply.code(403).send()
  })
}

const isAnswer = ({ statusCode }: FastifyReply) => statusCode < 300 || statusCode === 401
