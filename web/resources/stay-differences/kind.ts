// Stay difference kind: what the system and the desk say differently in the desk's words, and the two answers to it.
import type { RowOf } from '#contract/endpoint.ts'
import * as differences from '#contract/stay-differences.ts'
import { call } from '#web/kit/call/call.ts'
import { forgetLists, forgetRecords, invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf, shortDayOf } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import type { BulkAction } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import type { MenuItem } from '#web/ui/menu.tsx'

export type Difference = RowOf<typeof differences.differenceList>
type Field = Difference['field']

export const fieldNames: Record<Field, string> = {
  room: 'Room',
  arrives_on: 'Arrival',
  departs_on: 'Departure',
  until_time: 'Until',
  presence: 'In house',
  last_name: 'Last name',
  first_name: 'First name',
  email: 'E-mail',
  mobile_number: 'Mobile number',
}

/** In words; what is not said is said to be so. */
export function saidOf({ field, kept: _, ...said }: Difference, who: 'system' | 'ours'): string {
  const value = said[who]
  if (field === 'room' && value === null) return who === 'ours' ? 'No such room' : 'No room'
  if (value === null) return 'Nothing'
  return field === 'arrives_on' || field === 'departs_on' ? dayOf(value) : value
}

/** The same without the year of a day. */
export function shortlySaidOf(row: Difference, who: 'system' | 'ours'): string {
  const { field, [who]: value } = row
  const isDay = value !== null && (field === 'arrives_on' || field === 'departs_on')
  return isDay ? shortDayOf(value) : saidOf(row, who)
}

export const nameOf = ({ guest, room, system, field }: Difference) =>
  guest?.name ?? (field === 'room' ? `Room ${system ?? ''}` : (room?.name ?? 'A guest'))

const { acceptDifferences, keepDifferences, askAgain, differenceList } = differences

/** Somebody else may have settled some of them: then the list is read again, and the notice says who. */
async function settle(endpoint: typeof acceptDifferences, ids: number[]): Promise<boolean> {
  try {
    await call(endpoint, { ids })
  } catch (error) {
    notify.failure(error)
    forgetLists(differenceList.path)
    return false
  }
  forgetRecords(differenceList.path, ids)
  invalidateOthers()
  return true
}

const whom = (rows: readonly Difference[]) =>
  rows.length === 1 && rows[0] ? nameOf(rows[0]) : `${wholeOf(rows.length)} differences`
const idsOf = (rows: readonly Difference[]) => rows.map(({ id }) => id)

/** What is written when all of these are accepted: `2 rooms, 1 departure`. */
const countedByField = (rows: readonly Difference[]) =>
  [...Map.groupBy(rows, ({ field }) => field)]
    .map(([field, those]) => `${fieldNames[field]}: ${wholeOf(those.length)}`)
    .join(', ')

export async function accept(rows: readonly Difference[]): Promise<boolean> {
  if (rows.length > 1) {
    const yes = await confirm({
      title: `Accept what the system says in ${wholeOf(rows.length)} places?`,
      description: `${countedByField(rows)}. It replaces what was entered by hand.`,
      accept: 'Accept all',
    })
    if (!yes) return false
  }
  const done = await settle(acceptDifferences, idsOf(rows))
  if (done) notify.success(`The system’s version now holds for ${whom(rows)}`)
  return done
}

export async function keep(rows: readonly Difference[]): Promise<boolean> {
  const ids = idsOf(rows)
  const done = await settle(keepDifferences, ids)
  if (done)
    notify.success(`Our version was kept for ${whom(rows)}`, { label: 'Undo', onPick: () => void bringBack(ids) })
  return done
}

async function bringBack(ids: number[]) {
  if (await settle(askAgain, ids)) forgetLists(differenceList.path)
}

export async function askOnceMore(rows: readonly Difference[]): Promise<boolean> {
  const done = await settle(askAgain, idsOf(rows))
  if (done) notify.success(`${whom(rows)} ${rows.length === 1 ? 'has' : 'have'} to be settled again`)
  return done
}

function itemsOf(row: Difference): MenuItem[] {
  if (!mayCall(acceptDifferences)) return []
  if (row.kept) return [{ label: 'Ask again', icon: 'undo', onPick: () => void askOnceMore([row]) }]
  return [
    { label: 'Accept', icon: 'check', onPick: () => void accept([row]) },
    { label: 'Keep ours', icon: 'undo', onPick: () => void keep([row]) },
  ]
}

export const differenceKind: RecordKind<Difference> = {
  of: { list: differenceList, fields: differences.fields },
  noun: 'differences',
  nameOf,
  searchKey: 'system',
  href: ({ guest }) => (guest ? to.guestHelp({ kind: 'stay', id: guest.id }) : undefined),
  consequence: '',
  // The system speaks at any time.
  live_ms: 15_000,
  own: itemsOf,
}

const waiting = (rows: readonly { id: number }[]) => (rows as readonly Difference[]).filter(({ kept }) => !kept)
const none = () => notify.error('Our version is already kept in all of these')

export const acceptSeveral: BulkAction = {
  label: 'Accept',
  icon: 'check',
  run: async (rows) => {
    const those = waiting(rows)
    if (those.length === 0) return (none(), false)
    return accept(those)
  },
}
export const keepSeveral: BulkAction = {
  label: 'Keep ours',
  icon: 'undo',
  run: async (rows) => {
    const those = waiting(rows)
    if (those.length === 0) return (none(), false)
    return keep(those)
  },
}
