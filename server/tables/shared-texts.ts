// Shared texts: a BIFF8 workbook has its texts in one long record, and cells refer to them by index.
import { content_max, isWide, recordKinds } from './biff.ts'
import type { Spool } from './spool.ts'

/** Excel's limit for a cell; longer texts are cut. */
const text_max = 32_767
/** How many short texts are remembered, so that repeated ones are written once. */
const remembered_max = 20_000
const remembered_length_max = 64
/** The position of the counts in the first record. */
const counts_at = 4

export function openSharedTexts(spool: Spool) {
  const known = new Map<string, number>()
  const content = Buffer.alloc(content_max)
  let kind: number = recordKinds.texts
  let used = 8
  let [count, uses] = [0, 0]

  async function flush() {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(kind, 0)
    head.writeUInt16LE(used, 2)
    await spool.append(head)
    await spool.append(content.subarray(0, used))
    kind = recordKinds.continued
    used = 0
  }

  /** A text may continue in a further record after any character, and there gives the width of its characters again. */
  async function write(text: string) {
    const width = isWide(text) ? 2 : 1
    const encoding = width === 2 ? 'utf16le' : 'latin1'
    if (used + 3 + width > content_max) await flush()
    content.writeUInt16LE(text.length, used)
    content.writeUInt8(width - 1, used + 2)
    used += 3
    for (let at = 0; at < text.length;) {
      const fitting = Math.floor((content_max - used) / width)
      used += content.write(text.slice(at, at + fitting), used, encoding)
      at += fitting
      if (at >= text.length) return
      await flush()
      content.writeUInt8(width - 1, used++)
    }
  }

  return {
    /** The index of a text. For a remembered one it is returned at once, without waiting for the disk. */
    numberOf(text: string): number | Promise<number> {
      uses++
      const found = known.get(text)
      if (found !== undefined) return found
      const number = count++
      if (known.size < remembered_max && text.length <= remembered_length_max) known.set(text, number)
      return write(text.slice(0, text_max)).then(() => number)
    },
    async end() {
      await flush()
      const counts = Buffer.alloc(8)
      counts.writeUInt32LE(uses, 0)
      counts.writeUInt32LE(count, 4)
      await spool.patch(counts, counts_at)
    },
  }
}
export type SharedTexts = ReturnType<typeof openSharedTexts>
