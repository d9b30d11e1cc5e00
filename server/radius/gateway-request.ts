// Gateway request: our request to a gateway (RFC 5176): one packet, signed with its secret, to the address that the gateway's own
// packets come from, or else to its registered address.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { attribute, code, error_cause } from '#server/radius/dictionary.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import {
  isAnswerTo,
  number,
  numberOf,
  readPacket,
  requestOf,
  text,
  type Attribute,
  type Packet,
} from '#server/radius/packet.ts'

/** A session, as its gateway knows it. */
export interface GatewaySession {
  id: number
  gateway_id: number
  acct_session_id: string
  username: string | null
  mac_address: string | null
  calling_station: string | null
  ip: string | null
  nas_identifier: string
  disconnect_port: number
  address: string | null
}
/** 'gone': the gateway has no such session. 'ended': the same answer, but an earlier packet of ours may have ended it. */
export type Outcome = 'agreed' | 'gone' | 'ended' | 'refused' | 'silent'

/** After each wait but the last, the same packet is sent again. */
const waits_ms = [1000, 2000, 4000]

export const gatewaySession = sql`
  t.id, t.gateway_id, t.acct_session_id, t.username, t.mac_address::text, t.calling_station, host(t.ip) as ip, g.nas_identifier,
  g.disconnect_port, host(coalesce(g.last_address, g.ip_address)) as address`

/** Those of these sessions that are open. */
export const openAmong = (scope: Scope, ids: readonly number[]) =>
  scope.run(sql<GatewaySession>`
    select ${gatewaySession}
    from radius_sessions as t join gateways as g on g.customer_id = t.customer_id and g.id = t.gateway_id
    where t.id = any(${[...ids]}) and t.stopped_at is null and ${scope.inReach('radius_sessions', 't')}`)

const requests = {
  disconnect: { request: code.disconnect_request, yes: code.disconnect_ack, no: code.disconnect_nak },
  change: { request: code.coa_request, yes: code.coa_ack, no: code.coa_nak },
} as const

/** @param more the limits from now on */
export async function sendRequest(
  gateways: Gateways,
  kind: keyof typeof requests,
  session: GatewaySession,
  more: Attribute[] = [],
): Promise<Outcome> {
  const gateway = await gateways.withId(session.gateway_id)
  if (!gateway || session.address === null) return 'silent'
  const attributes = [...identityOf(session), ...more]
  const request = requestOf(requests[kind].request, randomInt(256), attributes, gateway.secret)
  if (request === null) return 'refused'
  return send(session.address, session.disconnect_port, { ...requests[kind], packet: request, secret: gateway.secret })
}

/** The attributes that identify a session; each gateway uses some of them. */
function identityOf({
  username,
  acct_session_id,
  mac_address,
  ip,
  nas_identifier,
  ...session
}: GatewaySession): Attribute[] {
  // Some gateways compare it literally with what they have reported.
  const calling_station = session.calling_station ?? mac_address?.toUpperCase().replaceAll(':', '-')
  return [
    ...(username === null ? [] : [text(attribute.user_name, username)]),
    text(attribute.acct_session_id, acct_session_id),
    ...(calling_station === undefined ? [] : [text(attribute.calling_station_id, calling_station)]),
    ...(ip === null || isIPv6(ip)
      ? []
      : [{ type: attribute.framed_ip_address, value: Buffer.from(ip.split('.').map(Number)) }]),
    text(attribute.nas_identifier, nas_identifier),
    number(attribute.event_timestamp, Date.now() / 1000),
  ]
}

interface Sent {
  packet: Buffer
  secret: string
  yes: number
  no: number
}

async function send(address: string, port: number, { packet, secret, yes, no }: Sent): Promise<Outcome> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const { promise, resolve } = Promise.withResolvers<Outcome>()
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
  numberOf(answer, attribute.error_cause) === error_cause.session_context_not_found
