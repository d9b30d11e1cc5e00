// Arrival notes: what is recorded of redirects, so that operators see which of their gateways send guests, and which do not fit. Nobody
// waits for it, and anybody may send such a request, so that little is recorded, and seldom.
import { sql } from 'kysely'
import type { Arrival } from '#server/gateways/kind.ts'
import type { Services } from '#server/services.ts'
import { Recent } from '#server/turns/recent-cache.ts'

/** A redirect that matches no gateway. */
export interface UnmatchedRedirect {
  why: 'unknown' | 'not_genuine' | 'other_kind' | 'not_served'
  nas_identifier: string | null
  gateway_mac: string | null
  /** The make, if the redirect identifies it. */
  gateway_type_id: number | null
  /** The registered gateway that it names. */
  gateway_id: number | null
}

/** How often the same one is recorded, and how many are remembered for that. */
const noted = { once_in_ms: 60_000, max: 1000 }
const seen_once_in_ms = 600_000

export interface ArrivalNotes {
  noteUnmatched: (public_id: string, redirect: UnmatchedRedirect) => void
  noteAccessPoint: (public_id: string, arrival: Arrival, made: number, found: number | null) => void
  noteRedirected: (gateway: { customer_id: number; id: number }, is_heard: boolean) => void
}
export const no_notes: ArrivalNotes = { noteUnmatched() {}, noteAccessPoint() {}, noteRedirected() {} }

export function openArrivalNotes({ guestDoors, log }: Pick<Services, 'log' | 'guestDoors'>): ArrivalNotes {
  const recent = new Recent<true>(noted.once_in_ms, noted.max)
  const seen = new Recent<true>(seen_once_in_ms, noted.max)
  /** Each once a minute. */
  function noteUnmatched(
    public_id: string,
    { why, nas_identifier, gateway_mac, gateway_type_id, gateway_id }: UnmatchedRedirect,
  ) {
    const named = nas_identifier?.slice(0, 253) ?? null
    const key = JSON.stringify([public_id, why, named, gateway_mac, gateway_type_id, gateway_id])
    if (recent.get(key)) return
    recent.set(key, true)
    guestDoors
      .callFunction(
        sql`select door_portal_stray(${public_id}, ${named}, ${gateway_mac}::macaddr, ${why}, ${gateway_type_id}, ${gateway_id})`,
      )
      .catch((err: unknown) => log.warn({ err }, 'a redirect that fits no gateway could not be recorded'))
  }
  /** The access point that the guest is at, of a gateway that is known, or of one of its make. */
  function noteAccessPoint(
    public_id: string,
    { gateway_mac, access_point }: Arrival,
    made: number,
    found: number | null,
  ) {
    const key = `access point ${public_id} ${gateway_mac} ${found}`
    if (gateway_mac === null || seen.get(key)) return
    seen.set(key, true)
    const called = access_point?.slice(0, 100) ?? null
    guestDoors
      .callFunction(sql`select door_access_point(${public_id}, ${gateway_mac}::macaddr, ${called}, ${made}, ${found})`)
      .catch((err: unknown) => log.warn({ err }, 'a guest from an access point could not be recorded'))
  }
  /** The guest has been sent by it, which shows when RADIUS does not reach us. */
  function noteRedirected({ customer_id, id }: { customer_id: number; id: number }, is_heard: boolean) {
    const key = `gateway ${id}`
    if (recent.get(key)) return
    recent.set(key, true)
    guestDoors
      .callFunction(sql`select door_portal_redirected(${customer_id}, ${id}, ${is_heard})`)
      .catch((err: unknown) => log.warn({ err }, 'a guest from a gateway could not be recorded'))
  }
  return { noteUnmatched, noteAccessPoint, noteRedirected }
}
