// RADIUS sender: a separate process that sends packets as gateways do, a number of them at once, and counts the answers.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { packetOf, type RadiusRequest } from '#test/radius-client.ts'

export interface ToSend {
  asked: RadiusRequest
  secret: string
  kind: number
}
export interface Order {
  port: number
  packets: ToSend[]
  /** Packets in flight at any time. */
  at_once: number
}
export interface Sent {
  /** Number of answers by code. */
  answers: Record<number, number>
  /** How often a packet had to be sent again. */
  repeated: number
  seconds: number
  /** Median and 99th percentile of the time until the answer. */
  p50_ms: number
  p99_ms: number
}

const repeated_after_ms = 2000

process.on('message', (order: Order) => void send(order).then((sent) => process.send?.(sent)))
// A message sent to a process before it listens is lost.
process.send?.('ready')

async function send({ port, packets, at_once }: Order): Promise<Sent> {
  const built = packets.map(({ asked, ...made }) => packetOf(asked, made))
  const sockets = await Promise.all(Array.from({ length: at_once }, opened))
  const answers: Sent['answers'] = {}
  const waits: number[] = []
  let next = 0
  let repeated = 0
  const begun = performance.now()
  await Promise.all(
    sockets.map(async (socket) => {
      for (let packet = built[next++]; packet; packet = built[next++]) {
        const asked_at = performance.now()
        const again = setInterval((bytes: Buffer) => (repeated++, socket.send(bytes, port)), repeated_after_ms, packet)
        const code = await socket.ask(packet, port)
        clearInterval(again)
        waits.push(performance.now() - asked_at)
        answers[code] = (answers[code] ?? 0) + 1
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  for (const { close } of sockets) close()
  const sorted = waits.toSorted((one, other) => one - other)
  const share = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  return { answers, repeated, seconds, p50_ms: share(0.5), p99_ms: share(0.99) }
}

async function opened() {
  const socket: Socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const waiting = new Map<number, (code: number) => void>()
  socket.on('message', (bytes) => {
    const id = bytes.readUInt8(1)
    waiting.get(id)?.(bytes.readUInt8(0))
    waiting.delete(id)
  })
  const to = (packet: Buffer, port: number) => socket.send(packet, port, '127.0.0.1')
  return {
    waiting,
    send: to,
    ask: (packet: Buffer, port: number) =>
      new Promise<number>((answered) => {
        waiting.set(packet.readUInt8(1), answered)
        to(packet, port)
      }),
    close: () => socket.close(),
  }
}
