// Session names: the attributes by which our requests name a session (RFC 5176); each gateway uses some of them.
import { isIPv4, isIPv6 } from 'node:net'
import { attribute } from '#server/radius-codec/dictionary.ts'
import { numberAttribute, textAttribute, type Attribute } from '#server/radius-codec/packet.ts'
import type { Limits, OpenSession } from './kind.ts'

/** The box as it calls itself: it refuses a request that is for another (RFC 5176, 3). */
const ownName = (box: string, nas_identifier: string) =>
  isIPv4(box)
    ? { type: attribute.nas_ip_address, value: Buffer.from(box.split('.').map(Number)) }
    : textAttribute(attribute.nas_identifier, box === '' || isIPv6(box) ? nas_identifier : box)

export function sessionNames({
  username,
  acct_session_id,
  mac_address,
  ip,
  nas_identifier,
  box,
  ...session
}: OpenSession): Attribute[] {
  // Some gateways compare it literally with what they have reported.
  const calling_station = session.calling_station ?? mac_address?.toUpperCase().replaceAll(':', '-')
  return [
    ...(username === null ? [] : [textAttribute(attribute.user_name, username)]),
    textAttribute(attribute.acct_session_id, acct_session_id),
    ...(calling_station === undefined ? [] : [textAttribute(attribute.calling_station_id, calling_station)]),
    ...(ip === null || isIPv6(ip)
      ? []
      : [{ type: attribute.framed_ip_address, value: Buffer.from(ip.split('.').map(Number)) }]),
    ownName(box, nas_identifier),
    numberAttribute(attribute.event_timestamp, Date.now() / 1000),
  ]
}

/** A CoA-Request: some gateways forget what it leaves out, so it has all limits, as an Accept has. */
export const changeBy = (limitsOf: (limits: Limits) => Attribute[]) => (session: OpenSession, limits: Limits) => [
  ...sessionNames(session),
  ...limitsOf(limits),
]
