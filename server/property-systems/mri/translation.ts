// Translation of MRI: present residents become the guests of their units, of which a lease may have several.
import { z } from 'zod'
import type { BookedRoom, Bookings } from '#server/property-systems/kind.ts'

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? '').trim())
/** `2026-11-01T00:00:00`. */
const day = text.transform((value) => /^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? null)

export const Resident = z.object({
  ResidentNameID: text,
  RMBLDGID: text,
  UNITID: text,
  RMLEASEID: text,
  Status: text,
  FirstName: text,
  LastName: text,
  PhoneNumber: text,
  Email: text,
  OccupantOccupyDate: day,
})
type Resident = z.output<typeof Resident>
export const Lease = z.object({
  UnitID: text,
  LeaseID: text,
  LeaseStart: day,
  LeaseMoveOut: day,
  /** MRI takes no payments online of who is in dispute, in arrears or before a court. */
  PayAllowed: text,
  BlockEPayments: text,
  CellPhoneNumber: text,
})
type Lease = z.output<typeof Lease>

const current = 'C'
const isYes = (flag: string) => /^(?:y|yes|true|1)$/i.test(flag)
const isNo = (flag: string) => /^(?:n|no|false|0)$/i.test(flag)

/** A unit is known by its number, with the building in front where two buildings have the same. */
export function bookings(residents: readonly Resident[], leases: readonly Lease[]): Bookings {
  const buildings = new Map<string, Set<string>>()
  for (const { UNITID, RMBLDGID } of residents)
    buildings.set(UNITID, (buildings.get(UNITID) ?? new Set()).add(RMBLDGID))
  const roomOf = ({ UNITID, RMBLDGID }: Resident) =>
    (buildings.get(UNITID)?.size ?? 0) > 1 && RMBLDGID !== '' ? `${RMBLDGID} ${UNITID}` : UNITID
  const present = residents.filter(
    ({ Status, UNITID, LastName }) => Status.toUpperCase() === current && UNITID !== '' && LastName !== '',
  )
  const byLease = Map.groupBy(present, (one) =>
    one.RMLEASEID === '' ? `resident ${one.ResidentNameID}` : one.RMLEASEID,
  )
  const unitsOf = (key: string, those: readonly Resident[]) =>
    [...Map.groupBy(those, roomOf)].map(([room, guests]): BookedRoom => {
      const lease = leases.find(({ LeaseID, UnitID }) => LeaseID === key && UnitID === guests[0]?.UNITID)
      const came = guests.flatMap(({ OccupantOccupyDate }) => OccupantOccupyDate ?? []).toSorted()
      return {
        room,
        guests: guests.map(({ LastName, FirstName, Email, PhoneNumber }) => ({
          last_name: LastName,
          first_name: FirstName === '' ? null : FirstName,
          email: Email === '' ? null : Email,
          mobile_number: PhoneNumber === '' ? null : PhoneNumber,
        })),
        arrives_on: came[0] ?? lease?.LeaseStart ?? null,
        // A lease goes on after its end until somebody moves out.
        departs_on: lease?.LeaseMoveOut ?? null,
        until_time: null,
        no_show: false,
        may_be_charged: true,
        in_dispute: lease !== undefined && (isYes(lease.BlockEPayments) || isNo(lease.PayAllowed)),
      }
    })
  return new Map([...byLease].map(([key, those]) => [key, unitsOf(key, those)]))
}
