// Place: what stands against everybody at a property, or against a device whoever uses it.
import { sql, type RawBuilder } from 'kysely'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { inOrder, numbersOf } from '#server/db/numbered.ts'

const guessing = { minutes: 10, of_device_max: 10, of_property_max: 300 }
const guesses: readonly AttemptReason[] = ['unknown_user', 'wrong_password', 'wrong_property']
export const isGuess = (reason: AttemptReason) => guesses.includes(reason)

export interface At {
  gateway_id: number
  /** Null: of no device in particular. */
  mac_address: string | null
}
export interface Place {
  gateway: boolean
  property: boolean
  blocked: boolean
  /** Wrong tries of the device, and of all at the property. */
  tries: number
  all_tries: number
}

/** For whoever asks there, in the same order. Undefined: the property has no such gateway. */
export async function placesOf(
  scope: Scope,
  property_id: number,
  asked: readonly At[],
): Promise<(Place | undefined)[]> {
  const found = await scope.run(sql<Place & { n: number }>`
    select q.n, g.active as gateway, h.active and not h.draft as property,
      exists (select from devices as d join mac_categories as k on k.customer_id = d.customer_id and k.id = d.mac_category_id
        where d.customer_id = g.customer_id and d.property_id = g.property_id and d.mac_address = q.mac_address
          and d.deleted_at is null and k.blocks) as blocked,
      (${guessesOf(scope, sql`a.mac_address = q.mac_address and ${notForgiven}`, guessing.minutes, guessing.of_device_max)}) as tries,
      (${guessesOf(scope, sql`a.property_id = ${property_id}`, 1, guessing.of_property_max)}) as all_tries
    from unnest(${numbersOf(asked)}::integer[], ${asked.map(({ gateway_id }) => gateway_id)}::integer[],
      ${asked.map(({ mac_address }) => mac_address)}::macaddr[]) as q(n, gateway_id, mac_address)
    join gateways as g on g.id = q.gateway_id and g.property_id = ${property_id} and ${scope.inReach('gateways', 'g')}
    join properties as h on h.customer_id = g.customer_id and h.id = g.property_id`)
  return inOrder(asked, found)
}

export function reasonAt(place: Place | undefined): AttemptReason | null {
  if (!place?.gateway) return 'gateway_disabled'
  if (!place.property) return 'property_disabled'
  if (place.blocked) return 'device_blocked'
  const isGuessing = place.tries >= guessing.of_device_max || place.all_tries >= guessing.of_property_max
  return isGuessing ? 'too_many_tries' : null
}

/** What stands against everybody there, or against this device whoever uses it. */
export async function reasonAtThePlace(scope: Scope, property_id: number, at: At): Promise<AttemptReason | null> {
  const [place] = await placesOf(scope, property_id, [at])
  return reasonAt(place)
}

/** Since the desk last let this device try again. */
const notForgiven = sql`
  a.id > coalesce((select max(p.id) from radius_authorisations as p
    where p.customer_id = a.customer_id and p.mac_address = a.mac_address and p.reason = 'let_again'
      and p.created_at > now() - make_interval(mins => ${guessing.minutes})), 0)`

const guessesOf = (scope: Scope, whose: RawBuilder<unknown>, minutes: number, counted_max: number) => sql`
  select count(*)::integer from (select from radius_authorisations as a
    where a.customer_id = ${scope.customer_id} and ${whose} and a.created_at > now() - make_interval(mins => ${minutes})
      and not a.accepted and a.reason = any(${[...guesses]}) limit ${counted_max}) as guess`
