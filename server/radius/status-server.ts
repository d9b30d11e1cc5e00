// Status-Server: a gateway asks whether we are there (RFC 5997), on either port, before it sends us anybody or after it gave us up.
import { code } from '#server/radius/dictionary.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import { answerTo, signatureOf, type Packet } from '#server/radius/packet.ts'

/** Yes, to whoever signed it. @param yes of the port that was asked */
export async function answerStatus(
  gateways: Gateways,
  packet: Packet,
  address: string,
  yes: typeof code.access_accept | typeof code.accounting_response,
): Promise<Buffer | null> {
  // It is never taken without a signature, not even from a gateway whose requests are.
  const gateway = await gateways.senderOf(packet, address, (secret) =>
    signatureOf(packet, secret) === 'right' ? 'right' : 'wrong',
  )
  return (
    gateway && answerTo(packet, { code: yes, attributes: [], isSigned: yes === code.access_accept }, gateway.secret)
  )
}
