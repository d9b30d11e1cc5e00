// Encoded: text in the bytes of an encoding that is not Unicode, as spreadsheet programs of many languages save it. The
// platform only decodes, so each encoding is turned round.

const tables = new Map<string, Map<string, number[]>>()

/** `encoding` is a name that `TextDecoder` takes, of one or two bytes a letter. Throws where it lacks a letter. */
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
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, number[]>()
  const add = (bytes: number[]) => {
    const letter = decoder.decode(Uint8Array.from(bytes))
    if (Array.from(letter).length === 1 && letter !== '\ufffd' && !table.has(letter)) table.set(letter, bytes)
  }
  for (let one = 0; one < 256; one++) add([one])
  for (let one = 0x81; one < 255; one++) for (let two = 0x40; two < 255; two++) add([one, two])
  return table
}
