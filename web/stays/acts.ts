// Stay acts: what the desk does to stays, and what came of it. For half a minute that stands where it was done, and can be taken back.
import { addDays } from '#contract/days.ts'
import { useSyncExternalStore } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { refusals } from '#contract/errors.ts'
import { get as getSubject } from '#contract/guest-help.ts'
import * as rooms from '#contract/rooms.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { getStay } from '#contract/stays.ts'
import { undo_s, type StayAct } from '#contract/stay-acts.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { forgetLists, forgetRecords, invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { whenOff } from '#web/limits/when-off.tsx'
import { say } from '#web/words/desk.ts'

export interface Staying {
  id: number
  name: string
  departs_on: string | null
  property?: { id: number } | null | undefined
}

/** Where something is done: a list of a property's day, and how far down. Elsewhere it is the panel of the guest. */
export interface Place {
  property_id: number
  list: string
  index: number
}

/** What came of an act. */
export interface Outcome {
  ids: readonly number[]
  sentence: string
  /** What can be taken back; null if it was refused, or has been taken back. */
  act: StayAct | null
  place: Place | undefined
  ends_at: number
}

let outcomes: readonly Outcome[] = []
const listeners = new Set<() => void>()
function show(next: typeof outcomes) {
  outcomes = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const isOfOneOf = (ids: readonly number[]) => (outcome: Outcome) => outcome.ids.some((id) => ids.includes(id))

/** Replaces what stood about these stays before. */
function stand(outcome: Omit<Outcome, 'ends_at'>) {
  const standing = { ...outcome, ends_at: Date.now() + undo_s * 1000 }
  show([...outcomes.filter((other) => !isOfOneOf(outcome.ids)(other)), standing])
  setTimeout(() => leave(standing), undo_s * 1000)
}

let held: Outcome | undefined
/** While the focus is on it, it stays, so that no key goes nowhere. */
export const hold = (outcome: Outcome) => void (held = outcome)
export function release(outcome: Outcome) {
  if (held === outcome) held = undefined
  leave(outcome)
}
const leave = (outcome: Outcome) => {
  if (held !== outcome && Date.now() >= outcome.ends_at) show(outcomes.filter((other) => other !== outcome))
}

export const useOutcomes = () => useSyncExternalStore(subscribe, () => outcomes)
export const outcomeOf = (all: readonly Outcome[], id: number) => all.find(isOfOneOf([id]))
export const isAt =
  (property_id: number, list: string) =>
  ({ place }: Outcome) =>
    place?.property_id === property_id && place.list === list

/** Counted from today if the departure is overdue. */
export const nextDeparture = (departs_on: string, today: string, nights: number): string =>
  addDays(departs_on > today ? departs_on : today, nights)

function changed() {
  forgetLists(rooms.list.path)
  forgetLists(roomGuests.list.path)
  invalidateOthers()
}
/** A stay ends with the last of its guests: what still shows it does not ask for it again. */
function ended(ids: readonly number[]) {
  forgetLists(rooms.list.path)
  forgetLists(roomGuests.list.path)
  forgetRecords(roomGuests.list.path, ids, [roomGuests.get.path, getSubject.path], getStay.path)
}

interface Doing {
  /** Null: it is not taken back, but undone by another act. */
  act: StayAct | null
  stays: readonly Pick<Staying, 'id' | 'name' | 'property'>[]
  place?: Place | undefined
}

/** Does it and says so. Of what somebody else has done meanwhile, it says who, what and when, and passes the refusal on. */
async function perform<A>({ act, stays, place }: Doing, work: () => Promise<A>, sentence: (answer: A) => string) {
  const ids = stays.map(({ id }) => id)
  try {
    const said = sentence(await work())
    stand({ ids, sentence: said, act, place })
    notify.success(said)
    if (act === 'check_out' || act === 'no_show') ended(ids)
    else changed()
  } catch (error) {
    changed()
    if (error instanceof Refused && error.status === refusals.clash.status)
      stand({ ids, sentence: error.message, act: null, place })
    throw error
  }
}

/** What is said of them is counted by how many they are. */
const whoIn = (stays: Doing['stays']) => ({
  who: stays.length === 1 ? (stays[0]?.name ?? '') : say('act.guests', { count: stays.length }),
  count: stays.length,
})

/** `nights` may be negative. */
export function extend(stay: Staying & { departs_on: string }, today: string, nights: number, place?: Place) {
  const { id, name, departs_on } = stay
  const next = nextDeparture(departs_on, today, nights)
  return perform(
    { act: 'extend', stays: [stay], place },
    () => call(roomGuests.update, { id, departs_on: next, was: { departs_on } }),
    () => say('act.stays-until', { who: name, count: 1, day: dayOf(next) }),
  )
}

/** The same day for all of them. */
export const extendAll = (stays: Doing['stays'], departs_on: string, place?: Place) =>
  perform(
    { act: 'extend', stays, place },
    () => call(roomGuests.extend, { ids: stays.map(({ id }) => id), departs_on }),
    () => say('act.stays-until', { ...whoIn(stays), day: dayOf(departs_on) }),
  )

export const checkIn = (stays: Doing['stays'], place?: Place) =>
  perform(
    { act: 'check_in', stays, place },
    () => call(roomGuests.checkIn, { ids: stays.map(({ id }) => id) }),
    () => say('act.checked-in', whoIn(stays)),
  )

/** Asks first, as it disconnects the guests. False: they cancelled. */
export async function checkOut(stays: Doing['stays'], place?: Place): Promise<boolean> {
  const yes = await confirm({
    title: say('act.ask-check-out', { who: whoIn(stays).who }),
    description: say('act.check-out-means', { count: stays.length }),
    besides: whenOff(stays),
    accept: say('check-out'),
  })
  if (!yes) return false
  const work = () => call(roomGuests.checkOut, { ids: stays.map(({ id }) => id) })
  await perform({ act: 'check_out', stays, place }, work, () => say('act.checked-out', whoIn(stays)))
  return true
}

/** Nobody is disconnected by it, and it can be taken back by those who come after all, too. */
export const noShow = (stays: Doing['stays'], place?: Place) =>
  perform(
    { act: 'no_show', stays, place },
    () => call(roomGuests.noShow, { ids: stays.map(({ id }) => id) }),
    () => say('act.did-not-come', { who: whoIn(stays).who }),
  )

/** Who did not come, after all. */
export const reinstate = (stays: Doing['stays'], place?: Place) =>
  perform(
    { act: null, stays, place },
    () => call(roomGuests.reinstate, { ids: stays.map(({ id }) => id) }),
    () => say('act.expected-again', whoIn(stays)),
  )

/** `share`: it is known that somebody lives there. */
export const moveTo = (
  stay: Pick<Staying, 'id' | 'name'>,
  from: number,
  { room_id, share }: { room_id: number; share: boolean },
) =>
  perform(
    { act: 'move', stays: [stay] },
    () => call(roomGuests.update, { id: stay.id, room_id, share, was: { room_id: from } }),
    ({ room }) => say('act.moved', { name: stay.name, room: room.name }),
  )

/** What a form or another call has done to a stay, so that it can be taken back here. */
export function tookPlace(endpoint: Endpoint, ask: Record<string, unknown>, answer: unknown, sentence: string) {
  const { id } = { ...ask, ...(answer as object) } as { id?: unknown }
  const act = actOf(endpoint, ask, answer)
  const ids = Array.isArray(ask['ids']) ? (ask['ids'] as number[]) : typeof id === 'number' ? [id] : []
  if (act !== null) stand({ ids, sentence, act, place: undefined })
}

function actOf({ path }: Endpoint, ask: Record<string, unknown>, answer: unknown): StayAct | null {
  if (path === roomGuests.checkIn.path) return 'check_in'
  // One who arrives later is only expected.
  if (path === roomGuests.create.path)
    return (answer as { checked_in_at?: unknown }).checked_in_at == null ? null : 'check_in'
  if (path !== roomGuests.update.path) return null
  return 'room_id' in ask ? 'move' : 'departs_on' in ask ? 'extend' : null
}

/** Takes an act back. */
export async function takeBack({ ids, act, place }: Outcome) {
  if (act === null) return
  try {
    await call(roomGuests.undo, { ids: [...ids], act })
    stand({ ids, sentence: say(`act.taken-back-${act}`), act: null, place })
  } catch (error) {
    const said = error instanceof Refused && error.status === refusals.clash.status ? error.message : undefined
    if (said !== undefined) stand({ ids, sentence: said, act: null, place })
    else notify.failure(error)
  } finally {
    changed()
  }
}
