// Room list: reads a list of rooms and guests that a property's own system has made, by the words and the reader of the room import.
import type { OrderOfDays } from '#contract/imports.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { UnreadableFile } from '#server/imports/spreadsheets/limits.ts'
import type { Person } from './definition.ts'
import { importFacts } from './engine.ts'
import { roomImport } from './rooms.ts'
import { spool } from './spool.ts'

interface Asked {
  /** The file, in a folder of its own, which the reader uses too. */
  path: string
  property_id: number
  /** The name of the sheet; null: the only one with such a list. */
  sheet: string | null
  day_order: OrderOfDays | null
}

/** `row` is null where the whole file cannot be read. */
type Unread = { unread: { row: number | null; sentence: string } }
export type RoomList = { rooms: { number: string; guests: Person[] }[] }

/** Who lives there now, or moves in later. One row with a problem, and the list is not read. */
export async function readRoomList(tenancy: Tenancy, caller: Caller, request: Asked): Promise<RoomList | Unread> {
  const { property_id, sheet, day_order } = request
  const facts = await tenancy.enter(caller, 'read', (scope) => importFacts(scope, property_id))
  try {
    const spooled = await spool(
      roomImport,
      { file: request, sheet },
      { ...facts, property_id, day_order: day_order ?? facts.day_order, ahead: true },
    )
    const [problem] = spooled.problems.toSorted((one, other) => one.row - other.row)
    if (problem) {
      const others = spooled.problem_rows - 1
      const more = others > 0 ? ` ${others} more ${others === 1 ? 'row has a problem' : 'rows have problems'}.` : ''
      return { unread: { row: problem.row, sentence: `${problem.message.replace(/(?<![.?!])$/, '.')}${more}` } }
    }
    const rooms: RoomList['rooms'] = []
    for await (const chunk of spooled.chunks())
      for (const { number, guests } of chunk) rooms.push({ number: String(number), guests: (guests ?? []) as Person[] })
    return { rooms }
  } catch (error) {
    if (error instanceof UnreadableFile) return { unread: { row: null, sentence: error.message } }
    throw error
  }
}
