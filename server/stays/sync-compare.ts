// Sync compare: decides field by field whether a reported value is written. A value that a person has changed by hand is kept.
import { isDeepStrictEqual } from 'node:util'
import { sameFold } from '#contract/folded.ts'
import { createGuest } from './sync-create.ts'
import {
  guestFields,
  reportedNames,
  stayFields,
  wholeName,
  type WrittenStay,
  type WrittenGuest,
  type Difference,
  type Placement,
  type StoredGuest,
  type SyncedStay,
  type StayField,
  type StaySync,
} from './sync-state.ts'
import { nameless, roomKey, type ReportedGuest, type ReportedStay } from './stay-updates.ts'

type ChangedFields = Partial<Pick<WrittenStay, StayField>>
interface Comparing<O = StoredGuest> {
  was: WrittenStay
  stored: O
  next: ReportedStay
  differences: Difference[]
}
interface ComparingStay extends Comparing {
  /** The fields as written before any stay of the row was compared. */
  former: Pick<WrittenStay, StayField>
  /** The guests are in house by now. */
  arrived: boolean
  /** The guests were entered by hand before the system reported them: its values win. */
  wasEnteredByHand: boolean
  /** A person has accepted the system's value of the field. */
  isAccepted: (field: StayField) => boolean
  room_guest_id: number | null
}

/** Decides for each field of one of the stays that a synced stay has become; `was` is updated to what is written. */
export function compareStay(
  sync: StaySync,
  { former, was, stored, next, arrived, wasEnteredByHand, isAccepted, room_guest_id, differences }: ComparingStay,
): ChangedFields {
  const written: ChangedFields = {}
  for (const field of stayFields) {
    // Guests who are in house have arrived by today: a missing or later day of arrival is replaced by today.
    const isUnreported = field === 'arrives_on' && arrived && (next[field] ?? '9') > sync.today
    if (isUnreported && (stored[field] ?? '') <= sync.today) continue
    const [there, reported] = [stored[field], isUnreported ? sync.today : next[field]]
    const same =
      field === 'room' ? (a: string | null, b: string | null) => roomKey(a ?? '') === roomKey(b ?? '') : Object.is
    const before = isAccepted(field) || (wasEnteredByHand && reported !== null) ? there : former[field]
    // Guests who are in house cannot arrive later: such a day is not written.
    const isToCome = field === 'arrives_on' && (reported ?? '') > sync.today && there !== null && there <= sync.today
    if (!same(reported, there) && same(before, there) && !isToCome) Object.assign(written, { [field]: reported })
    // A day of arrival that the desk gave is kept. A value that the system has never reported, as most do no time, is no difference.
    else if (!same(reported, there) && field !== 'arrives_on' && (reported !== null || before !== null))
      differences.push({ room_guest_id, field, system: reported, ours: there })
    if (field in written || same(reported, there)) Object.assign(was, { [field]: reported })
  }
  return written
}

/**
 * Matches reported guests to stored ones by name. Where there was one and is one, it is the same guest under another name.
 * @param host the placement that further guests get
 * @param isUnknown no reported names are kept of them: they were entered by hand, or had left
 */
export async function compareGuests(
  sync: StaySync,
  {
    row,
    was,
    stored,
    next,
    host,
    isUnknown,
    differences,
  }: Comparing<StoredGuest[]> & { row: SyncedStay; host: Placement; isUnknown: boolean },
) {
  const reported_guests = next.guests.length > 0 ? next.guests : [nameless]
  const left = [...was.guests]
  const kept: WrittenGuest[] = []
  const take = (fits: (guest: ReportedGuest) => boolean) => {
    const at = left.findIndex((guest) => fits((isUnknown && stored.find(({ id }) => id === guest.id)) || guest))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const alone = reported_guests.length === 1 && was.guests.length === 1
  const pairs = reported_guests.map(
    (reported) => [reported, take((guest) => nameKey(guest) === nameKey(reported))] as const,
  )
  for (const [reported, found] of pairs) {
    const guest = found ?? take((one) => alone || isNameless(one) || isNamesake(one, reported))
    if (!guest) {
      kept.push({ ...reported, id: await createGuest(sync, reported, { ...host, row }) })
      continue
    }
    const its = stored.find(({ id }) => id === guest.id)
    kept.push(compareGuest(sync, { row, guest, stored: its, reported, isUnknown, differences }))
  }
  const gone = stored.filter((one) => !one.gone && left.some(({ id }) => id === one.id))
  if (gone.length > 0) sync.pending.touch(row, gone)
  for (const { id } of gone) sync.pending.checkedOut.add(id)
  was.guests = kept
}

function compareGuest(
  sync: StaySync,
  {
    row,
    guest,
    stored,
    reported,
    isUnknown,
    differences,
  }: {
    row: SyncedStay
    guest: WrittenGuest
    stored: StoredGuest | undefined
    reported: ReportedGuest
    isUnknown: boolean
    differences: Difference[]
  },
) {
  if (!stored) return guest
  if (stored.gone) {
    differences.push({ room_guest_id: guest.id, field: 'presence', system: 'In house', ours: 'Checked out' })
    return { ...guest, ...reported }
  }
  const written: Partial<ReportedGuest> = {}
  for (const field of guestFields) {
    // Where no reported names are kept, the system's values win, and fields that it leaves empty stay as they are.
    const before = isUnknown && reported[field] !== null ? stored[field] : guest[field]
    if (reported[field] === stored[field]) guest[field] = reported[field]
    else if (before === stored[field]) written[field] = guest[field] = reported[field]
    else if (reported[field] !== null)
      differences.push({ room_guest_id: guest.id, field, system: reported[field], ours: stored[field] })
  }
  if (Object.keys(written).length > 0) {
    sync.pending.touch(row, [stored])
    sync.pending.guestNames.set(guest.id, { ...reportedNames(stored), ...written })
    if (written.last_name !== undefined || written.first_name !== undefined)
      sync.record(`Another name in room ${stored.room}`, [reported])
  }
  return guest
}

export const isNameless = (guest: ReportedGuest) => isDeepStrictEqual(reportedNames(guest), nameless)
const nameKey = (guest: ReportedGuest) => sameFold(wholeName(guest))
/** A corrected name shares its last or its first name with the former one. */
export const isNamesake = (one: ReportedGuest, other: ReportedGuest) =>
  (['last_name', 'first_name'] as const).some(
    (field) => one[field] !== null && other[field] !== null && sameFold(one[field]) === sameFold(other[field]),
  )
