// Gateway lamps: how far a test guest has got at a gateway, read from what was last heard of it: five lamps, each red one with what to do.
import { sql } from 'kysely'
import { deskReasons } from '#contract/sign-in-attempts.ts'
import { honoursOf, type Honours, type Lamp } from '#contract/gateway-kinds.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { kindOf, saysNothing } from '#server/gateways/find-kind.ts'
import type { GatewayKind } from '#server/gateways/kind.ts'
import type { Settings } from '#contract/parameters.ts'
import { notFound } from '#server/errors/refused.ts'
import { isUnanswered } from './gateway-health.ts'

/** A gateway, and what was last heard of it. Moments are texts; null: never. */
interface Heard {
  gateway_type_id: number
  settings: Settings
  disconnect_port: number
  last_seen_at: string | null
  guests_sent_at: string | null
  refused_at: string | null
  refused_for: 'wrong_secret' | 'unsigned' | null
  is_unanswered: boolean
  /** A redirect that names it and could not be used. */
  stray_at: string | null
  stray_for: 'unknown' | 'not_genuine' | 'other_kind' | 'not_served' | null
  accepted_at: string | null
  /** Newer than the last that was let in. */
  not_let_in_at: string | null
  not_let_in_for: string | null
  answered_at: string | null
  problem: string | null
  problem_at: string | null
  shown_fingerprint: string | null
  /** Of guests whom the controller is called for: why the last one is not in yet. */
  grant_problem: string | null
  grant_at: string | null
  used_at: string | null
  /** Somebody was let in so long ago that it should have been reported. */
  is_unreported: boolean
  end_asked_at: string | null
  ended_at: string | null
  /** Since it should have ended a session, and has not. */
  end_waits_s: number | null
}

const lately = sql`now() - interval '7 days'`
/** Of the newest of a property, so that the page costs the same however many there are. */
const newest_max = 500

export async function lampsOf(scope: Scope, id: number): Promise<{ lamps: Lamp[]; certificate: string | null }> {
  const [heard] = await scope.run(sql<Heard>`
    select t.gateway_type_id, t.settings, t.disconnect_port, t.last_seen_at, t.guests_sent_at, t.refused_at, t.refused_for,
      ${isUnanswered} as is_unanswered, stray.last_seen_at as stray_at, stray.why as stray_for, let_in.accepted_at,
      let_in.refused_at as not_let_in_at, let_in.reason as not_let_in_for, s.answered_at, s.problem, s.problem_at, s.shown_fingerprint,
      waits.problem as grant_problem, waits.created_at as grant_at, online.used_at,
      coalesce(let_in.accepted_at < now() - interval '10 minutes' and online.reported_at is null, false) as is_unreported,
      online.end_asked_at, online.ended_at,
      case when online.ended_at is null then extract(epoch from now() - online.end_asked_at)::float8 end as end_waits_s
    from gateways as t
    left join gateway_controllers as s on s.customer_id = t.customer_id and s.gateway_id = t.id
    left join lateral (
      select u.last_seen_at, u.why from unregistered_gateways as u
      where u.customer_id = t.customer_id and u.gateway_id = t.id and u.why <> 'asks' and u.last_seen_at > ${lately}
      order by u.last_seen_at desc limit 1) as stray on true
    left join lateral (
      select max(a.created_at) filter (where a.accepted) as accepted_at, max(a.created_at) filter (where not a.accepted) as refused_at,
        (array_agg(a.reason order by a.id desc) filter (where not a.accepted))[1] as reason
      from (select a.* from radius_authorisations as a
        where a.customer_id = t.customer_id and a.property_id = t.property_id and a.created_at > ${lately}
        order by a.created_at desc, a.id desc limit ${newest_max}) as a
      where a.gateway_id = t.id) as let_in on true
    left join lateral (
      select o.problem, o.created_at from controller_grants as o
      where o.customer_id = t.customer_id and o.gateway_id = t.id and o.state in ('waiting', 'granted')
      order by o.id desc limit 1) as waits on true
    left join lateral (
      select max(x.last_seen_at) filter (where x.bytes_up + x.bytes_down > 0) as used_at, max(x.last_seen_at) as reported_at,
        max(x.disconnect_asked_at) as end_asked_at,
        max(coalesce(x.disconnect_agreed_at, x.stopped_at)) filter (where x.disconnect_asked_at is not null) as ended_at
      from (select x.* from radius_sessions as x
        where x.customer_id = t.customer_id and x.property_id = t.property_id and x.created_at > ${lately}
        order by x.created_at desc, x.id desc limit ${newest_max}) as x
      where x.gateway_id = t.id) as online on true
    where t.id = ${id} and ${scope.inReach('gateways', 't')}`)
  if (!heard) throw notFound()
  const kind = kindOf(heard.gateway_type_id)
  const isCalled = kind?.controller?.isCalled(heard.settings) === true
  const honours = kind && honoursOf({ honours_when: [], ...kind.definition }, heard.settings)
  const all = {
    redirect: redirect(kind, heard),
    asked: asked(kind, heard, isCalled),
    let_in: letIn(heard),
    usage: usage(honours, heard),
    // Whoever asks RADIUS about a guest is told by RADIUS to end their session.
    end: end(kind, honours, heard, isCalled && !kind?.controller?.asks_radius),
  }
  return {
    lamps: Object.entries(all).map(([key, [state, at, sentence]]) => ({
      key: key as keyof typeof all,
      state,
      at: momentOf(at),
      sentence,
    })),
    certificate: heard.shown_fingerprint,
  }
}

type Said = readonly [state: Lamp['state'], at: string | null, sentence: string]
const waiting = (sentence: string): Said => ['waiting', null, sentence]
const momentOf = (at: string | null) => (at === null ? null : new Date(at).toISOString())
const isLater = (one: string | null, other: string | null) =>
  one !== null && (other === null || Date.parse(one) > Date.parse(other))

const strays = {
  unknown: 'It sent a guest under a name that is not registered. Correct its NAS identifier or its MAC address here.',
  not_genuine:
    'It sent a guest with another secret than the one here. Make a new secret, and paste it into the gateway.',
  other_kind: 'It sent a guest the way another make does. Change its type under Details.',
  not_served:
    'It sent a guest, and cannot let anybody in from the portal as it is registered. Complete it under Details.',
} as const

function redirect(kind: GatewayKind | undefined, { stray_at, stray_for, guests_sent_at }: Heard): Said {
  if (stray_for !== null && isLater(stray_at, guests_sent_at)) return ['red', stray_at, strays[stray_for]]
  if (guests_sent_at !== null) return ['green', guests_sent_at, 'It sent a guest to your portal.']
  return waiting(
    kind && !kind.portal
      ? 'Its guests sign in on its own page, so it sends nobody here.'
      : 'Join its guest network with a phone, and open any page. It should lead to your portal.',
  )
}

const unanswered = {
  wrong_secret: 'Its secret differs from the one registered here. Make a new one, and paste it into the gateway.',
  unsigned: 'It does not sign its requests. Update its software, or allow that under Details.',
} as const

function asked(kind: GatewayKind | undefined, heard: Heard, isCalled: boolean): Said {
  const { problem, problem_at, answered_at, last_seen_at, is_unanswered, refused_at, refused_for } = heard
  if (isCalled) {
    if (problem !== null) return ['red', problem_at, problem]
    if (kind?.controller?.asks_radius && is_unanswered)
      return ['red', refused_at, unanswered[refused_for ?? 'wrong_secret']]
    return answered_at === null
      ? waiting('Its controller is called within a few seconds after it was registered.')
      : ['green', answered_at, 'Its controller answers.']
  }
  if (is_unanswered) return ['red', refused_at, unanswered[refused_for ?? 'wrong_secret']]
  if (kind?.polls && answered_at !== null) return ['green', answered_at, 'It asks the portal whom to let in.']
  if (kind?.asks)
    return answered_at === null
      ? waiting(
          'Sign in with the phone. If nothing comes, check that port 80 of the portal’s host leads to the portal.',
        )
      : ['green', answered_at, 'It asks the portal whether guests may be online.']
  if (kind && saysNothing(kind, heard.settings))
    return waiting('It does not ask: it lets in the guests that the portal sends back.')
  return last_seen_at === null
    ? waiting(
        'Sign in with the phone. If nothing comes, check the RADIUS server, the port and the firewall between them.',
      )
    : ['green', last_seen_at, 'It asks by RADIUS, and is answered.']
}

function letIn({ grant_problem, grant_at, accepted_at, not_let_in_at, not_let_in_for }: Heard): Said {
  if (grant_problem !== null) return ['red', grant_at, grant_problem]
  if (isLater(not_let_in_at, accepted_at))
    return [
      'red',
      not_let_in_at,
      `The last guest was refused: ${deskReasons[not_let_in_for ?? ''] ?? 'the reason is not known.'}`,
    ]
  return accepted_at === null ? waiting('Sign in with the phone.') : ['green', accepted_at, 'A guest was let in.']
}

function usage(honours: Honours | undefined, { used_at, is_unreported, accepted_at }: Heard): Said {
  if (used_at !== null) return ['green', used_at, 'Usage was reported.']
  if (honours?.usage === 'no') return waiting('This make does not report usage.')
  if (is_unreported)
    return [
      'red',
      accepted_at,
      'A guest was let in, but no usage was reported. Turn accounting on, and check its port.',
    ]
  return waiting('Open a few pages with the phone. Usage is reported within a few minutes.')
}

/** How long it may take to end a session. */
const end_late_s = { told: 60, asks_again: 150 }

function end(
  kind: GatewayKind | undefined,
  told: Honours | undefined,
  { end_asked_at, ended_at, end_waits_s, disconnect_port }: Heard,
  isCalled: boolean,
): Said {
  const honours = told?.end ?? 'yes'
  if (honours === 'no')
    return waiting('It cannot be told to end a session: guests stay online until the granted time is over.')
  if (honours === 'next_sign_in') return waiting('It ends a session with the granted time, and then asks again.')
  const asksAgain = !isCalled && (kind?.radius?.end === null || kind?.asks !== undefined)
  if ((end_waits_s ?? 0) > (asksAgain ? end_late_s.asks_again : end_late_s.told))
    return ['red', end_asked_at, notEnded(isCalled, asksAgain, disconnect_port)]
  return ended_at === null
    ? waiting('Disconnect the phone on the page of its session here.')
    : ['green', ended_at, 'It ended a session when it was told to.']
}

function notEnded(isCalled: boolean, asksAgain: boolean, disconnect_port: number): string {
  if (isCalled) return 'It was told to end a session, and has not confirmed. Check that its controller answers.'
  return asksAgain
    ? 'A session should end, but the gateway has not asked about the guest since. Turn on its re-authentication every minute.'
    : `It was told to end a session, and has not confirmed. Let UDP port ${disconnect_port} through, and allow Disconnect (RFC 5176).`
}
