// Gateway health: which gateways need a look, as SQL over a gateway, or over one that is not registered, `t`.
import { sql } from 'kysely'

/** A gateway of a place with guests asks or reports more often. */
export const isSilent = sql<boolean>`(t.active and t.last_seen_at < now() - interval '15 minutes')`

/** Since it was last answered, its packets have been left without an answer: its secret is wrong, or it signs nothing. */
export const isUnanswered = sql<boolean>`
  (t.active and t.refused_at > now() - interval '1 day' and (t.last_seen_at is null or t.refused_at > t.last_seen_at))`

/** It has asked within a week, and no registered gateway of the customer has its name, MAC or, where it tells neither, its address. */
export const stillUnregistered = sql<boolean>`
  (t.last_seen_at > now() - interval '7 days' and not exists (
    select from gateways as g where g.customer_id = t.customer_id and g.deleted_at is null and (
      g.nas_identifier = t.nas_identifier or g.mac_address = t.mac_address
      or t.nas_identifier is null and t.mac_address is null and g.property_id = t.property_id and g.ip_address = t.address)))`
