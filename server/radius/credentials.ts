// Credentials: how an access request carries a guest's password: hidden with the secret (PAP), or as a proof of it (CHAP).
import { attribute, microsoft } from '#server/radius-codec/dictionary.ts'
import { md5, valueOf, valuesOf, type Attribute, type Attributes, type Packet } from '#server/radius-codec/packet.ts'
import type { Credentials } from '#server/access/guest-credentials.ts'

const block_bytes = 16
const password_bytes_max = 128
const chap_bytes = 17

/** Undefined: malformed, so not a password. */
export function credentialsIn(packet: Packet, secret: string): Credentials | undefined {
  if (valueOf(packet, attribute.chap_password)) return proofIn(packet, packet.authenticator)
  const hidden = valueOf(packet, attribute.user_password)
  if (!hidden) return { kind: 'none' }
  if (hidden.length === 0 || hidden.length > password_bytes_max || hidden.length % block_bytes !== 0) return undefined
  return { kind: 'password', password: shown(hidden, secret, packet.authenticator) }
}

const chaps: readonly number[] = [microsoft.chap_response, microsoft.chap_challenge, microsoft.chap2_response]

/** EAP and MS-CHAP are not offered, because they need a password's hash or certificates. Such a request does not count as a guess. */
export const isOffered = (packet: Attributes) =>
  !valueOf(packet, attribute.eap_message) &&
  !valuesOf(packet, attribute.vendor_specific).some(
    (value) => value.length > 4 && value.readUInt32BE(0) === microsoft.vendor && chaps.includes(value.readUInt8(4)),
  )

const eap = { failure: 4, length: 4, id_at: 1 } as const
/** A refusal of EAP has to contain this (RFC 3579), which ends the conversation, instead of a message. */
export function eapFailureIn(packet: Attributes): Attribute | null {
  const asked = valueOf(packet, attribute.eap_message)
  if (!asked) return null
  const id = asked.length > eap.id_at ? asked.readUInt8(eap.id_at) : 0
  return { type: attribute.eap_message, value: Buffer.of(eap.failure, id, 0, eap.length) }
}

/** `challenge` is used where the packet has none of its own. */
export function proofIn(packet: Attributes, challenge?: Buffer): Credentials | undefined {
  const proof = valueOf(packet, attribute.chap_password)
  const asked = valueOf(packet, attribute.chap_challenge) ?? challenge
  if (proof?.length !== chap_bytes || !asked) return undefined
  return { kind: 'chap', id: proof.readUInt8(0), response: proof.subarray(1), challenge: asked }
}

/** Each block of 16 bytes is XORed with a hash of the secret and the block before it. */
function shown(hidden: Buffer, secret: string, authenticator: Buffer): string {
  const password = Buffer.from(hidden)
  for (let at = 0, before = authenticator; at < hidden.length; at += block_bytes) {
    const mask = md5(Buffer.from(secret), before)
    before = hidden.subarray(at, at + block_bytes)
    for (const [index, byte] of mask.entries()) password.writeUInt8(byte ^ before.readUInt8(index), at + index)
  }
  const end = password.findLastIndex((byte) => byte !== 0) + 1
  return password.toString('utf8', 0, end)
}
