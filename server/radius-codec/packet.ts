// Packet: RADIUS as bytes (RFC 2865, 2866, 2869, 5176): parses packets, signs them and verifies their signatures.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { attribute } from '#server/radius-codec/dictionary.ts'

export interface Attribute {
  type: number
  value: Buffer
}

/** The content of a packet, whichever front it came by. */
export interface Attributes {
  attributes: Attribute[]
}

export interface Packet extends Attributes {
  code: number
  id: number
  authenticator: Buffer
  /** As received, without bytes after the packet's own length. */
  bytes: Buffer
}

const header_bytes = 20
const packet_bytes_max = 4096
/** Far more than any real gateway sends; a limit, because each is searched several times. */
const attributes_max = 250
export const value_bytes_max = 253
const authenticator_at = 4
const authenticator_bytes = 16

/** Null: no RADIUS packet. */
export function readPacket(received: Buffer): Packet | null {
  if (received.length < header_bytes) return null
  const length = received.readUInt16BE(2)
  if (length < header_bytes || length > received.length || length > packet_bytes_max) return null
  const bytes = Buffer.from(received.subarray(0, length))
  const attributes = readAttributes(bytes.subarray(header_bytes))
  if (attributes === null) return null
  const authenticator = bytes.subarray(authenticator_at, header_bytes)
  return { code: bytes.readUInt8(0), id: bytes.readUInt8(1), authenticator, attributes, bytes }
}

function readAttributes(bytes: Buffer): Attribute[] | null {
  const attributes: Attribute[] = []
  for (let at = 0; at < bytes.length;) {
    const length = at + 1 < bytes.length ? bytes.readUInt8(at + 1) : 0
    if (length < 2 || at + length > bytes.length || attributes.length === attributes_max) return null
    attributes.push({ type: bytes.readUInt8(at), value: bytes.subarray(at + 2, at + length) })
    at += length
  }
  return attributes
}

/** The first one, where an attribute occurs several times. */
export const valueOf = ({ attributes }: Attributes, type: number): Buffer | undefined =>
  attributes.find((each) => each.type === type)?.value

/** For attributes that may occur several times. */
export const valuesOf = ({ attributes }: Attributes, type: number): Buffer[] =>
  attributes.filter((one) => one.type === type).map(({ value }) => value)

export function textOfAttribute(packet: Attributes, type: number): string | undefined {
  const value = valueOf(packet, type)?.toString('utf8')
  // PostgreSQL stores no zero byte, and no name has one.
  return value === undefined || value === '' || value.includes('\0') ? undefined : value
}

export function numberOfAttribute(packet: Attributes, type: number): number | undefined {
  const value = valueOf(packet, type)
  return value?.length === 4 ? value.readUInt32BE(0) : undefined
}

/** Checks the Message-Authenticator of an access request. */
export function signatureOf(packet: Packet, secret: string): 'right' | 'wrong' | 'missing' {
  const given = packet.attributes.filter(({ type }) => type === attribute.message_authenticator)
  const [signature] = given
  if (!signature) return 'missing'
  if (given.length > 1 || signature.value.length !== authenticator_bytes) return 'wrong'
  const unsigned = Buffer.from(packet.bytes)
  const at = signature.value.byteOffset - packet.bytes.byteOffset
  unsigned.fill(0, at, at + authenticator_bytes)
  return timingSafeEqual(hmac(secret, unsigned), signature.value) ? 'right' : 'wrong'
}

/** Whether the sender of an accounting request knows the secret: the authenticator covers the whole packet. */
export function isSignedAccounting(packet: Packet, secret: string): boolean {
  const unsigned = Buffer.from(packet.bytes)
  unsigned.fill(0, authenticator_at, header_bytes)
  return timingSafeEqual(md5(unsigned, Buffer.from(secret)), packet.authenticator)
}

/**
 * The answer to a request. Message-Authenticator comes first: otherwise an attacker in between could forge an acceptance from a
 * refusal (CVE-2024-3596). Accounting answers have none. Null: it does not fit.
 */
export function answerTo(
  request: Packet,
  { code, attributes, isSigned = true }: { code: number; attributes: Attribute[]; isSigned?: boolean },
  secret: string,
): Buffer | null {
  // A proxy in between needs its Proxy-State attributes back, unchanged and in their order.
  const proxy_states = request.attributes.filter(({ type }) => type === attribute.proxy_state)
  const packet = assembled(code, request.id, [...(isSigned ? [noSignature] : []), ...attributes, ...proxy_states])
  if (packet === null) return null
  request.authenticator.copy(packet, authenticator_at)
  if (isSigned) hmac(secret, packet).copy(packet, header_bytes + 2)
  md5(packet, Buffer.from(secret)).copy(packet, authenticator_at)
  return packet
}

/** Our request to a gateway (Disconnect, CoA), signed in both ways. */
export function requestOf(code: number, id: number, attributes: Attribute[], secret: string): Buffer | null {
  const packet = assembled(code, id, [noSignature, ...attributes])
  if (packet === null) return null
  hmac(secret, packet).copy(packet, header_bytes + 2)
  md5(packet, Buffer.from(secret)).copy(packet, authenticator_at)
  return packet
}

/** Whether an answer to our packet `request` was made with the secret. */
export function isAnswerTo(answer: Packet, request: Buffer, secret: string): boolean {
  if (answer.id !== request.readUInt8(1)) return false
  const unsigned = Buffer.from(answer.bytes)
  request.copy(unsigned, authenticator_at, authenticator_at, header_bytes)
  return timingSafeEqual(md5(unsigned, Buffer.from(secret)), answer.authenticator)
}

const noSignature: Attribute = { type: attribute.message_authenticator, value: Buffer.alloc(authenticator_bytes) }

/** With an empty authenticator. */
function assembled(code: number, id: number, attributes: Attribute[]): Buffer | null {
  const body = Buffer.concat(
    attributes.map(({ type, value }) => Buffer.concat([Buffer.of(type, value.length + 2), value])),
  )
  const length = header_bytes + body.length
  if (length > packet_bytes_max) return null
  const header = Buffer.alloc(header_bytes)
  header.writeUInt8(code, 0)
  header.writeUInt8(id, 1)
  header.writeUInt16BE(length, 2)
  return Buffer.concat([header, body])
}

/** As much of a text as fits into one attribute, cut between characters. */
export function textAttribute(type: number, value: string): Attribute {
  const bytes = Buffer.from(value)
  let end = Math.min(bytes.length, value_bytes_max)
  const isWithinCharacter = (at: number) => at < bytes.length && (bytes.readUInt8(at) & 0xc0) === 0x80
  while (isWithinCharacter(end)) end--
  return { type, value: bytes.subarray(0, end) }
}

export const number_max = 0xffff_ffff
/** Numbers that are too large become the largest possible. */
export function numberAttribute(type: number, value: number): Attribute {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(Math.min(Math.max(Math.round(value), 0), number_max))
  return { type, value: bytes }
}

/** A number of more than 32 bits is sent as two. */
export const gigawordsOf = (value: number) => ({
  low: value % (number_max + 1),
  gigawords: Math.floor(value / (number_max + 1)),
})

export const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest()
const hmac = (secret: string, bytes: Uint8Array) => createHmac('md5', secret).update(bytes).digest()
