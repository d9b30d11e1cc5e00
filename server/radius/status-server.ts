// Status-Server: a gateway checks whether this server is alive (RFC 5997), on either port.
import { code } from '#server/radius-codec/dictionary.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import { answerTo, signatureOf, type Packet } from '#server/radius-codec/packet.ts'

/** Answers if it is signed. @param yes the code of the answer on this port */
export async function answerStatus(
  gateways: Gateways,
  packet: Packet,
  address: string,
  yes: typeof code.access_accept | typeof code.accounting_response,
): Promise<Buffer | null> {
  // It always needs a signature, even from a gateway whose requests do not.
  const gateway = await gateways.senderOf(packet, address, (secret) =>
    signatureOf(packet, secret) === 'right' ? 'right' : 'wrong',
  )
  return (
    gateway && answerTo(packet, { code: yes, attributes: [], isSigned: yes === code.access_accept }, gateway.secret)
  )
}
