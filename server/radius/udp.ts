// UDP: a port for requests of gateways. A repeated packet gets the same answer as before, or waits for it together with the first.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { plainAddress } from '#server/access/network.ts'
import { Recent } from '#server/turns/recent-cache.ts'
import { readPacket, type Packet } from '#server/radius-codec/packet.ts'

/** A gateway repeats unanswered packets for some seconds. */
const repeated_for_ms = 30_000
const repeated_max = 20_000
/** Packets in progress, of known gateways and of others; more are dropped, and gateways repeat them. */
const at_once_max = { known: 4000, others: 1000 }

/** Null: no answer. */
export type AnswerPacket = (packet: Packet, address: string) => Promise<Buffer | null>

export interface UdpPort {
  port: number
  /** Whether packets still arrive. */
  isOpen(): boolean
  close(): Promise<void>
}

export interface Answers {
  /** Called before any look-up. */
  isKnown: (packet: Packet, address: string) => boolean
  answer: AnswerPacket
  failed: (error: unknown) => void
}

export async function openUdpPort(
  { host, port }: { host: string; port: number },
  { isKnown, answer, failed }: Answers,
): Promise<UdpPort> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: 4 * 1024 * 1024 })
  const answers = new Recent<Promise<Buffer | null>>(repeated_for_ms, repeated_max)
  const open = { known: 0, others: 0 }

  async function take(packet: Packet, from: RemoteInfo) {
    const key = `${from.address} ${from.port} ${packet.bytes.toString('base64', 0, 20)}`
    const known = answers.get(key)
    if (known) return known
    const answered = answer(packet, plainAddress(from.address))
    answers.set(key, answered)
    const bytes = await answered.catch((error: unknown) => {
      failed(error)
      return null
    })
    // A packet without an answer is processed again when it is repeated.
    if (bytes === null) answers.delete(key)
    return bytes
  }

  socket.on('message', (bytes, from) => {
    const packet = readPacket(bytes)
    if (packet === null) return
    const address = plainAddress(from.address)
    const queue = isKnown(packet, address) ? 'known' : 'others'
    if (open[queue] >= at_once_max[queue]) return
    open[queue]++
    take(packet, from)
      .then((reply) => reply && send(socket, reply, from))
      .catch(() => {})
      .finally(() => open[queue]--)
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  socket.on('error', failed)
  let listens = true
  socket.on('close', () => (listens = false))
  return {
    port: socket.address().port,
    isOpen: () => listens,
    close: async () => {
      if (listens) await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** Errors are ignored: the gateway may be gone by now. */
const send = (socket: Socket, bytes: Buffer, { port, address }: RemoteInfo) =>
  new Promise<void>((resolve) => socket.send(bytes, port, address, () => resolve()))
