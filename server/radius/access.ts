// Access: the answer to a gateway that asks whether a guest may go online.
import { attemptReasons } from '#contract/sign-in-attempts.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { admit } from '#server/admission/admit.ts'
import { macIn } from '#server/admission/identify.ts'
import { credentialsIn } from '#server/radius/credentials.ts'
import { attribute, code } from '#server/radius/dictionary.ts'
import type { Gateway, Gateways } from '#server/radius/gateways.ts'
import { answerTo, signatureOf, text, textOf, type Packet } from '#server/radius/packet.ts'
import { replyAttributes } from '#server/radius/reply-attributes.ts'
import type { Services } from '#server/services.ts'

/** What the gateway gives back with each record of the session. */
export const classOf = (attempt_id: number) => `foyer-${attempt_id}`

/** Null: no answer. */
export async function answerAccess(
  { tenancy, seal }: Services,
  gateways: Gateways,
  packet: Packet,
  address: string,
): Promise<Buffer | null> {
  if (packet.code !== code.access_request) return null
  const gateway = await gateways.senderOf(packet, address, (secret) => signatureOf(packet, secret))
  const user_name = textOf(packet, attribute.user_name)
  if (!gateway || user_name === undefined) return null
  const question = {
    gateway_id: gateway.id,
    property_id: gateway.property_id,
    user_name,
    credentials: credentialsIn(packet, gateway.secret) ?? ({ kind: 'none' } as const),
    mac_address: callingStation(packet),
  }
  const verdict = await tenancy.enter(callerOfGateway(gateway), 'write', (scope) => admit(scope, seal, question))
  return verdict.accepted
    ? answer(
        packet,
        gateway,
        code.access_accept,
        replyAttributes(gateway.gateway_type_id, verdict.grant, classOf(verdict.id)),
      )
    : answer(packet, gateway, code.access_reject, [text(attribute.reply_message, attemptReasons[verdict.reason])])
}

const answer = (packet: Packet, { secret }: Gateway, kind: number, attributes: ReturnType<typeof text>[]) =>
  answerTo(packet, { code: kind, attributes }, secret)

export const callingStation = (packet: Packet): string | null =>
  macIn(textOf(packet, attribute.calling_station_id) ?? '') ?? null
