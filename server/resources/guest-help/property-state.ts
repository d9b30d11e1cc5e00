// Guest help property state: the state of a whole property: how many others are refused there, and gateways that are not heard from.
import { sql } from 'kysely'
import type { Against, HelpSubject } from '#contract/guest-help.ts'
import type { Settings } from '#contract/parameters.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { linksAt, type LinkAt } from '#server/property-systems/state.ts'

type Others = NonNullable<HelpSubject['others']>

const minutes = 30
/** As on the dashboard: a gateway that is quiet for longer counts as silent. */
const silent_minutes = 15
/** A busy property has more attempts, but the share that failed is much the same. */
const counted_max = 2000
/** Fewer may be unrelated typing errors. */
const many = 3

export interface Gateway {
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
  gateways: Gateway[]
  unregistered: UnregisteredGateway[]
  /** The property's own systems. */
  links: LinkAt[]
  others: Others
}

/** The state of the property over the last half an hour. */
export async function propertyStateOf(scope: Scope, property_id: number): Promise<PropertyState> {
  const [gateways, unregistered, [counts], links] = await Promise.all([
    scope.run(sql<Gateway>`
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
  const { tried, failed } = counts ?? { tried: 0, failed: 0 }
  return {
    gateways,
    unregistered,
    links,
    others: {
      minutes,
      tried,
      failed,
      warnings: [...warnings(gateways, unregistered, { tried, failed }), ...links.flatMap(linkWarning)],
      unenforced: unenforcedBy(gateways),
    },
  }
}

/** It keeps nobody from getting online who is known already. */
export const linkWarning = ({ name, down_since }: LinkAt): Against[] =>
  down_since === null
    ? []
    : [
        {
          reason: 'link_down',
          message: `${name} has been down since ${down_since}: who has come or left since is not known.`,
        },
      ]

/** A gateway without RADIUS, unless it fetches its guests, reports no usage and cannot be asked to disconnect anybody. */
function unenforcedBy(all: Gateway[]): string | null {
  const free = all.filter(({ active, gateway_type_id, settings }) => {
    const kind = kindOf(gateway_type_id)
    return active && kind?.radius === null && !kind.polls?.isUsed(settings)
  })
  return free.length === 0
    ? null
    : `${namesOf(free)} ${does(free)} not report what is used, and ${ends(free)} nobody: ` +
        'not when time or data is used up, nor at check-out.'
}

const namesOf = (some: Gateway[]) => some.map(({ name }) => name).join(', ')
const does = (some: unknown[]) => (some.length === 1 ? 'does' : 'do')
const ends = (some: unknown[]) => (some.length === 1 ? 'ends' : 'end')
const are = (some: unknown[]) => (some.length === 1 ? 'has' : 'have')

function warnings(
  all: Gateway[],
  unregistered: UnregisteredGateway[],
  { tried, failed }: Pick<Others, 'tried' | 'failed'>,
): Against[] {
  const gateways = all.filter(({ active }) => active)
  const wrong = gateways.filter(({ refused_for }) => refused_for === 'wrong_secret')
  const unsigned = gateways.filter(({ refused_for }) => refused_for === 'unsigned')
  const silent = gateways.filter(({ heard, refused_for }) => heard === 'long_ago' && refused_for === null)
  const stuck = gateways.find(({ problem }) => problem !== null)
  const heard = gateways.some((gateway) => gateway.heard === 'lately')
  const sentences: (Against | false)[] = [
    all.length === 0 && {
      reason: 'no_gateway',
      message: 'No gateway is registered at this property, so nobody can sign in there.',
    },
    wrong.length > 0 && {
      reason: 'wrong_secret',
      message: `${namesOf(wrong)} ${are(wrong)} a wrong RADIUS secret, so nobody behind it can get online.`,
    },
    unsigned.length > 0 && {
      reason: 'unsigned',
      message: `${namesOf(unsigned)} ${does(unsigned)} not sign what it sends, so nobody behind it can get online.`,
    },
    stuck !== undefined && {
      reason: 'controller_down',
      message: `${stuck.name} lets nobody in: ${stuck.problem}`,
    },
    silent.length > 0 && {
      reason: 'gateway_silent',
      message: `${namesOf(silent)} ${are(silent)} not been heard from for more than ${silent_minutes} minutes.`,
    },
    unregistered.length > 0 && {
      reason: 'gateway_unregistered',
      message: `The gateway at ${unregistered[0]?.address ?? 'this property'} is not registered, so nobody behind it can get online.`,
    },
    !heard &&
      stuck === undefined &&
      silent.length + wrong.length + unsigned.length === 0 &&
      gateways.length > 0 && {
        reason: 'gateway_unheard',
        message: `${namesOf(gateways)} ${are(gateways)} never been heard from. Perhaps it is not set up yet.`,
      },
    failed >= many &&
      failed * 2 >= tried && {
        reason: 'many_fail',
        message: `${failed} of ${tried} devices that tried in the last ${minutes} minutes were refused.`,
      },
  ]
  return sentences.filter((one) => one !== false)
}
