// Stay lists: the lists of a day, what may be meant for a guest in each, and what is done to those who are ticked.
import type { StayKind } from '#contract/room-guests.ts'
import type { StayOfToday } from '#contract/today.ts'
import { checkIn, checkOut, extend, reinstate, type Place } from '#web/stays/acts.ts'
import type { IconName } from '#web/ui/icons.tsx'
import type { DeskWord } from '#web/words/desk.ts'

export type ListKind = StayKind | 'no_shows'
export type Act = (place: Place) => Promise<unknown>

/** What is done to those who are ticked. */
export interface Ticked {
  icon: IconName
  /** `Check in 60` */
  action: 'day.check-in-some' | 'day.check-out-some'
  act: (stays: readonly StayOfToday[], place: Place) => Promise<unknown>
}

interface RowAct {
  action: DeskWord
  /** Undefined where it makes no sense for this guest. */
  act: (stay: StayOfToday, today: string) => Act | undefined
}

interface Kind {
  acts: readonly RowAct[]
  ticked?: Ticked
}

const staysOn: RowAct = {
  action: 'act.night-more',
  // A stay without an end has no night more.
  act: ({ departs_on, ...stay }, today) =>
    departs_on === null ? undefined : (place) => extend({ ...stay, departs_on }, today, 1, place),
}
const leaves: RowAct = { action: 'check-out', act: (stay) => (place) => checkOut([stay], place) }
/** In the same order in every list, so that a hand finds the same one at the same end. */
const ofThoseWhoAreIn: Kind['acts'] = [staysOn, leaves]
const out: Pick<Kind, 'acts' | 'ticked'> = {
  acts: ofThoseWhoAreIn,
  ticked: { icon: 'checkOut', action: 'day.check-out-some', act: checkOut },
}

export const kinds: Record<ListKind, Kind> = {
  overdue: out,
  arriving: {
    acts: [{ action: 'check-in', act: (stay) => (place) => checkIn([stay], place) }],
    ticked: { icon: 'checkIn', action: 'day.check-in-some', act: checkIn },
  },
  leaving: out,
  in_house: {
    acts: ofThoseWhoAreIn,
  },
  no_shows: {
    acts: [{ action: 'act.reinstate', act: (stay) => (place) => reinstate([stay], place) }],
  },
}
