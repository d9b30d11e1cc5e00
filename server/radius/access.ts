// Access: answers gateways that ask whether a guest may go online.
import { attemptReasons, type AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Credentials } from '#server/access/guest-credentials.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { admit, type Verdict } from '#server/admission/admit.ts'
import { macIn, type SignInRequest } from '#server/admission/identify.ts'
import { credentialsIn, eapFailureIn, isOffered } from '#server/radius/credentials.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import type { Gateway, Gateways } from '#server/radius/gateways.ts'
import { Batcher } from '#server/radius/batcher.ts'
import { answerStatus } from '#server/radius/status-server.ts'
import { answerTo, signatureOf, text, textOf, type Attributes, type Packet } from '#server/radius-codec/packet.ts'
import type { Services } from '#server/services.ts'

/** The Class attribute, which the gateway repeats with each record of the session. */
const classOf = (attempt_id: number) => `foyer-${attempt_id}`

/** Decides on access requests. */
export function openAccess({ tenancy, seal, metrics }: Pick<Services, 'tenancy' | 'seal' | 'metrics'>) {
  const batcher = new Batcher<SignInRequest, Verdict>((first, take) =>
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
    /** The verdict on a request, whichever front it came by. Null: it has no user name. */
    async verdictOn(
      gateway: Gateway,
      packet: Attributes,
      credentials: Credentials = { kind: 'none' },
    ): Promise<Verdict | null> {
      const user_name = textOf(packet, attribute.user_name)
      if (user_name === undefined) return null
      const verdict = await batcher.ask(gateway, {
        gateway_id: gateway.id,
        user_name,
        credentials,
        mac_address: callingStation(packet),
        is_offered: isOffered(packet),
        asks_again: gateway.dialect.end === null,
      })
      metrics.signIn('gateway', verdict.reason)
      return verdict
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
    ? answer(packet, gateway, code.access_accept, acceptOf(gateway, packet, verdict))
    : answer(packet, gateway, code.access_reject, [refusalOf(packet, verdict.reason)])
}

/** What an Accept carries: our mark, and the limits in the words of the gateway's make. */
export const acceptOf = (
  { dialect, settings }: Pick<Gateway, 'dialect' | 'settings'>,
  packet: Attributes,
  { grant, class_of }: Extract<Verdict, { accepted: true }>,
) => [text(attribute.class, classOf(class_of)), ...dialect.accept(grant, packet, settings)]

export const refusalOf = (packet: Attributes, reason: AttemptReason) =>
  eapFailureIn(packet) ?? text(attribute.reply_message, attemptReasons[reason])

const answer = (packet: Packet, { secret }: Gateway, kind: number, attributes: ReturnType<typeof text>[]) =>
  answerTo(packet, { code: kind, attributes }, secret)

export const callingStation = (packet: Attributes): string | null =>
  macIn(textOf(packet, attribute.calling_station_id) ?? '') ?? null
