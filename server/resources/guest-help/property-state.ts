// Guest help property state: the state of a whole property: how many others are refused there, and gateways that are not heard from.
import { sql } from 'kysely'
import type { Against, HelpSubject } from '#contract/guest-help.ts'
import type { Settings } from '#contract/parameters.ts'
import { helpIn, type SayHelp } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { linksAt, type LinkAt } from '#server/property-systems/interface-state.ts'

type Others = NonNullable<HelpSubject['others']>

const minutes = 30
/** As on the dashboard: a gateway that is quiet for longer counts as silent. */
const silent_minutes = 15
/** A busy property has more attempts, but the share that failed is much the same. */
const counted_max = 2000
/** Fewer may be unrelated typing errors. */
const many = 3

export interface GatewayHeard {
  id: number
  name: string
  active: boolean
  gateway_type_id: number
  heard: 'lately' | 'long_ago' | 'never'
  refused_for: 'wrong_secret' | 'unsigned' | null
  settings: Settings
  /** Why its controller cannot be used. */
  problem: string | null
}
export interface UnregisteredGateway {
  address: string
  nas_identifier: string | null
  mac_address: string | null
}

export interface PropertyState {
  gateways: GatewayHeard[]
  unregistered: UnregisteredGateway[]
  /** The property's own systems. */
  links: LinkAt[]
  others: Others
}

/** The state of the property over the last half an hour. */
export async function propertyStateOf(scope: Scope, property_id: number): Promise<PropertyState> {
  const [gateways, unregistered, [counts], links] = await Promise.all([
    scope.run(sql<GatewayHeard>`
      select t.id, coalesce(t.name, t.nas_identifier) as name, t.active, t.gateway_type_id,
        case when t.last_seen_at is null then 'never'
          when t.last_seen_at < now() - make_interval(mins => ${silent_minutes}) then 'long_ago' else 'lately' end as heard,
        case when t.refused_at > now() - make_interval(mins => ${minutes})
          and t.refused_at > coalesce(t.last_seen_at, '-infinity') then t.refused_for end as refused_for, t.settings, s.problem
      from gateways as t
      left join gateway_controllers as s on s.customer_id = t.customer_id and s.gateway_id = t.id
      where t.property_id = ${property_id} and ${scope.inReach('gateways', 't')}
      order by t.active desc, t.last_seen_at desc nulls last, t.id limit 20`),
    scope.run(sql<UnregisteredGateway>`
      select host(t.address) as address, t.nas_identifier, t.mac_address::text from unregistered_gateways as t
      where t.property_id = ${property_id} and t.why = 'asks'
        and t.last_seen_at > now() - make_interval(mins => ${minutes})
        and not exists (select from gateways as g where g.customer_id = t.customer_id and g.deleted_at is null
          and (g.nas_identifier = t.nas_identifier or g.mac_address = t.mac_address))
        and ${scope.inReach('unregistered_gateways', 't')} order by t.last_seen_at desc limit 3`),
    scope.run(sql<{ tried: number; failed: number }>`
      select count(*)::integer as tried, count(*) filter (where not d.once)::integer as failed from (
        select bool_or(a.accepted) as once from (
          select t.mac_address, t.accepted from radius_authorisations as t
          where t.property_id = ${property_id} and t.created_at > now() - make_interval(mins => ${minutes})
            and t.reason <> 'let_again' and ${scope.inReach('radius_authorisations', 't')}
          order by t.created_at desc limit ${counted_max}) as a
        group by a.mac_address) as d`),
    linksAt(scope, property_id),
  ])
  const say = helpIn(scope.language)
  const { tried, failed } = counts ?? { tried: 0, failed: 0 }
  return {
    gateways,
    unregistered,
    links,
    others: {
      minutes,
      tried,
      failed,
      warnings: [...warnings(say, { gateways, unregistered }, { tried, failed }), ...links.flatMap(linkWarning(scope))],
      unenforced: unenforcedBy(say, gateways),
    },
  }
}

/** It keeps nobody from getting online who is known already. */
export const linkWarning =
  ({ language }: Pick<Scope, 'language'>) =>
  ({ name, down_since }: LinkAt): Against[] =>
    down_since === null
      ? []
      : [{ reason: 'link_down', message: helpIn(language)('network.link_down', { name, since: down_since }) }]

/** A gateway without RADIUS, unless it fetches its guests, reports no usage and cannot be asked to disconnect anybody. */
function unenforcedBy(say: SayHelp, all: GatewayHeard[]): string | null {
  const free = all.filter(({ active, gateway_type_id, settings }) => {
    const kind = kindOf(gateway_type_id)
    return active && kind?.radius === null && !kind.polls?.isUsed(settings)
  })
  return free.length === 0 ? null : say('network.unenforced', named(free))
}

/** What is said of several gateways is counted by how many they are. */
const named = (some: GatewayHeard[]) => ({ names: some.map(({ name }) => name).join(', '), count: some.length })

function warnings(
  say: SayHelp,
  { gateways: all, unregistered }: Pick<PropertyState, 'gateways' | 'unregistered'>,
  { tried, failed }: Pick<Others, 'tried' | 'failed'>,
): Against[] {
  const gateways = all.filter(({ active }) => active)
  const wrong = gateways.filter(({ refused_for }) => refused_for === 'wrong_secret')
  const unsigned = gateways.filter(({ refused_for }) => refused_for === 'unsigned')
  const silent = gateways.filter(({ heard, refused_for }) => heard === 'long_ago' && refused_for === null)
  const stuck = gateways.find(({ problem }) => problem !== null)
  const heard = gateways.some((gateway) => gateway.heard === 'lately')
  const place = unregistered[0]?.address ?? say('against.this-property')
  const sentences: (Against | false)[] = [
    all.length === 0 && { reason: 'no_gateway', message: say('network.no_gateway') },
    wrong.length > 0 && { reason: 'wrong_secret', message: say('network.wrong_secret', named(wrong)) },
    unsigned.length > 0 && { reason: 'unsigned', message: say('network.unsigned', named(unsigned)) },
    stuck !== undefined && {
      reason: 'controller_down',
      message: say('network.controller_down', { name: stuck.name, why: stuck.problem ?? '' }),
    },
    silent.length > 0 && {
      reason: 'gateway_silent',
      message: say('network.gateway_silent', { ...named(silent), minutes: silent_minutes }),
    },
    unregistered.length > 0 && {
      reason: 'gateway_unregistered',
      message: say('network.gateway_unregistered', { place }),
    },
    !heard &&
      stuck === undefined &&
      silent.length + wrong.length + unsigned.length === 0 &&
      gateways.length > 0 && { reason: 'gateway_unheard', message: say('network.gateway_unheard', named(gateways)) },
    failed >= many &&
      failed * 2 >= tried && { reason: 'many_fail', message: say('network.many_fail', { failed, tried, minutes }) },
  ]
  return sentences.filter((one) => one !== false)
}
