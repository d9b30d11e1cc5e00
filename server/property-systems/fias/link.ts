// Link of FIAS: frames over TCP, the records that bring a link up and keep it, and a database swap where our record is new or lost.
import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { NotReached } from '#server/outbound/safe-fetch.ts'
import type { Settings } from '#contract/parameters.ts'
import type { LinkHost, Talk } from '#server/property-systems/kind.ts'
import { stays_max, type StayUpdate } from '#server/stays/stay-updates.ts'
import { encodings } from './definition.ts'
import { fieldIn, FiasReader, recordIn, sealedMoment, type FiasRecord } from './translation.ts'

const [stx, etx] = [0x02, 0x03]
/** No record is as long. */
const frame_bytes_max = 16 * 1024
/** How long the other side has to begin. */
const first_ms = 3000
const keep_alive_ms = 4 * 60 * 1000
/** It answers each of ours. */
const silent_max_ms = 3 * keep_alive_ms
const look_ms = 2000
const updates_at_once = 500
/** A list that is too long to be taken in is asked for again: somebody may have ended what is over. */
const too_long_again_ms = 60_000
/** A site may ignore a request for its database. */
const swap_begins_ms = 60_000
/** A swap of which nothing more comes will not end. */
const swap_silent_max_ms = 5 * 60_000
/** One that ignores them is asked less and less often. */
const ask_again_max_ms = 10 * 60_000
/** A side that takes the connection says something within this time, if it speaks FIAS at all. */
const mute_max_ms = 60_000

/** What we ask for of each record. */
const asked = [
  ['GI', 'RNG#GNGFGTGLGVGAGDGSNPSF'],
  ['GO', 'RNG#GSSF'],
  ['GC', 'RNG#GNGFGTGLGVGAGDGSNPRO'],
  ['RE', 'RNCSDN'],
] as const

/** For a site that answers who is in a room. */
const askedOfGuests = [
  ['PR', 'PIP#WSDATI'],
  ['PL', 'RNG#GNGFGTGAGDP#WSDATI'],
  ['PA', 'RNASCTP#WSDATI'],
] as const
const inquire_ms = 1000
/** As long as an answer to an inquiry may take. */
const inquiry_ms = 60_000

/** Cuts what comes into records. What stands between them is dropped. */
export class Frames {
  private rest: Buffer = Buffer.alloc(0)
  private isIn = false
  private junk = 0

  private keep(rest: Buffer) {
    this.rest = Buffer.from(rest)
  }

  *of(chunk: Buffer): Generator<Buffer> {
    let left = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk
    for (;;) {
      if (!this.isIn) {
        const begin = left.indexOf(stx)
        this.junk += begin < 0 ? left.length : begin
        if (this.junk > frame_bytes_max) throw new NotReached(`it sent ${this.junk} bytes that are not FIAS records`)
        if (begin < 0) return this.keep(Buffer.alloc(0))
        left = left.subarray(begin + 1)
        this.isIn = true
      }
      const end = left.indexOf(etx)
      if (end < 0 ? left.length > frame_bytes_max : end > frame_bytes_max)
        throw new NotReached(`it sent a record of more than ${frame_bytes_max} bytes`)
      if (end < 0) return this.keep(left)
      // A record that was begun anew was never ended.
      const again = left.subarray(0, end).lastIndexOf(stx)
      yield left.subarray(again + 1, end)
      this.junk = 0
      left = left.subarray(end + 1)
      this.isIn = false
    }
  }
}

const stamp = (now = new Date()) => {
  const digits = now.toISOString().replace(/[-:T]/g, '')
  return `DA${digits.slice(2, 8)}|TI${digits.slice(8, 14)}|`
}

type Encoding = keyof typeof encodings

/** Characters that show that a text was decoded by the wrong encoding. */
const misread = /[\u0080-\u009f\ufffd]/

/**
 * Whether a record was read in other letters than it was written in. Null: it seems not.
 * @param text what was read of it
 */
export function doubtOfLetters(frame: Buffer, text: string, encoding: Encoding): string | null {
  const isOther = misread.test(text) || (encoding !== 'utf-8' && /[\u0080-\uffff]/.test(text) && isUtf8(frame))
  const other = encoding !== 'utf-8' && isUtf8(frame) ? '; they look like UTF-8' : ''
  return isOther
    ? `Its names are not in the letters that were chosen, ${encodings[encoding]}${other}. Choose others under “Letters”.`
    : null
}

/** Null: the record has a character that the encoding lacks, and that might become a control character of the protocol. */
const written = (record: string, encoding: Encoding): Buffer | null => {
  if (encoding === 'utf-8') return Buffer.from(record, 'utf8')
  return /^[\u0020-\u007e\u00a0-\u00ff]*$/.test(record) ? Buffer.from(record, 'latin1') : null
}

/** What a site's settings say of its link. */
interface Site {
  encoding: Encoding
  /** Between the records that bring the link up. */
  pause_ms: number
  interface_code: string
  auth_key: string | null
  asksForGuests: boolean
}
const siteOf = ({ encoding, pause_ms, interface_code, auth_key, asks_for_guests }: Settings): Site => ({
  encoding: typeof encoding === 'string' && encoding in encodings ? (encoding as Encoding) : 'windows-1252',
  pause_ms: Math.min(Math.max(Number(pause_ms ?? 0) || 0, 0), 5000),
  interface_code:
    String(interface_code ?? 'WW')
      .replace(/[^A-Z]/g, '')
      .slice(0, 2) || 'WW',
  auth_key: typeof auth_key === 'string' && auth_key !== '' ? auth_key : null,
  asksForGuests: asks_for_guests === true,
})

export const talk: Talk = async (socket, settings, host) =>
  new Conversation(socket, siteOf(settings), host, new FiasReader(await host.lastUpdateAt())).hold()

/** One connection, from its first record to its end. */
class Conversation {
  private readonly socket: Socket
  private readonly site: Site
  private readonly host: LinkHost
  private readonly reader: FiasReader
  private readonly frames = new Frames()
  private readonly decoder: TextDecoder
  private readonly began_at = Date.now()
  private heard_at = this.began_at
  private starting: NodeJS.Timeout | undefined
  private isUp = false
  private isNight = false
  /** Of a database swap that was asked for or goes on: until then something of it has to come. 0: there is none. */
  private swap_until = 0
  private isLooking = false
  private asks_from = 0
  /** Swaps that did not begin, or did not end, since one did. */
  private ignored = 0
  /** Of which an answer is awaited until then. */
  private inquiring_until = 0
  private inquiries = Math.floor(Math.random() * 90_000_000)
  /** What was heard, and is not taken in yet. */
  private updates: StayUpdate[] = []

  constructor(socket: Socket, site: Site, host: LinkHost, reader: FiasReader) {
    this.socket = socket
    this.site = site
    this.host = host
    this.reader = reader
    this.decoder = new TextDecoder(site.encoding)
  }

  async hold() {
    const stop = this.keepTime()
    try {
      for await (const chunk of this.socket as AsyncIterable<Buffer>) {
        this.heard_at = Date.now()
        for (const frame of this.frames.of(chunk)) {
          const record = this.read(frame)
          if (record?.id === 'LE') return await this.flush()
          if (record) await this.take(record)
        }
        await this.flush()
      }
    } finally {
      stop()
      this.socket.destroy()
    }
  }

  /** Starts the timers of the connection. Answers what stops them. */
  private keepTime() {
    this.starting = setTimeout(() => this.send(`LS|${stamp()}`), first_ms)
    const timers = [
      setInterval(() => this.send(`LS|${stamp()}`), keep_alive_ms),
      setInterval(() => this.look(), look_ms),
      ...(this.site.asksForGuests ? [setInterval(() => void this.inquire(), inquire_ms)] : []),
    ]
    return () => {
      clearTimeout(this.starting)
      for (const timer of timers) clearInterval(timer)
    }
  }
  private look() {
    const { began_at, heard_at, socket } = this
    if (heard_at === began_at && Date.now() - began_at > mute_max_ms)
      socket.destroy(
        new NotReached('it accepts the connection and sends nothing, as if the port belonged to another program'),
      )
    else if (Date.now() - heard_at > silent_max_ms) socket.destroy()
    else {
      if (this.swap_until !== 0 && Date.now() >= this.swap_until) this.giveUpSwap()
      void this.askForAll()
    }
  }

  private read(frame: Buffer) {
    const text = this.decoder.decode(frame)
    const record = recordIn(text)
    const doubt = record && doubtOfLetters(frame, text, this.site.encoding)
    if (doubt !== null) this.host.doubt(doubt)
    return record
  }
  private async take(record: FiasRecord) {
    if (record.id === 'LS') await this.begun(record)
    if (record.id === 'LA') await this.answered()
    if (record.id === 'DS') await this.swapBegins()
    const told = this.reader.updates(record)
    this.updates.push(...told)
    if (record.id === 'DE') this.swap_until = this.ignored = 0
    else if (this.reader.isSwapping && (record.id === 'DS' || fieldIn(record, 'SF') !== undefined))
      this.swap_until = Date.now() + swap_silent_max_ms
    if (told.some((update) => update.kind === 'all' && update.stays.length > stays_max))
      this.asks_from = Date.now() + too_long_again_ms
    if (record.id === 'NS' || record.id === 'NE') this.isNight = record.id === 'NS'
    if (record.id === 'PL' || record.id === 'PA') this.inquiring_until = 0
    if (record.id === 'DE' || this.updates.length >= updates_at_once) await this.flush()
  }
  /** What was heard before has the doubts of before. */
  private async swapBegins() {
    await this.flush()
    this.host.doubt(null)
  }
  private async flush() {
    const said = this.updates
    this.updates = []
    if (said.length > 0) await this.host.receive(said)
    // However long that took, the other side was not silent.
    this.heard_at = Date.now()
  }

  /** In answer to ours, or because it began anew: the link comes up again. */
  private async begun(record: FiasRecord) {
    clearTimeout(this.starting)
    if (this.isUp) this.send(`LA|${stamp()}`)
    else await this.linkUp(record)
  }
  private async answered() {
    clearTimeout(this.starting)
    if (this.isUp) await this.host.alive()
    else await this.host.up()
    this.isUp = true
    await this.askForAll()
  }
  private async linkUp(began: FiasRecord) {
    const { auth_key, interface_code, asksForGuests, pause_ms } = this.site
    const proof = auth_key === null ? '' : `RT1|CG${await this.proofOf(auth_key, began)}|`
    const records = [
      `LD|${stamp()}V#1.0|IF${interface_code}|${proof}`,
      ...[...asked, ...(asksForGuests ? askedOfGuests : [])].map(([id, fields]) => `LR|RI${id}|FL${fields}|`),
      `LA|${stamp()}`,
    ]
    for (const record of records) {
      this.send(record)
      if (pause_ms > 0) await sleep(pause_ms)
    }
  }
  private async proofOf(key: string, began: FiasRecord) {
    if (!(await this.host.maySendKey(key)))
      throw new NotReached(
        'it did not take the interface key, which is not sent again until another one is entered or all stays are asked for',
      )
    return sealedMoment(key, `${fieldIn(began, 'DA') ?? ''}${fieldIn(began, 'TI') ?? ''}`)
  }

  /** It is looked also while nothing may be asked for: the interface may be disabled or changed, for which the link is cut. */
  private async askForAll() {
    if (this.isLooking) return
    this.isLooking = true
    const wantsAll = await this.host.wantsAll()
    this.isLooking = false
    if (!wantsAll || !this.isUp || this.swap_until !== 0 || Date.now() < this.asks_from) return
    this.swap_until = Date.now() + swap_begins_ms
    this.send(`DR|${stamp()}`)
  }
  /** What was told of it counts for nothing. */
  private giveUpSwap() {
    this.asks_from = Date.now() + Math.min(swap_begins_ms * 2 ** this.ignored++, ask_again_max_ms)
    this.swap_until = 0
    this.reader.endSwap()
  }
  /** One at a time, and none while the other side closes its day or swaps its database. */
  private async inquire() {
    if (!this.isUp || this.swap_until !== 0 || this.isNight || Date.now() < this.inquiring_until) return
    const room = await this.host.nextInquiry()
    if (room === null) return
    this.inquiries = (this.inquiries % 99_999_999) + 1
    if (this.send(`PR|PI${room}|P#${this.inquiries}|WSFOYER|${stamp()}`)) this.inquiring_until = Date.now() + inquiry_ms
  }
  /** Whether it could be written. */
  private send(record: string): boolean {
    const bytes = written(record, this.site.encoding)
    if (bytes) this.socket.write(Buffer.concat([Buffer.of(stx), bytes, Buffer.of(etx)]))
    return bytes !== null
  }
}
