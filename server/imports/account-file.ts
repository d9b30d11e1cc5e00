// Account file: an uploaded list of guests as records, by way of the reader, which is trusted no further than one can see.
import type { z } from 'zod'
import type { UploadedFile } from '#server/files/receive.ts'
import { UnreadableFile } from '#server/spreadsheets/limits.ts'
import { readRecords } from '#server/spreadsheets/read.ts'
import { AccountRecord, Rest } from './account-records.ts'

export interface Gathered extends Rest {
  /** One for each name, in the order of the file. */
  records: AccountRecord[]
}

const checker = import.meta.resolve('#server/imports/account-rows.ts')

export async function gather(file: UploadedFile): Promise<Gathered> {
  const records: AccountRecord[] = []
  for await (const line of readRecords(file, checker)) {
    if ('rest' in line) return { ...sound(Rest, line.rest), records }
    records.push(sound(AccountRecord, line.record))
  }
  throw new UnreadableFile('tooMuch')
}

function sound<T>(shape: z.ZodType<T>, value: unknown): T {
  const result = shape.safeParse(value)
  if (!result.success) throw new UnreadableFile('damaged')
  return result.data
}
