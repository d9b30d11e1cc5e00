// Spool: the checked records of a file, stored next to the upload between reading and storing, so that they need neither memory nor an
// open transaction. They are deleted with the upload when the request is answered.
import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { dayOrders, type OrderOfDays } from '#contract/imports.ts'
import type { UploadedFile } from '#server/files/receive.ts'
import { UnreadableFile } from '#server/imports/spreadsheets/limits.ts'
import { readRecords } from '#server/imports/spreadsheets/read.ts'
import type { ImportDefinition } from './definition.ts'
import { importColumns } from './headings.ts'
import { recordShape, restShape, type ImportRecord, type ReaderOptions, type Rest } from './records.ts'

/** Records per chunk: few enough that building a statement's text does not block others. */
const chunk_records = 2500

export interface Spooled extends Rest {
  /** To choose from, if days of the file may be meant in two ways. */
  day_orders: OrderOfDays[]
  /** The number of records, without duplicates. */
  total: number
  /** The distinct ids in each column; those of `property_id` are all properties of the file. */
  ids: Map<string, Set<number>>
  /** The names that rows have instead of ids. */
  names: Map<string, Set<string>>
  /** The records in the order of the file; can be called repeatedly. */
  chunks(): AsyncGenerator<ImportRecord[]>
}

/** For a file that is not read until the user has chosen a sheet, or the order of its days. */
export const undecided = ({ why, message, names }: UnreadableFile): Spooled => ({
  rows: 0,
  duplicates: 0,
  columns: [],
  ignored: [],
  notes: [],
  sheets: why === 'severalSheets' ? [...names] : [],
  day_orders: why === 'dayOrder' ? [...dayOrders] : [],
  first: [],
  problems: [{ row: 0, column: null, message }],
  problem_rows: 1,
  left_out: [],
  left_out_rows: [],
  unplaced_rows: 1,
  total: 0,
  ids: new Map(),
  names: new Map(),
  async *chunks() {},
})

/** Reads and checks a file in a separate process, whose output is validated. */
export async function spool(
  definition: ImportDefinition,
  { file, sheet }: { file: Pick<UploadedFile, 'path'>; sheet: string | null },
  options: ReaderOptions,
): Promise<Spooled> {
  const record = recordShape(definition)
  const rest = restShape(record)
  const ids = new Map<string, Set<number>>(
    importColumns(definition).flatMap(([name, { type }]) => (type === 'id' ? [[name, new Set<number>()]] : [])),
  )
  const names = new Map([...ids.keys()].map((name) => [name, new Set<string>()]))
  await using written = await Written.open(path.join(path.dirname(file.path), 'records'))
  for await (const line of readRecords(file, { checker: definition.checker, options, sheet })) {
    if ('rest' in line)
      return {
        ...sound(rest, line.rest),
        day_orders: [],
        total: written.total,
        ids,
        names,
        chunks: await written.finish(),
      }
    const one = sound(record, line.record)
    if (options.property_id !== null && one.property_id !== options.property_id) throw new UnreadableFile('damaged')
    for (const [name, known] of ids) {
      const id = one[name]
      if (typeof id === 'number') known.add(id)
      else if (typeof id === 'string') names.get(name)?.add(id)
    }
    await written.add(one)
  }
  throw new UnreadableFile('tooMuch')
}

function sound<T>(shape: z.ZodType<T>, value: unknown): T {
  const result = shape.safeParse(value)
  if (!result.success) throw new UnreadableFile('damaged')
  return result.data
}

/** Chunks of records in a file, one after the other; only their lengths are kept in memory. */
class Written implements AsyncDisposable {
  total = 0
  private chunk: ImportRecord[] = []
  private readonly lengths_bytes: number[] = []
  private readonly target: string
  private readonly file: FileHandle

  private constructor(target: string, file: FileHandle) {
    this.target = target
    this.file = file
  }

  static async open(target: string) {
    return new Written(target, await open(target, 'wx', 0o600))
  }

  async add(record: ImportRecord) {
    this.total++
    this.chunk.push(record)
    if (this.chunk.length === chunk_records) await this.flush()
  }

  async finish(): Promise<Spooled['chunks']> {
    await this.flush()
    const { target, lengths_bytes } = this
    return async function* () {
      await using file = await open(target)
      for (const length of lengths_bytes) {
        const { buffer } = await file.read({ buffer: Buffer.allocUnsafe(length) })
        yield JSON.parse(buffer.toString()) as ImportRecord[]
      }
    }
  }

  private async flush() {
    if (this.chunk.length === 0) return
    const bytes = Buffer.from(JSON.stringify(this.chunk))
    this.chunk = []
    this.lengths_bytes.push(bytes.length)
    await this.file.appendFile(bytes)
  }

  [Symbol.asyncDispose]() {
    return this.file.close()
  }
}
