// Encode: text in the bytes of a legacy encoding, as spreadsheet programs in many languages save it. Each encoding is inverted, so that
// what decodes is not asked to encode.

import iconv from 'iconv-lite'

const tables = new Map<string, Map<string, number[]>>()

/** `encoding` is a name that iconv-lite takes, with one or two bytes per character. Throws if it lacks a character. */
export function encodedIn(encoding: string, text: string): Buffer {
  const table = tables.get(encoding) ?? tableOf(encoding)
  tables.set(encoding, table)
  return Buffer.from(
    Array.from(text).flatMap((letter) => {
      const bytes = table.get(letter)
      if (!bytes) throw new Error(`${encoding} has no ${letter}`)
      return bytes
    }),
  )
}

function tableOf(encoding: string): Map<string, number[]> {
  const table = new Map<string, number[]>()
  const add = (bytes: number[]) => {
    const letter = iconv.decode(Buffer.from(bytes), encoding)
    if (Array.from(letter).length === 1 && letter !== '\ufffd' && !table.has(letter)) table.set(letter, bytes)
  }
  for (let one = 0; one < 256; one++) add([one])
  for (let one = 0x81; one < 255; one++) for (let two = 0x40; two < 255; two++) add([one, two])
  return table
}
