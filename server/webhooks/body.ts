// Body: what an endpoint is told of an event. Personal data are read when it is sent, so that what was erased is sent to nobody.
import { sql } from 'kysely'
import type { z } from 'zod'
import type { PersonalData } from '#contract/events.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** An event, as it is stored. */
export interface Recorded {
  uuid: string
  type: string
  object: string
  object_id: number
  sequence: number
  property_id: number | null
  data: object
  created_at: string
}
type Personal = z.output<typeof PersonalData>

/** Of the guest or account that it is about; null where it is about nobody, or nothing is known of them any more. */
export async function personalOf(scope: Scope, { object, object_id }: Recorded): Promise<Personal | null> {
  const [person] = await scope.run(
    object === 'guest'
      ? sql<Personal>`select t.name, t.email, t.mobile_number from guests as t where t.id = ${object_id}
          and ${scope.inReach('guests', 't')}`
      : object === 'account'
        ? sql<Personal>`select t.name, t.email, t.mobile_number from accounts as t where t.id = ${object_id}
            and ${scope.inReach('accounts', 't')}`
        : object === 'room_guest'
          ? sql<Personal>`select coalesce(t.name, t.last_name) as name, t.email, t.mobile_number from room_guests as t
              where t.id = ${object_id} and ${scope.inReach('room_guests', 't')}`
          : sql<Personal>`select null::text as name, null::text as email, null::text as mobile_number where false`,
  )
  return person ?? null
}

/** What stands in `data`, as in the list of events. */
export const dataOf = ({ object_id, property_id, sequence, data }: Recorded) => ({
  id: object_id,
  property_id,
  sequence,
  ...data,
})

export const bodyText = (event: Recorded, personal: Personal | null): string =>
  JSON.stringify({
    type: event.type,
    timestamp: new Date(event.created_at).toISOString(),
    data: { ...dataOf(event), ...(personal && { personal }) },
  })
