// FreeRADIUS: the front for production: FreeRADIUS talks to gateways (deploy/freeradius), and calls this app over HTTP from the
// same machine. Policy and accounting are those of the built-in front.
import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { z } from 'zod'
import { ipAddress as ip } from '#contract/ip-address.ts'
import type { Access } from '#server/radius/access.ts'
import { recordIn } from '#server/radius/accounting-record.ts'
import type { Accounting } from '#server/radius/accounting.ts'
import { proofIn } from '#server/radius/credentials.ts'
import { attribute } from '#server/radius-codec/dictionary.ts'
import { attributesIn, replyOf, FreeradiusPacket } from '#server/radius/freeradius-words.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import type { Gateway } from '#server/radius/registered-gateways.ts'
import { numberAttribute, valueOf, type Attributes } from '#server/radius-codec/packet.ts'
import type { Services } from '#server/services.ts'
import { patientStart } from '#server/start/patient-start.ts'
import { dropSlowSenders } from '#server/watch/slow-senders.ts'
import { dropStalledReaders } from '#server/watch/stalled-readers.ts'

const body_limit = 64 * 1024
const Sender = z.object({
  /** The name that `/client` gave it. */
  client: z.string().regex(/^gateway-\d{1,10}$/),
  address: ip,
  /** When it happened, in seconds since 1970; empty where the gateway does not send it. */
  at: z.coerce.number().int().positive().optional().catch(undefined),
})

interface Front {
  services: Pick<Services, 'log' | 'metrics'>
  gateways: Gateways
  access: Access
  accounting: Accounting
  token: string
}

/** An answer without content means no answer to the gateway; its status shows in FreeRADIUS' log why. */
export function freeradiusApp({ services, gateways, access, accounting, token }: Front): FastifyInstance {
  const { log, metrics } = services
  const app = Fastify({ bodyLimit: body_limit, forceCloseConnections: true, ...dropSlowSenders(), ...patientStart })
  dropStalledReaders(app)
  requireToken(app, token)
  app.setErrorHandler((error: Partial<FastifyError> | null, _request, reply) => {
    const isBadRequest = error instanceof z.ZodError || (error?.statusCode ?? 500) < 500
    if (!isBadRequest) log.warn({ err: error }, 'a gateway got no answer')
    return reply.code(isBadRequest ? 400 : 503).send()
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
      // Checked here instead, so that gateways without signatures can be reported.
      'control:FreeRADIUS-Client-Require-MA': 'no',
      'control:FreeRADIUS-Client-Virtual-Server': 'foyer',
    }
  })

  app.post('/access', async (request, reply) => {
    const packet = { attributes: attributesIn(FreeradiusPacket.parse(request.body)) }
    const isSigned = valueOf(packet, attribute.message_authenticator) !== undefined
    const gateway = await sender(gateways, packet, request.query, isSigned)
    const decision = gateway && (await access.decide(gateway, packet, credentialsIn(packet)))
    if (!decision) return reply.code(404).send()
    const told = replyOf(decision.attributes, gateway.dialect)
    if (!decision.accepted) return reply.code(401).send(told)
    return { 'control:Auth-Type': 'Accept', ...told }
  })

  app.post('/accounting', async (request, reply) => {
    const received_at = Date.now()
    const packet = { attributes: attributesIn(FreeradiusPacket.parse(request.body)) }
    // FreeRADIUS accepts only reports whose authenticator was made with the secret.
    const gateway = await sender(gateways, packet, request.query, true)
    if (!gateway || !valueOf(packet, attribute.acct_status_type)) return reply.code(404).send()
    const { at, address } = Sender.parse(request.query)
    const record = recordIn(stamped(packet, at), { received_at, address, dialect: gateway.dialect })
    if (record) await accounting.keep(gateway, record)
    return reply.code(204).send()
  })
  return app
}

/** FreeRADIUS has checked that the packet was signed with the secret of its client; the sender is a gateway with that secret. */
async function sender(
  gateways: Gateways,
  packet: Attributes,
  query: unknown,
  isSigned: boolean,
): Promise<Gateway | null> {
  const { client, address } = Sender.parse(query)
  const known = (await gateways.at(address)).find(({ id }) => client === `gateway-${id}`)
  if (!known) return null
  return gateways.senderOf(packet, address, (secret) =>
    secret !== known.secret ? 'wrong' : isSigned ? 'right' : 'missing',
  )
}

const stamped = ({ attributes }: Attributes, at: number | undefined): Attributes => ({
  attributes: at === undefined ? attributes : [...attributes, numberAttribute(attribute.event_timestamp, at)],
})

/** FreeRADIUS has already decrypted the password. */
function credentialsIn(packet: Attributes) {
  const password = valueOf(packet, attribute.user_password)?.toString()
  const shown = password === undefined ? ({ kind: 'none' } as const) : ({ kind: 'password', password } as const)
  return valueOf(packet, attribute.chap_password) ? proofIn(packet) : shown
}

/** Requests need the token, because the answers contain secrets. */
function requireToken(app: FastifyInstance, token: string) {
  const digest = (word: string) => createHash('sha256').update(word).digest()
  const expected = digest(`Basic ${Buffer.from(`freeradius:${token}`).toString('base64')}`)
  app.addHook('onRequest', async (request, reply) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return
    // To FreeRADIUS 401 would mean that the guest is refused.
    return reply.code(403).send()
  })
}

const isAnswer = ({ statusCode }: FastifyReply) => statusCode < 300 || statusCode === 401
