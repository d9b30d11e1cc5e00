// Decoded: the bytes of a text as the text that somebody saved, in the encoding of their program.
import { UnreadableFile } from './limits.ts'

/** UTF-16 shows by its mark, or by its many zero bytes; UTF-8 by being valid; all else is what it says, or what Windows saves. */
export function decoded(bytes: Buffer, said = 'windows-1252'): string {
  const encoding = utf16(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  // Text has no zero bytes: this is a program, a picture or the like.
  if (bytes.includes(0)) throw new UnreadableFile('notSpreadsheet')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decoderOf(said).decode(bytes)
  }
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
