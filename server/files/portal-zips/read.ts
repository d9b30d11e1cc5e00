// Read: the files of a custom portal's zip, unpacked and checked in a confined process (server/turns/confined.ts).
import type { Readable } from 'node:stream'
import { atOnce, Turns } from '#server/turns/turns.ts'
import { ProcessFailed, confined, scriptBeside, type Caps } from '#server/turns/confined.ts'
import { fileEndings, fileKindOf } from './kinds.ts'
import { fileSentences, zipLimits, UnreadablePortal, zipSentences, type ListedFile, type ZipResult } from './limits.ts'
import { readName } from './names.ts'

export interface PortalFile {
  path: string
  content_type: string
  content: Buffer
}

/** `test/proofs/mutated-portals.test.ts` ensures that the heaviest zips stay within 256 MB. */
const caps: Caps = { heap_mb: 96, data_mb: 768, cpu_s: 10 }
const first_line_max = 256 * 1024

const readers = new Turns(atOnce(2))

export interface PortalZip {
  files: PortalFile[]
  /** Names of files that systems add to zips by themselves. */
  left_out: string[]
}

/** All of them, or `UnreadablePortal` is thrown. A node reads two zips at once. */
export async function portalFilesIn(file: { path: string }): Promise<PortalZip> {
  using _turn = await readers.take()
  const script = scriptBeside(import.meta.dirname, 'reader')
  const files: PortalFile[] = []
  let left_out: string[] = []
  const setLeftOut = (names: string[]) => void (left_out = names)
  try {
    const read = (output: Readable) => filesOf(output, setLeftOut)
    for await (const one of confined({ script, input: file.path, caps }, read)) files.push(one)
    return { files, left_out }
  } catch (error) {
    throw error instanceof ProcessFailed ? new UnreadablePortal([zipSentences.broke]) : error
  }
}

async function* filesOf(output: Readable, leftOut: (names: string[]) => void): AsyncGenerator<PortalFile> {
  let files: ListedFile[] | undefined
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
      const listed = listedFiles(JSON.parse(whole.subarray(0, end).toString()) as ZipResult)
      files = listed.files
      leftOut(namesIn(listed.left_out))
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
  if (!files || files.length > 0 || length > 0) throw new ProcessFailed('the reader listed more than it sent')
}

/** A reader that a zip has compromised may report anything. */
function listedFiles(result: ZipResult): Extract<ZipResult, { files: ListedFile[] }> {
  if ('unreadable' in result) throw new UnreadablePortal([sentenceOfZip(result.unreadable)])
  if ('refused' in result) throw new UnreadablePortal(sentencesOf(result))
  const total = result.files.reduce((sum, { byte_size }) => sum + byte_size, 0)
  const right = result.files.every(
    ({ path, content_type, byte_size }) =>
      'path' in readName(Buffer.from(path)) && fileKindOf(path)?.content_type === content_type && byte_size >= 0,
  )
  if (!right || result.files.length > zipLimits.files_max || total > zipLimits.total_bytes_max)
    throw new UnreadablePortal([zipSentences.broke])
  return result
}

const has = <O extends object>(all: O, word: unknown): word is keyof O & string =>
  typeof word === 'string' && Object.hasOwn(all, word)

const sentenceOfZip = (why: string) => (has(zipSentences, why) ? zipSentences[why] : zipSentences.damaged)

/** Characters that are invisible or change the direction of text are shown as a box. */
const shown = (text: string) =>
  text.slice(0, zipLimits.reported_length_max).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd') || '(no name)'

const namesIn = (reported: unknown): string[] =>
  Array.isArray(reported) ? reported.slice(0, zipLimits.reported_max).map((name: unknown) => shown(String(name))) : []

interface Refusals {
  refused: { name: unknown; why: unknown; detail?: unknown }[]
  count: number
}

function sentencesOf({ refused, count }: Refusals): string[] {
  const sentences = refused.slice(0, zipLimits.reported_max).map(({ name, why, detail }) => {
    const sentence = has(fileSentences, why) ? fileSentences[why](shown(String(detail))) : fileSentences.damaged()
    const known = why === 'kind' ? ` Take ${fileEndings.join(', ')}.` : ''
    return `“${shown(String(name))}” ${sentence}${known}`
  })
  const more = count - sentences.length
  return more > 0 ? [...sentences, `And ${more} more.`] : sentences
}
