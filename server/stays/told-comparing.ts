// Told comparing: field by field, whether a system's word is written, or a person has said otherwise by hand, which stays.
import { isDeepStrictEqual } from 'node:util'
import { sameFold } from '#contract/folded.ts'
import { makeGuest } from './told-making.ts'
import {
  guestFields,
  namesOf,
  stayFields,
  wholeName,
  type Applied,
  type AppliedGuest,
  type Difference,
  type Host,
  type Ours,
  type Row,
  type StayField,
  type Telling,
} from './told-rows.ts'
import { nameless, roomKey, type ToldGuest, type ToldStay } from './words.ts'

type Written = Partial<Pick<Applied, StayField>>
interface Comparing<O = Ours> {
  was: Applied
  ours: O
  next: ToldStay
  differences: Difference[]
}
interface ComparingStay extends Comparing {
  /** As it was before any stay of the row was compared. */
  former: Pick<Applied, StayField>
  /** They are in house by now. */
  arrived: boolean
  /** Who was entered by hand before the system spoke: what it says holds. */
  isAdopted: boolean
  /** A person has accepted what the system says of it. */
  isAccepted: (field: StayField) => boolean
  room_guest_id: number | null
}

/** Decides for each field of one of the stays that a told stay has become; `was` becomes what is written of it. */
export function compareStay(
  telling: Telling,
  { former, was, ours, next, arrived, isAdopted, isAccepted, room_guest_id, differences }: ComparingStay,
): Written {
  const written: Written = {}
  for (const field of stayFields) {
    // Who is in by now has come when that is known: no day, or one that is ahead, says nothing of it.
    const isUnsaid = field === 'arrives_on' && arrived && (next[field] ?? '9') > telling.today
    if (isUnsaid && (ours[field] ?? '') <= telling.today) continue
    const [there, said] = [ours[field], isUnsaid ? telling.today : next[field]]
    const same =
      field === 'room' ? (a: string | null, b: string | null) => roomKey(a ?? '') === roomKey(b ?? '') : Object.is
    const before = isAccepted(field) || (isAdopted && said !== null) ? there : former[field]
    // Who is in by now did not come later.
    const isToCome = field === 'arrives_on' && (said ?? '') > telling.today && there !== null && there <= telling.today
    if (!same(said, there) && same(before, there) && !isToCome) Object.assign(written, { [field]: said })
    // A day of arrival that the desk gave is theirs. To say nothing again, as most systems do of a time, is no word against what it gave.
    else if (!same(said, there) && field !== 'arrives_on' && (said !== null || before !== null))
      differences.push({ room_guest_id, field, system: said, ours: there })
    if (field in written || same(said, there)) Object.assign(was, { [field]: said })
  }
  return written
}

/**
 * Guests who are told are known by their names. Where there was one and is one, it is the same under another name.
 * @param host where who comes along later is
 * @param isUnknown no names are kept that were told of them: they were entered by hand, or had left
 */
export async function compareGuests(
  telling: Telling,
  {
    row,
    was,
    ours,
    next,
    host,
    isUnknown,
    differences,
  }: Comparing<Ours[]> & { row: Row; host: Host; isUnknown: boolean },
) {
  const said_guests = next.guests.length > 0 ? next.guests : [nameless]
  const left = [...was.guests]
  const kept: AppliedGuest[] = []
  const take = (fits: (guest: ToldGuest) => boolean) => {
    const at = left.findIndex((guest) => fits((isUnknown && ours.find(({ id }) => id === guest.id)) || guest))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const alone = said_guests.length === 1 && was.guests.length === 1
  const pairs = said_guests.map((said) => [said, take((guest) => nameKey(guest) === nameKey(said))] as const)
  for (const [said, found] of pairs) {
    const guest = found ?? take((one) => alone || isNameless(one) || isNamesake(one, said))
    if (!guest) {
      kept.push({ ...said, id: await makeGuest(telling, said, { ...host, row }) })
      continue
    }
    const its = ours.find(({ id }) => id === guest.id)
    kept.push(compareGuest(telling, { row, guest, ours: its, said, isUnknown, differences }))
  }
  const gone = ours.filter((one) => !one.gone && left.some(({ id }) => id === one.id))
  if (gone.length > 0) telling.unwritten.touch(row, gone)
  for (const { id } of gone) telling.unwritten.gone.add(id)
  was.guests = kept
}

function compareGuest(
  telling: Telling,
  {
    row,
    guest,
    ours,
    said,
    isUnknown,
    differences,
  }: {
    row: Row
    guest: AppliedGuest
    ours: Ours | undefined
    said: ToldGuest
    isUnknown: boolean
    differences: Difference[]
  },
) {
  if (!ours) return guest
  if (ours.gone) {
    differences.push({ room_guest_id: guest.id, field: 'presence', system: 'In house', ours: 'Checked out' })
    return { ...guest, ...said }
  }
  const written: Partial<ToldGuest> = {}
  for (const field of guestFields) {
    // Of whom nothing is kept, what the system says holds, and what it does not say is left as it is.
    const before = isUnknown && said[field] !== null ? ours[field] : guest[field]
    if (said[field] === ours[field]) guest[field] = said[field]
    else if (before === ours[field]) written[field] = guest[field] = said[field]
    else if (said[field] !== null)
      differences.push({ room_guest_id: guest.id, field, system: said[field], ours: ours[field] })
  }
  if (Object.keys(written).length > 0) {
    telling.unwritten.touch(row, [ours])
    telling.unwritten.names.set(guest.id, { ...namesOf(ours), ...written })
    if (written.last_name !== undefined || written.first_name !== undefined)
      telling.record(`Another name in room ${ours.room}`, [said])
  }
  return guest
}

export const isNameless = (guest: ToldGuest) => isDeepStrictEqual(namesOf(guest), nameless)
const nameKey = (guest: ToldGuest) => sameFold(wholeName(guest))
/** A corrected name has something of the former one. */
export const isNamesake = (one: ToldGuest, other: ToldGuest) =>
  (['last_name', 'first_name'] as const).some(
    (field) => one[field] !== null && other[field] !== null && sameFold(one[field]) === sameFold(other[field]),
  )
