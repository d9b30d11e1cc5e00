// Decoded: the bytes of a text as the text that somebody saved, in the encoding of their program.
import { readingOf } from './encodings.ts'
import { UnreadableFile } from './limits.ts'

/** Markup: UTF-16 shows by its mark, or by its many zero bytes; UTF-8 by being valid; all else is what it says, or what Windows saves. */
export const decoded = (bytes: Buffer, said = 'windows-1252'): string =>
  unicodeIn(bytes) ?? decoderOf(said).decode(bytes)

/**
 * Text that says nothing of its encoding. `understood` counts the headings that a text has, as far as the caller knows them.
 * `note` is a sentence for a person where the letters are in doubt.
 */
export function decodedText(bytes: Buffer, understood: (text: string) => number): { text: string; note?: string } {
  const unicode = unicodeIn(bytes)
  if (unicode !== undefined) return { text: unicode }
  const broken = brokenUtf8(bytes)
  if (broken !== undefined) return { text: broken, note: `${inDoubt} A few could not be read, and stand as \ufffd.` }
  const { text, encoding, isInDoubt } = readingOf(bytes, understood)
  return isInDoubt ? { text, note: `${inDoubt} They were read as ${encoding}.` } : { text }
}

const inDoubt =
  'The letters of this file are in doubt: look at the names, and where they are wrong, save it as CSV UTF-8.'

function unicodeIn(bytes: Buffer): string | undefined {
  const encoding = utf16(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  // Text has no zero bytes: this is a program, a picture or the like.
  if (bytes.includes(0)) throw new UnreadableFile('notSpreadsheet')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** UTF-8 of which a program has cut some letters: most of what is beyond ASCII is right. */
function brokenUtf8(bytes: Buffer): string | undefined {
  const text = new TextDecoder('utf-8').decode(bytes)
  const wrong = text.match(/\ufffd+/g)?.length ?? 0
  const right = text.match(/[\P{ASCII}--[\ufffd]]/gv)?.length ?? 0
  return right > 10 * wrong ? text : undefined
}

/** The encoding that markup names: `<meta charset="windows-1251">`, `<?xml encoding="…"?>`. */
export const encodingSaidIn = (bytes: Buffer) =>
  /(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)/i.exec(bytes.toString('latin1', 0, 2000))?.[1]

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder('windows-1252')
  }
}

function utf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Without the mark: Latin letters have a zero in every second byte, and none in the others.
  const start = bytes.subarray(0, 400)
  const zeros = [0, 0]
  start.forEach((byte, index) => (zeros[index % 2] = (zeros[index % 2] ?? 0) + (byte === 0 ? 1 : 0)))
  const [even = 0, odd = 0] = zeros
  if (even === 0 && odd > start.length / 3) return 'utf-16le'
  if (odd === 0 && even > start.length / 3) return 'utf-16be'
  return undefined
}
