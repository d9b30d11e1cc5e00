// RADIUS client: a gateway that sends requests and reports over real UDP, with its own way of making packets.
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'

/** By the dictionary's names; several values become several attributes. */
export type Attributes = Partial<Record<keyof typeof attribute, string | number | Buffer | (string | Buffer)[]>>
export interface RadiusRequest extends Attributes {
  password?: string
  chap?: string
}
export interface Answered {
  code: number
  attributes: { type: number; value: Buffer }[]
}

const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest()
const names = attribute as Record<string, number>

function encoded(type: number, value: string | number | Buffer): Buffer {
  const number = Buffer.alloc(4)
  if (typeof value === 'number') number.writeUInt32BE(value >>> 0)
  const bytes = typeof value === 'number' ? number : Buffer.from(value as string)
  return Buffer.concat([Buffer.of(type, bytes.length + 2), bytes])
}

function hidden(password: string, secret: string, authenticator: Buffer): Buffer {
  const bytes = Buffer.from(password)
  const padded = Buffer.concat([bytes, Buffer.alloc(Math.max(16, Math.ceil(bytes.length / 16) * 16) - bytes.length)])
  const blocks: Buffer[] = []
  for (let at = 0; at < padded.length; at += 16) {
    const cover = md5(Buffer.from(secret), blocks.at(-1) ?? authenticator)
    blocks.push(Buffer.from(padded.subarray(at, at + 16).map((byte, index) => byte ^ cover.readUInt8(index))))
  }
  return Buffer.concat(blocks)
}

interface Made {
  secret: string
  kind: number
  signed?: boolean
}
/** A request in the form a gateway sends it. */
export function packetOf(
  { password, chap, ...attributes }: RadiusRequest,
  { secret, kind, signed = true }: Made,
): Buffer {
  const isAccess = kind === code.access_request || kind === code.status_server
  const authenticator = isAccess ? randomBytes(16) : Buffer.alloc(16)
  const parts = Object.entries(attributes).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => encoded(names[name] ?? 0, one)),
  )
  if (password !== undefined) parts.push(encoded(attribute.user_password, hidden(password, secret, authenticator)))
  if (chap !== undefined)
    parts.push(
      encoded(
        attribute.chap_password,
        Buffer.concat([Buffer.of(7), md5(Buffer.of(7), Buffer.from(chap), authenticator)]),
      ),
    )
  if (isAccess && signed) parts.unshift(encoded(attribute.message_authenticator, Buffer.alloc(16)))
  const body = Buffer.concat(parts)
  const header = Buffer.alloc(20)
  header.writeUInt8(kind, 0)
  header.writeUInt8(randomInt(256), 1)
  header.writeUInt16BE(20 + body.length, 2)
  authenticator.copy(header, 4)
  const packet = Buffer.concat([header, body])
  if (isAccess && signed) createHmac('md5', secret).update(packet).digest().copy(packet, 22)
  if (!isAccess) md5(packet, Buffer.from(secret)).copy(packet, 4)
  return packet
}

export function read(packet: Buffer): Answered {
  const attributes: Answered['attributes'] = []
  for (let at = 20; at < packet.length; at += packet.readUInt8(at + 1))
    attributes.push({ type: packet.readUInt8(at), value: packet.subarray(at + 2, at + packet.readUInt8(at + 1)) })
  return { code: packet.readUInt8(0), attributes }
}

export const textIn = ({ attributes }: Answered, type: number) =>
  attributes.find((each) => each.type === type)?.value.toString()
export const numberIn = ({ attributes }: Answered, type: number) =>
  attributes.find((each) => each.type === type)?.value.readUInt32BE(0)

interface Box {
  nas_identifier: string
  radius_secret: string
}

/** A gateway that sends requests over UDP, and accepts requests to itself, on a free port unless one is given. */
export async function openGateway(
  ports: RadiusPorts,
  { nas_identifier, radius_secret: secret }: Box,
  onRequest: (request: Answered) => void = () => {},
  again_after_ms = 3000,
  { host = '127.0.0.1', port = 0 } = {},
) {
  const socket = createSocket('udp4')
  socket.bind(port, host)
  await new Promise((resolve) => socket.once('listening', resolve))
  const closing = new AbortController()
  const closed = closing.signal
  /** By port and identifier: a gateway numbers its requests to each port separately (RFC 2865 §3, RFC 2866 §3). */
  const waiting = new Map<string, { sent: Buffer; done: (answer: Answered | null) => void }>()
  const keyOf = (packet: Buffer, port: number) => `${port} ${packet.readUInt8(1)}`
  /** Resolves `nextRequest`. */
  let onNextRequest: ((request: Answered) => void) | null = null
  socket.on('message', (bytes, from) => {
    const kind = bytes.readUInt8(0)
    if (kind === code.disconnect_request || kind === code.coa_request) {
      // What is not signed with its secret it drops, as RFC 5176 wants.
      const unsigned = Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(16), bytes.subarray(20)])
      if (!md5(unsigned, Buffer.from(secret)).equals(bytes.subarray(4, 20))) return
      const request = read(bytes)
      const error = gateway.refuses(request)
      const reason = error === null ? Buffer.alloc(0) : encoded(attribute.error_cause, error)
      // The code of an ACK is the request's code plus 1, that of a NAK plus 2.
      const head = Buffer.of(kind + (error === null ? 1 : 2), bytes.readUInt8(1), 0, 20 + reason.length)
      const answer = Buffer.concat([head, bytes.subarray(4, 20), reason])
      md5(answer, Buffer.from(secret)).copy(answer, 4)
      if (gateway.loses_answers-- <= 0) socket.send(answer, from.port, from.address)
      gateway.requests.push({ ...request, at: performance.now() })
      onNextRequest?.(request)
      onRequest(request)
      return
    }
    const asked = waiting.get(keyOf(bytes, from.port))
    if (!asked) return
    const claimed = Buffer.from(bytes.subarray(4, 20))
    const unsigned = Buffer.from(bytes)
    asked.sent.copy(unsigned, 4, 4, 20)
    if (md5(unsigned, Buffer.from(secret)).equals(claimed)) asked.done(read(bytes))
  })

  /** Repeats the packet like a gateway; null if no answer comes. */
  async function send(packet: Buffer, port: number, patience_ms = 20_000): Promise<Answered | null> {
    const key = keyOf(packet, port)
    while (waiting.has(key) && !closed.aborted) await sleep(5)
    if (closed.aborted) return null
    const { promise, resolve } = Promise.withResolvers<Answered | null>()
    waiting.set(key, { sent: packet, done: resolve })
    const again = setInterval(() => socket.send(packet, port, '127.0.0.1'), again_after_ms)
    const late = setTimeout(() => resolve(null), patience_ms)
    socket.send(packet, port, '127.0.0.1')
    const answer = await promise
    clearInterval(again)
    clearTimeout(late)
    waiting.delete(key)
    return answer
  }
  const known = <A extends RadiusRequest>(asked: A) => ({ nas_identifier, ...asked })

  const gateway = {
    socket,
    port: socket.address().port,
    /** All requests to it, and when they came. */
    requests: [] as (Answered & { at: number })[],
    /** The Error-Cause of a NAK. Null: ACK, which is the default. */
    refuses: (_request: Answered): number | null => null,
    /** Number of its next answers to requests that are lost. */
    loses_answers: 0,
    /** The next request to it. */
    nextRequest: () => new Promise<Answered>((resolve) => (onNextRequest = resolve)),
    send,
    /** An access request; throws if it gets no answer. */
    async access(asked: RadiusRequest): Promise<Answered> {
      const answer = await send(packetOf(known(asked), { secret, kind: code.access_request }), ports.access)
      if (!answer) throw new Error('no answer')
      return answer
    },
    accessPacket: (asked: RadiusRequest, made: Partial<Made> = {}) =>
      packetOf(known(asked), { secret, kind: code.access_request, ...made }),
    accountingPacket: (asked: RadiusRequest, made: Partial<Made> = {}) =>
      packetOf(known(asked), { secret, kind: code.accounting_request, ...made }),
    async report(asked: RadiusRequest): Promise<Answered> {
      const answer = await send(packetOf(known(asked), { secret, kind: code.accounting_request }), ports.accounting)
      if (!answer) throw new Error('no answer')
      return answer
    },
    /** Requests that are still waiting get no answer. */
    close() {
      closing.abort()
      for (const { done } of waiting.values()) done(null)
      return new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
  return gateway
}
export type TestGateway = Awaited<ReturnType<typeof openGateway>>
