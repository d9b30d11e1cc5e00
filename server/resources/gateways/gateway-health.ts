// Gateway health: SQL conditions on `t`, a gateway or an unregistered gateway, for those that need attention.
import { sql } from 'kysely'
import { stray_names } from '#server/gateways/read.ts'

/** Its packets since the last answer were not answered: its secret is wrong, or it does not sign them. */
export const isUnanswered = sql<boolean>`
  (t.active and t.refused_at > now() - interval '1 day' and (t.last_seen_at is null or t.refused_at > t.last_seen_at))`

/**
 * It has asked within a week, or sent a guest within a day, and the reason for refusing it still holds: no registered gateway of the
 * customer has its name, its MAC or, if it sends neither, its address; or the gateway that it names is of another kind, or has not
 * been given a new secret since.
 */
/** What stands in place of the name of one that sent a guest and says none. Null: it is a name. */
export const saidBy = (kind: keyof typeof stray_names) =>
  sql`case when t.why <> 'asks' then substring(t.nas_identifier from ${`^${stray_names[kind]} (.+)$`}) end`

export const stillUnregistered = sql<boolean>`
  (t.last_seen_at > now() - case t.why when 'asks' then interval '7 days' else interval '1 day' end and case t.why
    when 'other_kind' then exists (select from gateways as g where g.customer_id = t.customer_id and g.id = t.gateway_id
      and g.deleted_at is null and g.gateway_type_id is distinct from t.gateway_type_id)
    when 'not_genuine' then exists (
      select from gateways as g join gateway_secrets as s on s.customer_id = g.customer_id and s.gateway_id = g.id
      where g.customer_id = t.customer_id and g.id = t.gateway_id and g.deleted_at is null
        and s.radius_secret_made_at < t.last_seen_at)
    else not exists (
      select from gateways as g where g.customer_id = t.customer_id and g.deleted_at is null and (
        g.nas_identifier = t.nas_identifier or g.mac_address = t.mac_address
        or ${saidBy('host')} in (g.dns_name, host(g.ip_address))
        or ${saidBy('sealed')} is not null and g.property_id = t.property_id and g.gateway_type_id = t.gateway_type_id
          and g.last_seen_at > t.last_seen_at
        or t.nas_identifier is null and t.mac_address is null and g.property_id = t.property_id and g.ip_address = t.address)) end)`
