// Access: answers gateways that ask whether a guest may go online.
import { attemptReasons, type AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Credentials } from '#server/access/guest-credentials.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { admit, type Verdict } from '#server/admission/admit.ts'
import { normalisedMac, type SignInRequest } from '#server/admission/identify.ts'
import { credentialsIn, eapFailureIn, isOffered } from '#server/radius/credentials.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import type { Gateway } from '#server/radius/registered-gateways.ts'
import { Batcher } from '#server/radius/batcher.ts'
import { answerStatus } from '#server/radius/status-server.ts'
import { openPortalAddresses } from '#server/radius/portal-addresses.ts'
import {
  answerTo,
  signatureOf,
  textAttribute,
  textOfAttribute,
  type Attribute,
  type Attributes,
  type Packet,
} from '#server/radius-codec/packet.ts'
import type { Services } from '#server/services.ts'

/** The Class attribute, which the gateway repeats with each record of the session. */
const classOf = (attempt_id: number) => `foyer-${attempt_id}`
/** That of a device which may open the portal and nothing else. */
export const limited_class = 'foyer-portal'

/** What a gateway is answered. */
interface Decision {
  accepted: boolean
  attributes: Attribute[]
}

/** Decides on access requests. */
export function openAccess(
  services: Pick<Services, 'tenancy' | 'seal' | 'metrics' | 'guestDoors' | 'portal_url' | 'portal_domain'>,
) {
  const { tenancy, seal, metrics } = services
  const portals = openPortalAddresses(services)
  const batcher = new Batcher<SignInRequest, Verdict>(
    (first, take) =>
      tenancy.enter(callerOfGateway(first), 'write', async (scope) => {
        const asked = take().map(({ item }) => item)
        return asked.length === 0 ? [] : admit(scope, seal, first.property_id, asked)
      }),
    { running_max: 2 },
  )

  /** Null: the guest cannot be sent to the portal. */
  async function sentOn({ id, dialect, secret, settings }: Gateway, packet: Attributes, session: string) {
    const at = await portals.of(id)
    const calling_station = textOfAttribute(packet, attribute.calling_station_id)
    const told = at && calling_station && dialect.sendsOn?.accept({ ...at, secret, settings, calling_station, session })
    return told ? [textAttribute(attribute.class, limited_class), ...told] : null
  }

  return {
    /** The answer to a request, whichever front it came by. Null: it has no user name. */
    async decide(
      gateway: Gateway,
      packet: Attributes,
      credentials: Credentials = { kind: 'none' },
    ): Promise<Decision | null> {
      const user_name = textOfAttribute(packet, attribute.user_name)
      if (user_name === undefined) return null
      const session = gateway.dialect.sendsOn?.sessionIn(packet, gateway.settings) ?? null
      const verdict = await batcher.ask(gateway, {
        gateway_id: gateway.id,
        user_name,
        credentials,
        mac_address: callingStation(packet),
        is_offered: isOffered(packet),
        asks_again: gateway.dialect.end === null,
        sends_on: session !== null,
      })
      const told =
        !verdict.accepted && verdict.sent_on && session !== null ? await sentOn(gateway, packet, session) : null
      if (told) return { accepted: true, attributes: told }
      metrics.signIn('gateway', verdict.reason)
      return verdict.accepted
        ? { accepted: true, attributes: acceptOf(gateway, packet, verdict) }
        : { accepted: false, attributes: [refusalOf(packet, verdict.reason)] }
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
  const decision = gateway && (await access.decide(gateway, packet, credentialsIn(packet, gateway.secret)))
  if (!decision) return null
  const { accepted, attributes } = decision
  return answerTo(packet, { code: accepted ? code.access_accept : code.access_reject, attributes }, gateway.secret)
}

/** What an Accept carries: our mark, and the limits in the words of the gateway's make. */
const acceptOf = (
  { dialect, settings }: Pick<Gateway, 'dialect' | 'settings'>,
  packet: Attributes,
  { grant, class_of }: Extract<Verdict, { accepted: true }>,
) => [textAttribute(attribute.class, classOf(class_of)), ...dialect.accept(grant, packet, settings)]

const refusalOf = (packet: Attributes, reason: AttemptReason) =>
  eapFailureIn(packet) ?? textAttribute(attribute.reply_message, attemptReasons[reason])

export const callingStation = (packet: Attributes): string | null =>
  normalisedMac(textOfAttribute(packet, attribute.calling_station_id) ?? '') ?? null
