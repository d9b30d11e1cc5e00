// Interface state: the state of the link of an interface `t`, as one word and one sentence.
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { PropertySystem } from './kind.ts'
import { isServed, systems } from './kinds.ts'
import { onlyProperty } from './interfaces.ts'

const idsOf = (some: readonly PropertySystem[]) => sql.join(some.map(({ definition }) => sql.lit(definition.id)))
const served = idsOf(systems.filter(isServed))
/** The types whose systems send lists. */
export const withFiles = idsOf(systems.filter(({ files }) => files !== undefined))

const silent_s = sql`extract(epoch from now() - l.heard_at)::integer`
/** The last update is older than the interface allows. */
const isSilent = sql`l.heard_at < now() - make_interval(hours => nullif(t.settings ->> 'silent_hours', '')::numeric::integer)`

const word = sql`case
  when not t.active or t.property_interface_type_id not in (${served}) or ${onlyProperty} is null then 'off'
  when l.pending is not null then 'confirm'
  when l.state is null or l.state = 'never' then 'never'
  when l.state = 'down' then 'down'
  when ${isSilent} then 'behind'
  else 'up' end`

const sentence = sql`case s.word
  when 'off' then case when not t.active then 'It is disabled: no data is exchanged.'
    when t.property_interface_type_id not in (${served}) then 'Nothing comes from this kind of system yet.'
    else 'It is for several properties. Make one for each, so that it is known whose rooms these are.' end
  when 'confirm' then concat('A whole list would move ', l.pending_moves_out,
    case l.pending_moves_out when 1 then ' guest' else ' guests' end,
    ' out. It is waiting for review.')
  when 'never' then 'The other system has not been heard yet.'
  when 'down' then case when t.property_interface_type_id in (${withFiles}) then l.last_error
    when l.last_error like 'There is no link:%' then l.last_error
    else concat('The link is down. ', l.last_error) end
  when 'behind' then concat('Nothing was heard for ', round(${silent_s} / 3600.0), ' hours.')
  else coalesce(l.last_error, 'What the other system says is taken in.') end`

export const interfaceState = sql`(
  select json_build_object('word', s.word, 'since', coalesce(l.since, t.created_at),
    'behind_s', case when s.word = 'behind' then ${silent_s} end, 'last_error', l.last_error,
    'moves_out', case when s.word = 'confirm' then l.pending_moves_out end, 'sentence', ${sentence})
  from (select) as one left join property_links as l on l.customer_id = t.customer_id and l.property_interface_id = t.id
  cross join lateral (select ${word} as word) as s)`

/** An expression over the interface of a connection `t`: `l.state` and `l.heard_at`, and `c`, the connection itself. */
const ofLink = (column: RawBuilder<unknown>) => sql`(
  select ${column} from (select t.customer_id, t.own_id, t.needs_reconnect) as c cross join lateral (
    select ${interfaceState} as state, (select h.heard_at from property_links as h
      where h.customer_id = t.customer_id and h.property_interface_id = t.id) as heard_at
    from property_interfaces as t where t.customer_id = c.customer_id and t.id = c.own_id) as l)`

/** The state of the interface of a connection `t`, as one of the states of connections. */
export const asConnection = {
  state: ofLink(sql`case when l.state ->> 'word' = 'off' then 'off' when c.needs_reconnect then 'reconnect' else
    case l.state ->> 'word' when 'up' then 'connected' when 'never' then 'unheard' when 'confirm' then 'review' else 'failing' end end`),
  last_error: ofLink(
    sql`case l.state ->> 'word' when 'up' then l.state ->> 'last_error' else l.state ->> 'sentence' end`,
  ),
  last_synced_at: ofLink(sql`l.heard_at`),
}

/** A system that reports the stays of a property. */
export interface LinkAt {
  name: string
  /** Since when the link is down or behind, on the property's clock; null: it is up. */
  down_since: string | null
}

/** The links of a property that were ever up, or tried. */
export const linksAt = (scope: Scope, property_id: number) =>
  scope.run(sql<LinkAt>`
    select w.name, case when w.word in ('down', 'behind') then
      to_char(w.from_then at time zone w.time_zone, case when local_day(w.from_then, w.time_zone) = local_day(app_now(), w.time_zone)
        then 'HH24:MI' else 'FMDD FMMonth, HH24:MI' end) end as down_since
    from (select coalesce(t.name, k.name) as name, s.state ->> 'word' as word, p.time_zone, t.id,
        coalesce(now() - make_interval(secs => (s.state ->> 'behind_s')::integer), (s.state ->> 'since')::timestamptz) as from_then
      from property_interfaces as t join property_interface_types as k on k.id = t.property_interface_type_id
      join properties as p on p.customer_id = t.customer_id and p.id = ${property_id}
      cross join lateral (select ${interfaceState} as state) as s
      where ${onlyProperty} = ${property_id} and ${scope.inReach('property_interfaces', 't')}) as w
    where w.word not in ('off', 'never') order by w.id`)
