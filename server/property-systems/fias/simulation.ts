// Simulation of FIAS: the property's side as the specification has it: it listens, links up, swaps its database and tells what happens.
import { createDecipheriv } from 'node:crypto'
import net from 'node:net'

export interface SimulatedGuest {
  /** The reservation's number. */
  key: string
  room: string
  name: string
  first_name?: string
  departs?: string
}

const [stx, etx] = ['\u0002', '\u0003']

export interface SimulatedFias {
  port: number
  /** Records that were received, as text. */
  received: string[]
  guests: Map<string, SimulatedGuest>
  connections: () => number
  /** Bytes that the other side has not taken yet. */
  unsent: () => number
  /** To everybody who is linked; `latin1` unless bytes are given. */
  send(...records: (string | Buffer)[]): void
  raw(bytes: Buffer): void
  checkIn(guest: SimulatedGuest, shares?: boolean): void
  checkOut(key: string, shares?: boolean): void
  move(key: string, room: string): void
  /** Where false, it never answers a request for the database. */
  swaps: boolean
  /** The code of the interface that it knows: with another one the link never comes up. */
  code: string
  /** Interfaces need this key; a wrong one locks them. */
  key: string | null
  locked: boolean
  /** Guests whom it has not told of, and names when it is asked. */
  untold: SimulatedGuest[]
  /** Cuts a swap off after so many guests. */
  cutAfter: number | null
  cut(): void
  close(): Promise<void>
}

const arrivalOf = ({ key, room, name, first_name, departs }: SimulatedGuest, rest: string) =>
  `GI|RN${room}|G#${key}|GN${name}|${first_name === undefined ? '' : `GF${first_name}|`}${departs ? `GD${departs}|` : ''}${rest}`

const began = { day: '261128', time: '090000' }
/** As the specification has it: the moment of our LS, sealed. */
function opens(key: string, record: string): boolean {
  const sealed = /\|CGFidCryptAB;([A-Za-z0-9+/]{22}==)([A-Za-z0-9+/]+={0,2})\|/.exec(record)
  if (!sealed || !record.includes('|RT1|')) return false
  try {
    const decipher = createDecipheriv('aes-128-cbc', Buffer.from(key, 'base64'), Buffer.from(sealed[1] ?? '', 'base64'))
    const plain = Buffer.concat([decipher.update(Buffer.from(sealed[2] ?? '', 'base64')), decipher.final()])
    return plain.toString() === `${began.day}${began.time}`
  } catch {
    return false
  }
}

/** Without records that are asked for, or with a code that is not known, a link is never alive. */
const comesUp = (asked: readonly string[], code: string) => asked.length > 1 && asked[0]?.includes(`|IF${code}|`)

/** @param port a free one unless it is given */
export async function openFias(port = 0): Promise<SimulatedFias> {
  const sockets = new Set<net.Socket>()
  const framed = (record: string | Buffer) =>
    Buffer.concat([
      Buffer.from(stx),
      typeof record === 'string' ? Buffer.from(record, 'latin1') : record,
      Buffer.from(etx),
    ])
  /** All of a room in one record, or a refusal. */
  const answerTo = (record: string) => {
    const of = (name: string) =>
      record
        .split('|')
        .find((field) => field.startsWith(name))
        ?.slice(2) ?? ''
    const [room, number] = [of('PI'), of('P#')]
    const those = [...one.guests.values(), ...one.untold].filter((guest) => guest.room === room)
    const head = `P#${number}|WS${of('WS')}|DA261128|TI090000|RN${room}|`
    if (those.length === 0) return `PA|${head}ASNG|CTnot found|`
    const guests = those.map(({ key, name, first_name }) => `G#${key}|GN${name}|GF${first_name ?? ''}|`)
    return `PL|${head}${guests.join('')}`
  }
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    const tell = (record: string) => socket.write(framed(record))
    let text = ''
    const asked: string[] = []
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf(etx); end >= 0; end = text.indexOf(etx)) {
        const record = text.slice(text.indexOf(stx) + 1, end)
        text = text.slice(end + 1)
        one.received.push(record)
        if (one.locked) return void socket.destroy()
        if (record.startsWith('LD|') && one.key !== null && !opens(one.key, record)) {
          one.locked = true
          return void socket.destroy()
        }
        if (/^L[DR]\|/.test(record)) asked.push(record)
        if (record.startsWith('PR|') && asked.some((other) => other.startsWith('LR|RIPR|'))) tell(answerTo(record))
        if (/^L[AS]\|/.test(record) && comesUp(asked, one.code)) tell('LA|DA261128|TI090000|')
        if (record.startsWith('DR|') && one.swaps) {
          tell('DS|DA261128|TI090000|')
          let told = 0
          for (const guest of one.guests.values()) {
            if (one.cutAfter !== null && told++ >= one.cutAfter) return void socket.destroy()
            tell(arrivalOf(guest, 'SF|'))
          }
          tell('DE|DA261128|TI090000|')
        }
      }
    })
    tell(`LS|DA${began.day}|TI${began.time}|`)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const one: SimulatedFias = {
    port: (server.address() as net.AddressInfo).port,
    received: [],
    guests: new Map(),
    swaps: true,
    code: 'WW',
    key: null,
    locked: false,
    untold: [],
    cutAfter: null,
    connections: () => sockets.size,
    unsent: () => [...sockets].reduce((sum, { writableLength }) => sum + writableLength, 0),
    send(...records) {
      for (const socket of sockets) socket.write(Buffer.concat(records.map(framed)))
    },
    raw(bytes) {
      for (const socket of sockets) socket.write(bytes)
    },
    checkIn(guest, shares = false) {
      one.guests.set(guest.key, guest)
      one.send(arrivalOf(guest, `GS${shares ? 'Y' : 'N'}|`))
    },
    checkOut(key, shares = false) {
      const room = one.guests.get(key)?.room ?? ''
      one.guests.delete(key)
      one.send(`GO|RN${room}|G#${key}|GS${shares ? 'Y' : 'N'}|`)
    },
    move(key, room) {
      const guest = one.guests.get(key)
      if (!guest) return
      one.send(`GC|RN${room}|G#${key}|GN${guest.name}|GSN|RO${guest.room}|GSN|`)
      one.guests.set(key, { ...guest, room })
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return one
}
