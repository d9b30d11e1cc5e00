// Controller counts: what controllers have counted of the guests that they let in, asked once a minute for a whole site. A controller
// that was just registered is asked, too, so that its page says at once whether it can be used.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { doubling, TriedInVain, type DueWork, type Held, type Settle } from '#server/due/due-work.ts'
import { counted_every_s, countKind, noteAnswer, noteTrouble } from '#server/gateways/controller-state.ts'
import { Trouble, type CountedGuest } from '#server/gateways/controller.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { registrationOf, type Controllers } from '#server/gateways/controllers.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Services } from '#server/services.ts'
import { begunByGrant, recordOf, type CalledSession } from '#server/sessions/called-sessions.ts'
import { storeReports } from '#server/sessions/keep-records.ts'
import type { Place } from '#server/sessions/record.ts'
import { queueDisconnects } from '#server/sessions/disconnects.ts'
import { askToEndUsedUp } from '#server/sessions/used-up.ts'

export interface CountServices extends Pick<Services, 'tenancy' | 'seal' | 'queue'> {
  controllers: Controllers
}

interface Open extends CalledSession {
  /** Since it was let in. */
  age_s: number
  is_over: boolean
  bytes_up: number
  bytes_down: number
  counted_from: number | null
  bytes_up_before: number
  bytes_down_before: number
  /** We have asked to end it, and not been heard. */
  is_to_end: boolean
  session_id: number | null
}

/** A controller lists a guest a while after it let them in. */
const unlisted_s = 120
/** How long after the granted time is over it is still asked how much was used, and told to end what it has not ended. */
const late_s = 24 * 3600

const placeOf = (scope: Scope, gateway_id: number) =>
  scope.run(sql<Place & { nas_identifier: string; asks_boxes: boolean }>`
    select t.property_id, t.nas_identifier, coalesce(h.time_zone, c.time_zone) as time_zone,
      coalesce(s.answered_at < now() - interval '1 hour', true) or s.problem is not null as asks_boxes
    from gateways as t
    join properties as h on h.customer_id = t.customer_id and h.id = t.property_id
    join customers as c on c.id = t.customer_id
    left join gateway_controllers as s on s.customer_id = t.customer_id and s.gateway_id = t.id
    where t.id = ${gateway_id} and t.active and t.deleted_at is null and ${scope.inReach('gateways', 't')}`)

/** The last grant of each device, as far as it is not over. */
const openOf = (scope: Scope, gateway_id: number, nas_identifier: string) =>
  scope.run(sql<Open>`
    select distinct on (t.mac_address) t.id as grant_id, t.mac_address::text, t.authorisation_id, ${nas_identifier}::text as nas_identifier,
      p.username, extract(epoch from now() - t.granted_at)::float8 as age_s, t.ends_at < now() as is_over,
      coalesce(s.bytes_up, 0)::float8 as bytes_up, coalesce(s.bytes_down, 0)::float8 as bytes_down,
      t.counted_from, t.bytes_up_before::float8, t.bytes_down_before::float8,
      coalesce(s.stopped_at is null and s.disconnect_for is not null and s.disconnect_agreed_at is null, false) as is_to_end,
      s.id as session_id, s.session_key
    from controller_grants as t
    join access_passes as p on p.customer_id = t.customer_id and p.id = t.access_pass_id
    ${begunByGrant}
    where t.gateway_id = ${gateway_id} and t.state = 'granted' and t.ends_at > now() - make_interval(secs => ${late_s})
      and ${scope.inReach('controller_grants', 't')}
    order by t.mac_address, t.id desc`)

async function count(
  { tenancy, seal, queue, controllers }: CountServices,
  { about_id, caller }: Held,
): Promise<Settle | void> {
  const read = await tenancy.enter(caller, 'read', async (scope) => {
    const [place] = await placeOf(scope, about_id)
    const registration = place && (await registrationOf(scope, seal, about_id))
    return place && registration
      ? { place, registration, open: await openOf(scope, about_id, place.nas_identifier) }
      : null
  })
  if (!read) return
  const { place, registration, open } = read
  let said: { counted: CountedGuest[]; boxes: { mac_address: string; name: string | null }[] }
  try {
    const controller = controllers.open(registration)
    said = { counted: await controller.counted(), boxes: place.asks_boxes ? await controller.accessPoints() : [] }
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    const retry_after_s = open.length > 0 ? counted_every_s : error.how.wait_s
    throw new TriedInVain(error.message, {
      retry_after_s,
      counts: open.length === 0,
      hopeless: error.how.is_final && open.length === 0,
      cause: error,
    })
  }
  const {
    asks_radius: isReported = false,
    is_silent = false,
    isCalled,
  } = kindOf(registration.gateway_type_id)?.controller ?? {}
  return async (scope) => {
    // Whoever lets a guest in locks it, too, so that it is asked as long as somebody is online.
    await scope.lock('gateways', sql`t.id = ${about_id}`)
    if (isCalled?.(registration.settings)) await noteAnswer(scope, about_id)
    await learn(scope, about_id, said.boxes)
    // What its guests use comes by RADIUS: it was only asked whether it answers.
    if (isReported) return
    await keep(scope, { queue, place, gateway_id: about_id }, open, is_silent ? untilOver(open) : said.counted)
    const left = await scope.run(sql`
      select from controller_grants as t where t.gateway_id = ${about_id} and t.state = 'granted'
        and t.ends_at > now() - make_interval(secs => ${late_s}) and ${scope.inReach('controller_grants', 't')} limit 1`)
    if (left.length > 0) return { again_s: counted_every_s }
  }
}

const untilOver = (open: Open[]): CountedGuest[] =>
  open.map(({ mac_address, is_over }) => ({ mac_address, is_in: !is_over, bytes_up: null, bytes_down: null }))

interface Counting {
  queue: Queue
  place: Place
  gateway_id: number
}
async function keep(scope: Scope, { queue, place, gateway_id }: Counting, open: Open[], counted: CountedGuest[]) {
  const said = new Map(counted.map((one) => [one.mac_address, one]))
  const byDevice = new Map(
    open.flatMap((session) => {
      const found = said.get(session.mac_address)
      return found ? [[session.mac_address, inAll(session, found)] as const] : []
    }),
  )
  await keepBegun(scope, open, said)
  const ended: number[] = []
  const records = open.flatMap((session) => {
    const found = byDevice.get(session.mac_address)
    const seconds = Math.floor(session.age_s)
    if (!found && session.age_s < unlisted_s) return []
    const { bytes_up, bytes_down } = found ?? session
    if (!found?.is_in) {
      ended.push(session.grant_id)
      const cause = session.is_over ? 'Session-Timeout' : 'NAS-Request'
      return [recordOf(session, { kind: 'stop', seconds, bytes_up, bytes_down, cause })]
    }
    // Who uses nothing has left, as far as anybody knows: the session is closed as any that is not reported.
    const isUsed =
      bytes_up === null || bytes_down === null || bytes_up > session.bytes_up || bytes_down > session.bytes_down
    return isUsed || session.is_to_end ? [recordOf(session, { kind: 'interim', seconds, bytes_up, bytes_down })] : []
  })
  await scope.change('controller_grants', ended, { state: 'ended' })
  // Not all controllers keep the time that was granted.
  const late = open.flatMap(({ mac_address, is_over, session_id }) =>
    is_over && session_id !== null && byDevice.get(mac_address)?.is_in ? [session_id] : [],
  )
  await queueDisconnects(scope, queue, late, 'Session-Timeout')
  if (records.length === 0) return
  const stored = await storeReports(
    scope,
    place,
    records.map((record) => ({ gateway_id, record })),
  )
  await askToEndUsedUp(scope, queue, stored)
}

const isAnew = ({ counted_from }: Open, { began }: CountedGuest) =>
  began !== undefined && counted_from !== null && began > counted_from

/** What was counted before it began anew, and since. */
function inAll(session: Open, found: CountedGuest): CountedGuest {
  const before = isAnew(session, found)
    ? session
    : { bytes_up: session.bytes_up_before, bytes_down: session.bytes_down_before }
  const { bytes_up, bytes_down } = found
  return {
    ...found,
    bytes_up: bytes_up === null ? null : before.bytes_up + bytes_up,
    bytes_down: bytes_down === null ? null : before.bytes_down + bytes_down,
  }
}

async function keepBegun(scope: Scope, open: Open[], said: ReadonlyMap<string, CountedGuest>) {
  for (const session of open) {
    const found = said.get(session.mac_address)
    if (found?.began === undefined || session.counted_from === found.began) continue
    await scope.change('controller_grants', [session.grant_id], {
      counted_from: found.began,
      ...(isAnew(session, found) && { bytes_up_before: session.bytes_up, bytes_down_before: session.bytes_down }),
    })
  }
}

/** The access points that it says it has wait to be accepted, as those do that have sent somebody. */
async function learn(scope: Scope, gateway_id: number, boxes: { mac_address: string; name: string | null }[]) {
  if (boxes.length === 0) return
  const named = boxes
    .slice(0, 1000)
    .map(({ mac_address, name }) => ({ mac_address, name: name?.slice(0, 100) ?? null }))
  await scope.run(sql`
    insert into access_points as t (customer_id, gateway_id, mac_address, name)
    select ${scope.customer_id}, ${gateway_id}, d.mac_address, max(d.name)
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as d(mac_address macaddr, name text) group by d.mac_address
    on conflict (customer_id, gateway_id, mac_address) do update set name = excluded.name where t.name is distinct from excluded.name`)
}

export const countWork: DueWork<CountServices> = {
  kind: countKind,
  about: (scope) => sql`(select coalesce(g.name, g.nas_identifier) from gateways as g
    where g.customer_id = t.customer_id and g.id = t.about_id and ${scope.inReach('gateways', 'g')})`,
  promise: 'repeated',
  at_once: 12,
  of_one_customer: 4,
  of_one_lane: 1,
  tries_max: 4,
  wait_s: doubling(20, 120),
  run: count,
  failed: async (scope, { about_id }, { error, as }) => {
    const trouble = error instanceof TriedInVain ? error.how.cause : null
    if (trouble instanceof Trouble) await noteTrouble(scope, about_id, trouble)
    return as === 'again' ? undefined : 'forget'
  },
}
