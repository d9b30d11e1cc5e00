// Disconnect: asks gateways to end sessions (RFC 5176): one packet to where the gateway's own packets come from, else to its
// registered address, signed with its secret.
import { createSocket } from 'node:dgram'
import { randomInt } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Condition } from '#server/access/reach.ts'
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
import type { Services } from '#server/services.ts'
import { disconnects_at_once } from '#server/sessions/disconnects.ts'
import { closeUnknown } from '#server/sessions/unknown-sessions.ts'

interface Session {
  id: number
  acct_session_id: string
  username: string | null
  mac_address: string | null
  calling_station: string | null
  ip: string | null
  nas_identifier: string
  disconnect_port: number
  address: string | null
}
/** 'gone': the gateway says that it has no such session. 'ended': it says so of one that an earlier packet of ours may have ended. */
export type Outcome = 'agreed' | 'gone' | 'ended' | 'refused' | 'silent'

/** Each wait is followed by the same packet once more. */
const waits_ms = [1000, 2000, 4000]

export async function disconnect(
  { tenancy, log }: Pick<Services, 'tenancy' | 'log'>,
  gateways: Gateways,
  { customer_id, session_ids, cause }: { customer_id: number; session_ids: number[]; cause?: string | undefined },
) {
  const caller = callerOfJob(customer_id, 'disconnect')
  const note = (which: Condition, values: Record<string, unknown>) =>
    tenancy.enter(caller, 'write', (scope) => scope.change('radius_sessions', which, values))
  if (cause !== undefined)
    await note(sql`t.id = any(${session_ids}) and t.stopped_at is null and t.disconnect_for is null`, {
      disconnect_for: cause,
      disconnect_asked_at: sql`now()`,
    })
  const sessions = await tenancy.enter(caller, 'read', (scope) => openAmong(scope, session_ids))
  for (
    let next = sessions.splice(0, disconnects_at_once);
    next.length > 0;
    next = sessions.splice(0, disconnects_at_once)
  ) {
    const outcomes = await Promise.all(
      next.map(async (session) => ({ id: session.id, outcome: await end(gateways, session) })),
    )
    const unheard = outcomes.filter(({ outcome }) => outcome === 'silent' || outcome === 'refused')
    if (unheard.length > 0) log.info({ sessions: unheard }, 'gateways did not disconnect')
    const idsOf = (wanted: Outcome) => outcomes.filter(({ outcome }) => outcome === wanted).map(({ id }) => id)
    await note(sql`t.id = any(${idsOf('agreed')})`, { disconnect_agreed_at: sql`now()` })
    await tenancy.enter(caller, 'write', (scope) => closeUnknown(scope, outcomes))
  }
}

const openAmong = (scope: Scope, ids: number[]) =>
  scope.run(sql<Session>`
    select t.id, t.acct_session_id, t.username, t.mac_address::text, t.calling_station, host(t.ip) as ip, g.nas_identifier, g.disconnect_port,
      host(coalesce(g.last_address, g.ip_address)) as address
    from radius_sessions as t join gateways as g on g.customer_id = t.customer_id and g.id = t.gateway_id
    where t.id = any(${ids}) and t.stopped_at is null and ${scope.inReach('radius_sessions', 't')}`)

async function end(gateways: Gateways, session: Session): Promise<Outcome> {
  const gateway = await gateways.named(session.nas_identifier)
  if (!gateway || session.address === null) return 'silent'
  const request = requestOf(code.disconnect_request, randomInt(256), attributesOf(session), gateway.secret)
  return request === null ? 'refused' : ask(session.address, session.disconnect_port, request, gateway.secret)
}

/** What gateways know a session by; each takes some of it. */
function attributesOf({
  username,
  acct_session_id,
  mac_address,
  ip,
  nas_identifier,
  ...session
}: Session): Attribute[] {
  // Some compare it letter by letter with what they have reported.
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

async function ask(address: string, port: number, request: Buffer, secret: string): Promise<Outcome> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let sent = 0
  socket.on('error', () => resolve('silent'))
  socket.on('message', (bytes) => {
    const answer = readPacket(bytes)
    if (!answer || !isAnswerTo(answer, request, secret)) return
    if (answer.code === code.disconnect_ack) resolve('agreed')
    if (answer.code === code.disconnect_nak) resolve(saysUnknown(answer) ? (sent > 1 ? 'ended' : 'gone') : 'refused')
  })
  let timer: NodeJS.Timeout | undefined
  const send = (tries: number) => {
    const wait_ms = waits_ms[tries]
    if (wait_ms === undefined) return resolve('silent')
    sent++
    socket.send(request, port, address, (error) => error && resolve('silent'))
    timer = setTimeout(() => send(tries + 1), wait_ms)
  }
  send(0)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    socket.close()
  }
}

const saysUnknown = (answer: Packet) =>
  numberOf(answer, attribute.error_cause) === error_cause.session_context_not_found
