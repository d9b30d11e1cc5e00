// Access: the answer to a gateway that asks whether a guest may go online.
import { attemptReasons, type AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Credentials } from '#server/access/guest-credentials.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { admit, type Verdict } from '#server/admission/admit.ts'
import { macIn, type Asked } from '#server/admission/identify.ts'
import { credentialsIn, eapFailureIn, isOffered } from '#server/radius/credentials.ts'
import { attribute, code } from '#server/radius/dictionary.ts'
import type { Gateway, Gateways } from '#server/radius/gateways.ts'
import { Lines } from '#server/radius/lines.ts'
import { answerStatus } from '#server/radius/status-server.ts'
import { answerTo, signatureOf, text, textOf, type Attributes, type Packet } from '#server/radius/packet.ts'
import { replyAttributes } from '#server/radius/reply-attributes.ts'
import type { Services } from '#server/services.ts'

/** What the gateway gives back with each record of the session. */
export const classOf = (attempt_id: number) => `foyer-${attempt_id}`

/** Judges what gateways ask. */
export function openAccess({ tenancy, seal }: Pick<Services, 'tenancy' | 'seal'>) {
  const lines = new Lines<Asked, Verdict>((first, take) =>
    tenancy.enter(callerOfGateway(first), 'write', (scope) =>
      admit(
        scope,
        seal,
        first.property_id,
        take().map(({ item }) => item),
      ),
    ),
  )
  return {
    /** What the policy says to a request, whichever front it came by. Null: it names nobody. */
    async verdictOn(
      gateway: Gateway,
      said: Attributes,
      credentials: Credentials = { kind: 'none' },
    ): Promise<Verdict | null> {
      const user_name = textOf(said, attribute.user_name)
      if (user_name === undefined) return null
      return lines.ask(gateway, {
        gateway_id: gateway.id,
        user_name,
        credentials,
        mac_address: callingStation(said),
        is_offered: isOffered(said),
      })
    },
  }
}
export type Access = ReturnType<typeof openAccess>

/** Null: no answer. */
export async function answerAccess(
  access: Access,
  gateways: Gateways,
  packet: Packet,
  address: string,
): Promise<Buffer | null> {
  if (packet.code === code.status_server) return answerStatus(gateways, packet, address, code.access_accept)
  if (packet.code !== code.access_request) return null
  const gateway = await gateways.senderOf(packet, address, (secret) => signatureOf(packet, secret))
  const verdict = gateway && (await access.verdictOn(gateway, packet, credentialsIn(packet, gateway.secret)))
  if (!verdict) return null
  return verdict.accepted
    ? answer(
        packet,
        gateway,
        code.access_accept,
        replyAttributes(gateway.gateway_type_id, verdict.grant, classOf(verdict.class_of)),
      )
    : answer(packet, gateway, code.access_reject, [refusalOf(packet, verdict.reason)])
}

export const refusalOf = (said: Attributes, reason: AttemptReason) =>
  eapFailureIn(said) ?? text(attribute.reply_message, attemptReasons[reason])

const answer = (packet: Packet, { secret }: Gateway, kind: number, attributes: ReturnType<typeof text>[]) =>
  answerTo(packet, { code: kind, attributes }, secret)

export const callingStation = (packet: Attributes): string | null =>
  macIn(textOf(packet, attribute.calling_station_id) ?? '') ?? null
