// Stay calls: what the desk does with a stay, each with its message and, if possible, an undo.
import * as rooms from '#contract/rooms.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { call } from '#web/kit/call/call.ts'
import { forgetLists, forgetRecords, invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'

export interface Staying {
  id: number
  name: string
  departs_on: string | null
}

const day_ms = 86_400_000
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * day_ms).toISOString().slice(0, 10)

/** Counted from today if the departure is overdue or not known. */
export const nextDeparture = ({ departs_on }: Staying, today: string, nights: number): string =>
  daysAfter(departs_on !== null && departs_on > today ? departs_on : today, nights)

function changed() {
  forgetLists(rooms.list.path)
  forgetLists(roomGuests.list.path)
  invalidateOthers()
}

async function leaveOn(id: number, departs_on: string | null) {
  await call(roomGuests.update, { id, departs_on })
  changed()
}

/** `nights` may be negative. */
export async function extend(stay: Staying, today: string, nights: number) {
  const { id, name, departs_on } = stay
  const next = nextDeparture(stay, today, nights)
  await leaveOn(id, next)
  notify.success(`${name} stays until ${dayOf(next)}`, {
    label: 'Undo',
    onPick: () => void leaveOn(id, departs_on).catch(notify.failure),
  })
}

export async function checkIn(stays: readonly Staying[]) {
  await call(roomGuests.checkIn, { ids: stays.map(({ id }) => id) })
  changed()
  notify.success(stays.length === 1 ? `${stays[0]?.name ?? ''} is checked in` : `${stays.length} guests are checked in`)
}

/** Asks first, as it disconnects the guests and has no undo. */
export async function checkOut(stays: readonly Staying[]): Promise<boolean> {
  const [first] = stays
  if (!first) return false
  const who = stays.length === 1 ? first.name : `${stays.length} guests`
  const yes = await confirm({
    title: `Check out ${who}?`,
    description:
      stays.length === 1
        ? 'The room no longer gets them online, and their devices are disconnected.'
        : 'Their rooms no longer get them online, and their devices are disconnected.',
    accept: 'Check out',
  })
  if (!yes) return false
  const ids = stays.map(({ id }) => id)
  await call(roomGuests.checkOut, { ids })
  forgetRecords(roomGuests.list.path, ids)
  changed()
  notify.success(stays.length === 1 ? `${who} is checked out` : `${who} are checked out`)
  return true
}

export async function moveTo(id: number, name: string, from: number, room_id: number) {
  const { room } = await call(roomGuests.update, { id, room_id, was: { room_id: from } })
  changed()
  notify.success(`${name} is in room ${room.name} now`, {
    label: 'Undo',
    onPick: () => {
      const back = call(roomGuests.update, { id, room_id: from, was: { room_id } }).then(changed)
      back.catch(notify.failure)
    },
  })
}
