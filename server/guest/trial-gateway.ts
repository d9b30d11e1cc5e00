// Trial gateway: a simulated gateway that asks our own RADIUS over UDP like any other, and reports what its guests use until they leave.
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import {
  isAnswerTo,
  md5,
  numberAttribute,
  numberOfAttribute,
  readPacket,
  textAttribute,
  valueOf,
  type Attribute,
  type Packet,
} from '#server/radius-codec/packet.ts'

/** Where it sends what it asks and reports. */
export interface Ports {
  host: string
  access: number
  accounting: number
}

/** What a session is reported by. */
export interface Online {
  acct_session_id: string
  username: string
  mac_address: string
  mark: Buffer | null
  began_at: number
  ends_at: number
  bytes_up: number
  bytes_down: number
  /** Reports in a row that nobody answered. */
  unanswered: number
}

/** What nodes have reported as this one gateway: a guest who was let in by one may come to another to leave. */
export interface TrialReports {
  openOf: (mac_address: string) => Promise<Online | null>
  /** Of these sessions, those whose end was reported. */
  ended: (acct_session_ids: string[]) => Promise<string[]>
}

const block_bytes = 16
const again_ms = [1500, 3000, 5000]
/** Guests who wait for the next report see it within a moment. */
const report_every_ms = 5000
const unanswered_max = 3
const cause = { user_request: 1, session_timeout: 5 }

/** RFC 2865 §5.2. */
function hidden(password: string, secret: string, authenticator: Buffer): Buffer {
  const length = Math.max(1, Math.ceil(Buffer.byteLength(password) / block_bytes)) * block_bytes
  const padded = Buffer.alloc(length)
  padded.write(password)
  let before = authenticator
  for (let at = 0; at < length; at += block_bytes) {
    const cover = md5(Buffer.from(secret), before)
    for (const [n, byte] of cover.entries()) padded.writeUInt8(padded.readUInt8(at + n) ^ byte, at + n)
    before = padded.subarray(at, at + block_bytes)
  }
  return padded
}

function packetOf(kind: number, attributes: readonly Attribute[], authenticator: Buffer): Buffer {
  const body = Buffer.concat(
    attributes.map(({ type, value }) => Buffer.concat([Buffer.of(type, value.length + 2), value])),
  )
  const header = Buffer.alloc(4)
  header.writeUInt8(kind, 0)
  header.writeUInt8(randomInt(256), 1)
  header.writeUInt16BE(20 + body.length, 2)
  return Buffer.concat([header, authenticator, body])
}

/** Null: nobody answers. */
async function answerTo(
  packet: Buffer,
  { host, port, secret }: { host: string; port: number; secret: string },
): Promise<Packet | null> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  const { promise, resolve } = Promise.withResolvers<Packet | null>()
  socket.on('error', () => resolve(null))
  socket.on('message', (bytes) => {
    const answer = readPacket(bytes)
    if (answer && isAnswerTo(answer, packet, secret)) resolve(answer)
  })
  const timers = again_ms.map((_, n) => {
    const after = again_ms.slice(0, n).reduce((sum, ms) => sum + ms, 0)
    return setTimeout(() => socket.send(packet, port, host), after)
  })
  const patience = again_ms.reduce((sum, ms) => sum + ms, 0)
  timers.push(setTimeout(() => resolve(null), patience))
  try {
    return await promise
  } finally {
    for (const timer of timers) clearTimeout(timer)
    socket.close()
    await once(socket, 'close')
  }
}

interface TrialGatewayOptions {
  called: string
  secret: string
  reported: TrialReports
}

export function openTrialGateway(near: Ports, { called, secret, reported }: TrialGatewayOptions) {
  const sessions = new Map<string, Online>()
  const reporting = setInterval(() => void reportAll(), report_every_ms)
  reporting.unref()
  const ask = (packet: Buffer, port: number) => answerTo(packet, { host: near.host, port, secret })

  async function report(session: Online, type: number, more: readonly Attribute[] = []): Promise<void> {
    const attributes = [
      numberAttribute(attribute.acct_status_type, type),
      textAttribute(attribute.nas_identifier, called),
      textAttribute(attribute.user_name, session.username),
      textAttribute(attribute.calling_station_id, session.mac_address),
      textAttribute(attribute.acct_session_id, session.acct_session_id),
      numberAttribute(attribute.acct_session_time, (Date.now() - session.began_at) / 1000),
      numberAttribute(attribute.acct_input_octets, session.bytes_up),
      numberAttribute(attribute.acct_output_octets, session.bytes_down),
      numberAttribute(attribute.event_timestamp, Date.now() / 1000),
      ...(session.mark ? [{ type: attribute.class, value: session.mark }] : []),
      ...more,
    ]
    const packet = packetOf(code.accounting_request, attributes, Buffer.alloc(block_bytes))
    md5(packet, Buffer.from(secret)).copy(packet, 4)
    session.unanswered = (await ask(packet, near.accounting)) ? 0 : session.unanswered + 1
  }

  async function end(mac_address: string, why: number = cause.user_request): Promise<void> {
    const session = sessions.get(mac_address) ?? (await reported.openOf(mac_address))
    if (!session) return
    sessions.delete(mac_address)
    await report(session, status_type.stop, [numberAttribute(attribute.acct_terminate_cause, why)])
  }

  async function reportAll(): Promise<void> {
    if (sessions.size === 0) return
    const ids = [...sessions.values()].map(({ acct_session_id }) => acct_session_id)
    // Without the database, it is asked again by the next report.
    const ended = await reported.ended(ids).catch((): string[] => [])
    for (const session of sessions.values()) {
      if (ended.includes(session.acct_session_id)) {
        sessions.delete(session.mac_address)
        continue
      }
      session.bytes_down += randomInt(200_000, 2_000_000)
      session.bytes_up += randomInt(20_000, 200_000)
      if (session.ends_at <= Date.now()) await end(session.mac_address, cause.session_timeout)
      else await report(session, status_type.interim)
      // The trial was taken away.
      if (session.unanswered >= unanswered_max) sessions.delete(session.mac_address)
    }
  }

  return {
    /** Whether the guest may go online, who then is. Null: nobody answers. */
    async admit(mac_address: string, username: string, password: string): Promise<boolean | null> {
      const authenticator = randomBytes(block_bytes)
      const attributes = [
        // First, as an attacker in between could forge an acceptance otherwise (CVE-2024-3596).
        { type: attribute.message_authenticator, value: Buffer.alloc(block_bytes) },
        textAttribute(attribute.user_name, username),
        { type: attribute.user_password, value: hidden(password, secret, authenticator) },
        textAttribute(attribute.calling_station_id, mac_address),
        textAttribute(attribute.nas_identifier, called),
      ]
      const packet = packetOf(code.access_request, attributes, authenticator)
      createHmac('md5', secret).update(packet).digest().copy(packet, 22)
      const answer = await ask(packet, near.access)
      if (!answer) return null
      if (answer.code !== code.access_accept) return false
      await end(mac_address)
      const seconds = numberOfAttribute(answer, attribute.session_timeout)
      const session: Online = {
        acct_session_id: randomBytes(8).toString('hex'),
        username,
        mac_address,
        mark: valueOf(answer, attribute.class) ?? null,
        began_at: Date.now(),
        ends_at: seconds === undefined ? Infinity : Date.now() + seconds * 1000,
        bytes_up: 0,
        bytes_down: 0,
        unanswered: 0,
      }
      sessions.set(mac_address, session)
      await report(session, status_type.start)
      return true
    },
    end,
    /** What it still knows is not reported any more. */
    close() {
      clearInterval(reporting)
      sessions.clear()
    },
  }
}
export type TrialGateway = ReturnType<typeof openTrialGateway>

/** The address of a device as phones make them up: of no maker, and another at each network. */
export function deviceOf(seed: string): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 6)
  bytes.writeUInt8((bytes.readUInt8(0) & 0xfc) | 0x02, 0)
  return (bytes.toString('hex').match(/../g) ?? []).join(':')
}
