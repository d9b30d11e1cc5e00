// Read: the files of a custom portal's zip, taken apart and looked through in a confined process (server/turns/confined.ts).
import type { Readable } from 'node:stream'
import { atOnce, Turns } from '#server/turns/turns.ts'
import { BrokeDown, confined, scriptBeside, type Caps } from '#server/turns/confined.ts'
import { endings, kindOf } from './kinds.ts'
import { fileSentences, limits, UnreadablePortal, zipSentences, type FileTold, type Told } from './limits.ts'
import { readName } from './names.ts'

export interface PortalFile {
  path: string
  content_type: string
  content: Buffer
}

/** `test/proofs/mutated-portals.test.ts` holds the heaviest zips to 256 MB. */
const caps: Caps = { heap_mb: 96, data_mb: 768, cpu_s: 10 }
const first_line_max = 256 * 1024

const readers = new Turns(atOnce(2))

export interface PortalZip {
  files: PortalFile[]
  /** What systems put into zips by themselves, by name. */
  left_out: string[]
}

/** All of them, or `UnreadablePortal` is thrown. Two zips are read at once on a node. */
export async function portalFilesIn(file: { path: string }): Promise<PortalZip> {
  using _turn = await readers.take()
  const script = scriptBeside(import.meta.dirname, 'reader')
  const files: PortalFile[] = []
  let left_out: string[] = []
  const told = (names: string[]) => void (left_out = names)
  try {
    const read = (output: Readable) => filesOf(output, told)
    for await (const one of confined({ script, input: file.path, caps }, read)) files.push(one)
    return { files, left_out }
  } catch (error) {
    throw error instanceof BrokeDown ? new UnreadablePortal([zipSentences.broke]) : error
  }
}

async function* filesOf(output: Readable, leftOut: (names: string[]) => void): AsyncGenerator<PortalFile> {
  let files: FileTold[] | undefined
  let waiting: Buffer[] = []
  let length = 0
  for await (const piece of output as AsyncIterable<Buffer>) {
    waiting.push(piece)
    length += piece.length
    if (!files) {
      const whole = Buffer.concat(waiting)
      const end = whole.indexOf('\n')
      if (end < 0 && length > first_line_max) throw new UnreadablePortal([zipSentences.broke])
      if (end < 0) continue
      const told = filesTold(JSON.parse(whole.subarray(0, end).toString()) as Told)
      files = told.files
      leftOut(namesIn(told.left_out))
      waiting = [whole.subarray(end + 1)]
      length = whole.length - end - 1
    }
    for (let next = files[0]; next && next.byte_size <= length; next = files[0]) {
      const whole = Buffer.concat(waiting)
      const { path, content_type, byte_size } = next
      yield { path, content_type, content: whole.subarray(0, byte_size) }
      files.shift()
      waiting = [whole.subarray(byte_size)]
      length -= byte_size
    }
  }
  if (!files || files.length > 0 || length > 0) throw new BrokeDown('the reader told more than it gave')
}

/** Whoever was brought down by what it read may say anything. */
function filesTold(told: Told): Extract<Told, { files: FileTold[] }> {
  if ('unreadable' in told) throw new UnreadablePortal([sentenceOfZip(told.unreadable)])
  if ('refused' in told) throw new UnreadablePortal(sentencesOf(told))
  const total = told.files.reduce((sum, { byte_size }) => sum + byte_size, 0)
  const right = told.files.every(
    ({ path, content_type, byte_size }) =>
      'path' in readName(Buffer.from(path)) && kindOf(path)?.content_type === content_type && byte_size >= 0,
  )
  if (!right || told.files.length > limits.files_max || total > limits.total_bytes_max)
    throw new UnreadablePortal([zipSentences.broke])
  return told
}

const has = <O extends object>(all: O, word: unknown): word is keyof O & string =>
  typeof word === 'string' && Object.hasOwn(all, word)

const sentenceOfZip = (why: string) => (has(zipSentences, why) ? zipSentences[why] : zipSentences.damaged)

/** What cannot be seen, or turns text round, is shown as a box. */
const shown = (text: string) =>
  text.slice(0, limits.told_length_max).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd') || '(no name)'

const namesIn = (told: unknown): string[] =>
  Array.isArray(told) ? told.slice(0, limits.told_max).map((name: unknown) => shown(String(name))) : []

interface Said {
  refused: { name: unknown; why: unknown; detail?: unknown }[]
  count: number
}

function sentencesOf({ refused, count }: Said): string[] {
  const sentences = refused.slice(0, limits.told_max).map(({ name, why, detail }) => {
    const sentence = has(fileSentences, why) ? fileSentences[why](shown(String(detail))) : fileSentences.damaged()
    const known = why === 'kind' ? ` Take ${endings.join(', ')}.` : ''
    return `“${shown(String(name))}” ${sentence}${known}`
  })
  const more = count - sentences.length
  return more > 0 ? [...sentences, `And ${more} more.`] : sentences
}
