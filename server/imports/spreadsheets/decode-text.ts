// Decode text: decodes the bytes of a text, in the encoding of the program that saved it.
import { readingOf } from './encodings.ts'
import { UnreadableFile } from './limits.ts'

/** Markup: UTF-16 is recognised by its mark or many zero bytes, UTF-8 by being valid; otherwise the declared encoding or Windows-1252. */
export const decodeText = (bytes: Buffer, declared = 'windows-1252'): string =>
  unicodeIn(bytes) ?? decoderOf(declared).decode(bytes)

/**
 * Text without a declared encoding. `understood` counts the headings in a text that the caller knows.
 * `note` is a sentence for the user if the letters are in doubt.
 */
export function decodeUndeclared(bytes: Buffer, understood: (text: string) => number): { text: string; note?: string } {
  const unicode = unicodeIn(bytes)
  if (unicode !== undefined) return { text: unicode }
  const broken = brokenUtf8(bytes)
  if (broken !== undefined) return { text: broken, note: `${inDoubt} A few could not be read, and stand as \ufffd.` }
  const { text, encoding, isInDoubt } = readingOf(bytes, understood)
  return isInDoubt ? { text, note: `${inDoubt} They were read as ${encoding}.` } : { text }
}

const inDoubt = 'The letters in this file may be wrong: check the names, and if they are wrong, save it as CSV UTF-8.'

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

/** UTF-8 in which a program has truncated some letters: most of the text beyond ASCII is valid. */
function brokenUtf8(bytes: Buffer): string | undefined {
  const text = new TextDecoder('utf-8').decode(bytes)
  const wrong = text.match(/\ufffd+/g)?.length ?? 0
  const right = text.match(/[\P{ASCII}--[\ufffd]]/gv)?.length ?? 0
  return right > 10 * wrong ? text : undefined
}

/** The encoding that markup names: `<meta charset="windows-1251">`, `<?xml encoding="…"?>`. */
export const declaredEncodingIn = (bytes: Buffer) =>
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
