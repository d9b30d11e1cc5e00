// Place: what stands against everybody at a property, or against a device whoever uses it.
import { sql } from 'kysely'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Scope } from '#server/access/tenancy.ts'

const guessing = { minutes: 10, of_device_max: 10, of_property_max: 300 }
const guesses: readonly AttemptReason[] = ['unknown_user', 'wrong_password', 'wrong_property']

export interface At {
  gateway_id: number
  property_id: number
  /** Null: of no device in particular. */
  mac_address: string | null
}

/** What stands against everybody there, or against this device whoever uses it. */
export async function reasonAtThePlace(
  scope: Scope,
  { gateway_id, property_id, mac_address }: At,
): Promise<AttemptReason | null> {
  const [place] = await scope.run(sql<{
    gateway: boolean
    property: boolean
    blocked: boolean
    tries: number
    all_tries: number
  }>`
    select g.active as gateway, h.active and not h.draft as property,
      exists (select from devices as d join mac_categories as k on k.customer_id = d.customer_id and k.id = d.mac_category_id
        where d.customer_id = g.customer_id and d.property_id = g.property_id and d.mac_address = ${mac_address}::macaddr
          and d.deleted_at is null and k.blocks) as blocked,
      (${guessesOf(sql`a.mac_address = ${mac_address}::macaddr and ${notForgiven}`, guessing.minutes, guessing.of_device_max)}) as tries,
      (${guessesOf(sql`a.property_id = g.property_id`, 1, guessing.of_property_max)}) as all_tries
    from gateways as g join properties as h on h.customer_id = g.customer_id and h.id = g.property_id
    where g.id = ${gateway_id} and g.property_id = ${property_id} and ${scope.inReach('gateways', 'g')}`)
  if (!place?.gateway) return 'gateway_disabled'
  if (!place.property) return 'property_disabled'
  if (place.blocked) return 'device_blocked'
  const isGuessing = place.tries >= guessing.of_device_max || place.all_tries >= guessing.of_property_max
  return isGuessing ? 'too_many_tries' : null
}

/** Since the desk last let this device try again. */
const notForgiven = sql`
  a.id > coalesce((select max(p.id) from radius_authorisations as p
    where p.customer_id = a.customer_id and p.mac_address = a.mac_address and p.reason = 'let_again'
      and p.created_at > now() - make_interval(mins => ${guessing.minutes})), 0)`

const guessesOf = (whose: ReturnType<typeof sql>, minutes: number, counted_max: number) => sql`
  select count(*)::integer from (select from radius_authorisations as a
    where a.customer_id = g.customer_id and ${whose} and a.created_at > now() - make_interval(mins => ${minutes})
      and not a.accepted and a.reason = any(${[...guesses]}) limit ${counted_max}) as guess`
