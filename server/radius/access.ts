// Access: the answer to a gateway that asks whether a guest may go online.
import { attemptReasons } from '#contract/sign-in-attempts.ts'
import type { Credentials } from '#server/access/guest-credentials.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { admit, type Verdict } from '#server/admission/admit.ts'
import { macIn } from '#server/admission/identify.ts'
import { credentialsIn } from '#server/radius/credentials.ts'
import { attribute, code } from '#server/radius/dictionary.ts'
import type { Gateway, Gateways } from '#server/radius/gateways.ts'
import { answerTo, signatureOf, text, textOf, type Attributes, type Packet } from '#server/radius/packet.ts'
import { replyAttributes } from '#server/radius/reply-attributes.ts'
import type { Services } from '#server/services.ts'

/** What the gateway gives back with each record of the session. */
export const classOf = (attempt_id: number) => `foyer-${attempt_id}`

/** Null: no answer. */
export async function answerAccess(
  services: Services,
  gateways: Gateways,
  packet: Packet,
  address: string,
): Promise<Buffer | null> {
  if (packet.code !== code.access_request) return null
  const gateway = await gateways.senderOf(packet, address, (secret) => signatureOf(packet, secret))
  const verdict = gateway && (await verdictOn(services, gateway, packet, credentialsIn(packet, gateway.secret)))
  if (!verdict) return null
  return verdict.accepted
    ? answer(
        packet,
        gateway,
        code.access_accept,
        replyAttributes(gateway.gateway_type_id, verdict.grant, classOf(verdict.id)),
      )
    : answer(packet, gateway, code.access_reject, [text(attribute.reply_message, attemptReasons[verdict.reason])])
}

/** What the policy says to a request, whichever front it came by. Null: it names nobody. */
export async function verdictOn(
  { tenancy, seal }: Pick<Services, 'tenancy' | 'seal'>,
  gateway: Gateway,
  said: Attributes,
  credentials: Credentials = { kind: 'none' },
): Promise<Verdict | null> {
  const user_name = textOf(said, attribute.user_name)
  if (user_name === undefined) return null
  const { id: gateway_id, property_id } = gateway
  const question = { gateway_id, property_id, user_name, credentials, mac_address: callingStation(said) }
  return tenancy.enter(callerOfGateway(gateway), 'write', (scope) => admit(scope, seal, question))
}

const answer = (packet: Packet, { secret }: Gateway, kind: number, attributes: ReturnType<typeof text>[]) =>
  answerTo(packet, { code: kind, attributes }, secret)

export const callingStation = (packet: Attributes): string | null =>
  macIn(textOf(packet, attribute.calling_station_id) ?? '') ?? null
