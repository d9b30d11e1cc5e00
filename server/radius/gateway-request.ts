// Gateway request: our request to a gateway (RFC 5176): one packet, signed with its secret, to the address that the session's reports
// come from, else to that of the gateway's other packets, or to its registered address.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Limits, OpenSession } from '#server/gateways/kind.ts'
import { attribute, code, error_cause } from '#server/radius-codec/dictionary.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import type { StoredCode } from '#server/secrets/voucher-codes.ts'
import { reportedUserName } from '#server/vouchers/sign-in-names.ts'
import { joinCode, storedCode } from '#server/secrets/stored-code.ts'
import type { Gateway } from '#server/radius/registered-gateways.ts'
import {
  isAnswerTo,
  numberOfAttribute,
  readPacket,
  requestOf,
  type Attribute,
  type Packet,
} from '#server/radius-codec/packet.ts'

/** A session, and where its gateway takes requests. */
export interface GatewaySession extends OpenSession {
  id: number
  gateway_id: number
  disconnect_port: number
  address: string | null
  /** There is the box that reports it. Another box of the gateway does not know it either, whoever is online by it. */
  is_box_known: boolean
}
/** 'gone': the gateway has no such session. 'ended': the same answer, but an earlier packet of ours may have ended it. */
export type RequestOutcome = 'agreed' | 'gone' | 'ended' | 'refused' | 'silent'

/** After each wait but the last, the same packet is sent again. */
const waits_ms = [1000, 2000, 4000]

export const gatewaySession = sql`
  ${storedCode('v')},
  t.id, t.gateway_id, t.acct_session_id, t.username, t.mac_address::text, t.calling_station, t.box_session, host(t.ip) as ip,
  g.nas_identifier,
  split_part(t.session_key, chr(31), 2) as box,
  g.disconnect_port, host(coalesce(t.reported_from, g.last_address, g.ip_address)) as address,
  t.reported_from is not null as is_box_known`

/** The session's gateway, and the voucher whose code it may be known by there. */
export const ofSession = sql`
  join gateways as g on g.customer_id = t.customer_id and g.id = t.gateway_id
  left join vouchers as v on v.customer_id = t.customer_id and v.id = t.voucher_id
  ${joinCode('v')}`

/** As its gateway knows it. */
export const asReported =
  (scope: Scope) =>
  <S extends StoredCode & Pick<GatewaySession, 'username'>>({ code, fingerprint, sealed_code, ...session }: S) => ({
    ...session,
    username: reportedUserName(scope, { code, fingerprint, sealed_code, username: session.username }),
  })

/** Those of these sessions that are open. */
export async function openAmong(scope: Scope, ids: readonly number[]): Promise<GatewaySession[]> {
  const open = await scope.run(sql<GatewaySession & StoredCode>`
    select ${gatewaySession} from radius_sessions as t ${ofSession}
    where t.id = any(${[...ids]}) and t.stopped_at is null and ${scope.inReach('radius_sessions', 't')}`)
  return open.map(asReported(scope))
}

const requests = {
  disconnect: { request: code.disconnect_request, yes: code.disconnect_ack, no: code.disconnect_nak },
  change: { request: code.coa_request, yes: code.coa_ack, no: code.coa_nak },
} as const

/** Ends the session. */
export async function sendDisconnect(gateways: Gateways, session: GatewaySession): Promise<RequestOutcome> {
  const outcome = await sendRequest(
    gateways,
    session,
    requests.disconnect,
    ({ dialect, settings }) => dialect.end?.(session, settings) ?? null,
  )
  const isUnknown = outcome === 'gone' || outcome === 'ended'
  return isUnknown && !session.is_box_known ? 'refused' : outcome
}

/** Gives the session other limits. */
export const sendChange = (gateways: Gateways, session: GatewaySession, limits: Limits): Promise<RequestOutcome> =>
  sendRequest(
    gateways,
    session,
    requests.change,
    ({ dialect, settings }) => dialect.change?.(session, limits, settings) ?? null,
  )

/** Where a gateway takes requests. */
export type Where = Pick<GatewaySession, 'gateway_id' | 'address' | 'disconnect_port'>

/** Tells the box itself, where no session of ours is meant. */
export const sendTold = (gateways: Gateways, where: Where, attributes: Attribute[]): Promise<RequestOutcome> =>
  sendRequest(gateways, where, requests.change, () => attributes)

/** @param saying what, in the words of the gateway's make; null: it takes no such request */
async function sendRequest(
  gateways: Gateways,
  { gateway_id, address, disconnect_port }: Where,
  codes: (typeof requests)[keyof typeof requests],
  saying: (gateway: Gateway) => Attribute[] | null,
): Promise<RequestOutcome> {
  const gateway = await gateways.withId(gateway_id)
  if (!gateway || address === null) return 'silent'
  const attributes = saying(gateway)
  const packet = attributes && requestOf(codes.request, randomInt(256), attributes, gateway.secret)
  if (packet === null) return 'refused'
  return send(address, disconnect_port, { ...codes, packet, secret: gateway.secret })
}

interface Sent {
  packet: Buffer
  secret: string
  yes: number
  no: number
}

async function send(address: string, port: number, { packet, secret, yes, no }: Sent): Promise<RequestOutcome> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const { promise, resolve } = Promise.withResolvers<RequestOutcome>()
  let sent = 0
  socket.on('error', () => resolve('silent'))
  socket.on('message', (bytes) => {
    const answer = readPacket(bytes)
    if (!answer || !isAnswerTo(answer, packet, secret)) return
    if (answer.code === yes) resolve('agreed')
    if (answer.code === no) resolve(saysUnknown(answer) ? (sent > 1 ? 'ended' : 'gone') : 'refused')
  })
  let timer: NodeJS.Timeout | undefined
  const next = () => {
    const wait_ms = waits_ms[sent]
    if (wait_ms === undefined) return resolve('silent')
    sent++
    socket.send(packet, port, address, (error) => error && resolve('silent'))
    timer = setTimeout(next, wait_ms)
  }
  next()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    socket.close()
  }
}

const saysUnknown = (answer: Packet) =>
  numberOfAttribute(answer, attribute.error_cause) === error_cause.session_context_not_found
