// UDP: a port on which gateways ask. A repeated packet gets the answer that it got before, or waits for it with the first.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { Recent } from '#server/turns/recent.ts'
import { readPacket, type Packet } from '#server/radius/packet.ts'

/** A gateway repeats what it heard nothing of for some seconds. */
const repeated_for_ms = 30_000
const repeated_max = 20_000
/** Packets that are worked on, of known gateways and of strangers apart; more are dropped, and come again. */
const at_once_max = { known: 4000, strangers: 1000 }

/** Null: no answer. */
export type AnswerPacket = (packet: Packet, address: string) => Promise<Buffer | null>

export interface UdpPort {
  port: number
  close(): Promise<void>
}

export interface Answers {
  /** Told before anything is looked up. */
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
  const open = { known: 0, strangers: 0 }

  async function take(packet: Packet, from: RemoteInfo) {
    const key = `${from.address} ${from.port} ${packet.bytes.toString('base64', 0, 20)}`
    const known = answers.get(key)
    if (known) return known
    const answered = answer(packet, plain(from.address))
    answers.set(key, answered)
    const bytes = await answered.catch((error: unknown) => {
      failed(error)
      return null
    })
    // What got no answer is looked at anew when it comes again.
    if (bytes === null) answers.delete(key)
    return bytes
  }

  socket.on('message', (bytes, from) => {
    const packet = readPacket(bytes)
    if (packet === null) return
    const address = plain(from.address)
    const line = isKnown(packet, address) ? 'known' : 'strangers'
    if (open[line] >= at_once_max[line]) return
    open[line]++
    take(packet, from)
      .then((reply) => reply && send(socket, reply, from))
      .catch(() => {})
      .finally(() => open[line]--)
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  socket.on('error', failed)
  return {
    port: socket.address().port,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

/** An IPv4 address, also where it comes through a socket of IPv6; and without the interface of a link-local one. */
const plain = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')

/** A gateway that is gone by now is no failure. */
const send = (socket: Socket, bytes: Buffer, { port, address }: RemoteInfo) =>
  new Promise<void>((resolve) => socket.send(bytes, port, address, () => resolve()))
