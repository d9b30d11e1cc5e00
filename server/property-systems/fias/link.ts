// Link of FIAS: frames over TCP, the records that bring a link up and keep it, and a database swap where our record is new or lost.
import { isUtf8 } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotReached } from '#server/outbound/safe-fetch.ts'
import type { Talk } from '#server/property-systems/kind.ts'
import { stays_max, type Word } from '#server/stays/words.ts'
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
const words_at_once = 500
/** A list that is too long to be taken in is asked for again: somebody may have ended what is over. */
const too_long_again_ms = 60_000
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
        if (this.junk > frame_bytes_max) throw new NotReached(`it sent ${this.junk} bytes that are no records of FIAS`)
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
  const [day = '', time = ''] = now.toISOString().split('T')
  return `DA${day.slice(2).replaceAll('-', '')}|TI${time.slice(0, 8).replaceAll(':', '')}|`
}

type Encoding = keyof typeof encodings

/** What letters of another encoding than the chosen one become, where that can be seen of them. */
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

/** A letter that the other side has not would be another sign of the protocol. */
const written = (record: string, encoding: Encoding): Buffer | null => {
  if (encoding === 'utf-8') return Buffer.from(record, 'utf8')
  return /^[\u0020-\u007e\u00a0-\u00ff]*$/.test(record) ? Buffer.from(record, 'latin1') : null
}

export const talk: Talk = async (socket, settings, host) => {
  const encoding =
    typeof settings['encoding'] === 'string' && settings['encoding'] in encodings
      ? (settings['encoding'] as Encoding)
      : 'windows-1252'
  const decoder = new TextDecoder(encoding)
  const pause_ms = Math.min(Math.max(Number(settings['pause_ms'] ?? 0) || 0, 0), 5000)
  const code =
    String(settings['interface_code'] ?? 'WW')
      .replace(/[^A-Z]/g, '')
      .slice(0, 2) || 'WW'
  const frames = new Frames()
  const reader = new FiasReader(await host.lastTold())
  const began_at = Date.now()
  let heard_at = began_at
  let isUp = false
  let hasAsked = false
  let isLooking = false
  let asks_from = 0
  const key = typeof settings['auth_key'] === 'string' && settings['auth_key'] !== '' ? settings['auth_key'] : null
  const asksForGuests = settings['asks_for_guests'] === true
  /** Of which an answer is awaited until then. */
  let inquiring_until = 0
  let inquiries = Math.floor(Math.random() * 90_000_000)
  let isNight = false
  /** Whether it could be written. */
  function send(record: string): boolean {
    const bytes = written(record, encoding)
    if (bytes) socket.write(Buffer.concat([Buffer.of(stx), bytes, Buffer.of(etx)]))
    return bytes !== null
  }

  async function linkUp(began: FiasRecord) {
    const proof = key === null ? '' : `RT1|CG${await proofOf(key, began)}|`
    const records = [
      `LD|${stamp()}V#1.0|IF${code}|${proof}`,
      ...[...asked, ...(asksForGuests ? askedOfGuests : [])].map(([id, fields]) => `LR|RI${id}|FL${fields}|`),
      `LA|${stamp()}`,
    ]
    for (const record of records) {
      send(record)
      if (pause_ms > 0) await sleep(pause_ms)
    }
  }
  async function proofOf(given: string, began: FiasRecord) {
    if (!(await host.mayTry(given)))
      throw new NotReached(
        'it did not take the interface key, which is not sent again until another one is entered or all stays are asked for',
      )
    return sealedMoment(given, `${fieldIn(began, 'DA') ?? ''}${fieldIn(began, 'TI') ?? ''}`)
  }
  /** One at a time, and none while the other side closes its day or swaps its database. */
  async function inquire() {
    if (!asksForGuests || !isUp || hasAsked || isNight || Date.now() < inquiring_until) return
    const room = await host.inquiry()
    if (room === null) return
    inquiries = (inquiries % 99_999_999) + 1
    if (send(`PR|PI${room}|P#${inquiries}|WSFOYER|${stamp()}`)) inquiring_until = Date.now() + inquiry_ms
  }
  async function askForAll() {
    if (!isUp || hasAsked || isLooking || reader.isSwapping || Date.now() < asks_from) return
    isLooking = true
    if (await host.wantsAll()) {
      hasAsked = true
      send(`DR|${stamp()}`)
    }
    isLooking = false
  }

  const starting = setTimeout(() => send(`LS|${stamp()}`), first_ms)
  const keeping = setInterval(() => send(`LS|${stamp()}`), keep_alive_ms)
  const looking = setInterval(() => {
    if (heard_at === began_at && Date.now() - began_at > mute_max_ms)
      socket.destroy(new NotReached('it takes the connection and says nothing, as if it were another port or program'))
    else if (Date.now() - heard_at > silent_max_ms) socket.destroy()
    else void askForAll()
  }, look_ms)
  const inquiring = asksForGuests ? setInterval(() => void inquire(), inquire_ms) : undefined
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      heard_at = Date.now()
      let words: Word[] = []
      const say = async () => {
        const said = words
        words = []
        if (said.length > 0) await host.hear(said)
        // However long that took, the other side was not silent.
        heard_at = Date.now()
      }
      for (const frame of frames.of(chunk)) {
        const text = decoder.decode(frame)
        const record = recordIn(text)
        if (!record) continue
        const doubt = doubtOfLetters(frame, text, encoding)
        if (doubt !== null) host.doubt(doubt)
        if (record.id === 'LE') return await say()
        if (record.id === 'LS') {
          clearTimeout(starting)
          // In answer to ours, or because it began anew: the link comes up again.
          if (!isUp) await linkUp(record)
          else send(`LA|${stamp()}`)
        }
        if (record.id === 'LA') {
          clearTimeout(starting)
          if (isUp) await host.alive()
          else await host.up()
          isUp = true
          await askForAll()
        }
        const told = reader.words(record)
        words.push(...told)
        if (record.id === 'DE') hasAsked = false
        if (told.some((word) => word.kind === 'all' && word.stays.length > stays_max))
          asks_from = Date.now() + too_long_again_ms
        if (record.id === 'NS' || record.id === 'NE') isNight = record.id === 'NS'
        if (record.id === 'PL' || record.id === 'PA') inquiring_until = 0
        if (record.id === 'DE' || words.length >= words_at_once) await say()
      }
      await say()
    }
  } finally {
    clearTimeout(starting)
    clearInterval(keeping)
    clearInterval(looking)
    clearInterval(inquiring)
    socket.destroy()
  }
}
