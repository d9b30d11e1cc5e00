// Box polls: boxes that fetch from the portal whom they are to let in, and report who has left. Nobody proves to be a box: whoever knows
// its name and asks from another address than it does is told nothing.
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { plainAddress } from '#server/access/network.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { notFound } from '#server/errors/refused.ts'
import { noteAnswer } from '#server/gateways/controller-state.ts'
import type { BoxPolls, Fetched, Polled } from '#server/gateways/box-polls.ts'
import { kinds } from '#server/gateways/kinds.ts'
import type { Services } from '#server/services.ts'
import { begunByGrant, recordOf, type CalledSession } from '#server/sessions/called-sessions.ts'
import { storeReports } from '#server/sessions/keep-records.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import type { Fields } from './ways/way.ts'
import { grantById, grantNow, storeGranted, patience_s } from './controller-grants.ts'

interface Box {
  customer_id: number
  id: number
  property_id: number
  name: string
}
/** How long another address than the box's is told nothing. */
const moved_s = 120
/** A box that asks has not lost its guests: their sessions are kept open by that, this often. */
const kept_open_s = 300
/** A guest whose end was not reported has left when the granted time is over. */
const unreported_s = 120

export function openBoxPolls({ tenancy, guestDoors, queue }: Pick<Services, 'tenancy' | 'guestDoors' | 'queue'>) {
  const boxOf = async (public_id: string, made: number, asks_as: string) => {
    const [box] = await guestDoors.callFunction(sql<Box>`
      select * from door_polled_gateway(${public_id}, ${made}, ${asks_as})`)
    return box
  }

  async function act(scope: Scope, box: Box, polled: Polled, at_once: number): Promise<Fetched[]> {
    switch (polled.says) {
      case 'started':
        await scope.change('controller_grants', sql<boolean>`(t.gateway_id = ${box.id} and t.state = 'waiting')`, {
          // The session of one who was to be let in anew is closed as any other.
          state: sql`case when t.granted_at is null then 'ended' else 'granted' end`,
        })
        return []
      case 'asks':
        await keepOpen(scope, box)
        return waitingAt(scope, box, at_once)
      case 'took':
        for (const id of await idsOf(
          scope,
          box,
          sql`t.state = 'waiting' and t.sent ->> 'token' = any(${polled.tokens})`,
        )) {
          const stored = await storedOf(scope, id)
          const grant = stored && (await allowed(scope, box, id, stored))
          if (grant) await storeGranted(scope, queue, id, stored, { grant, counted: 'at its end' })
        }
        return []
      case 'ended': {
        const { guest } = polled
        const its = await openOf(scope, box, sql`${guest} in (t.sent ->> 'guest', t.sent ->> 'former')`)
        for (const one of its.slice(-1)) await leave(scope, box, one, polled)
        return []
      }
      case 'nothing':
        return []
    }
  }

  return {
    /** Null: it is no poll. @throws {Refused} 404 for a box that nobody has */
    async answerTo(
      { ip, params: { public_id } }: Pick<FastifyRequest<{ Params: { public_id: string } }>, 'ip' | 'params'>,
      sent: Fields,
    ): Promise<string | null> {
      for (const { definition, polls } of kinds) {
        const poll = polls?.read(sent)
        if (!polls || !poll) continue
        const box = await boxOf(public_id, definition.id, poll.asks_as)
        if (!box) throw notFound()
        return tenancy.enter(callerOfGateway(box), 'write', (scope) => answered(scope, box, { polls, ...poll, ip }))
      }
      return null
    },
  }

  async function answered(
    scope: Scope,
    box: Box,
    { polls, polled, ip }: { polls: BoxPolls; polled: Polled; ip: string },
  ): Promise<string> {
    await scope.lock('gateways', sql`t.id = ${box.id}`)
    const address = sql`${plainAddress(ip)}::inet`
    const heard = await scope.run(sql`
      update gateway_controllers as t set polled_from = ${address}, polled_at = now()
      where t.gateway_id = ${box.id} and ${scope.inReach('gateway_controllers', 't')}
        and (t.polled_from is null or t.polled_from = ${address} or t.polled_at < now() - make_interval(secs => ${moved_s}))
      returning t.id`)
    if (heard.length === 0) throw notFound()
    await noteAnswer(scope, box.id)
    return polls.answerTo(polled, await act(scope, box, polled, polls.at_once))
  }
}

const idsOf = async (scope: Scope, { id }: Box, which: ReturnType<typeof sql>, limit = 100) => {
  const rows = await scope.run(sql<ColumnsOf<'controller_grants', 'id'>>`
    select t.id from controller_grants as t where t.gateway_id = ${id} and ${which} and ${scope.inReach('controller_grants', 't')}
    order by t.id limit ${limit}`)
  return rows.map((row) => row.id)
}

async function storedOf(scope: Scope, id: number) {
  const [stored] = await grantById(scope, id)
  return stored
}

/** What the guest may use, as far as they may; whoever may not is not let in. */
async function allowed(scope: Scope, box: Box, id: number, stored: NonNullable<Awaited<ReturnType<typeof storedOf>>>) {
  const now = await grantNow(scope, stored)
  const lasts_max_s = Number(stored.sent['lasts_max_s'] ?? Infinity)
  const seconds = 'grant' in now ? Math.min(now.grant.seconds, stored.left_s, lasts_max_s) : 0
  if ('grant' in now && seconds > 0) return { ...now.grant, seconds }
  const problem = 'refused' in now ? now.refused : null
  await end(scope, box, await openOf(scope, box, sql`t.id = ${id}`), { ...unknown, cause: 'Session-Timeout' })
  await scope.change('controller_grants', [id], { state: 'refused', problem })
  return null
}

/** The oldest that wait. */
async function waitingAt(scope: Scope, box: Box, at_once: number): Promise<Fetched[]> {
  const fresh = sql`t.state = 'waiting' and t.created_at > now() - make_interval(secs => ${patience_s})`
  const waiting: Fetched[] = []
  for (const id of await idsOf(scope, box, fresh, at_once)) {
    const stored = await storedOf(scope, id)
    const grant = stored && (await allowed(scope, box, id, stored))
    const token = stored?.sent['token']
    if (grant && token !== undefined) waiting.push({ token, ...grant })
  }
  return waiting
}

interface Open extends CalledSession {
  age_s: number
  is_over: boolean
  time_zone: string
  /** As the box knows them now. */
  guest: string | null
  /** Of the lengths before this one. */
  bytes_up_before: number
  bytes_down_before: number
  /** The box was granted less than they may stay, and nobody wants them to leave. */
  may_come_back: boolean
}

/** Guests whom the box has let in, the oldest first. */
const openOf = (scope: Scope, box: Box, which: ReturnType<typeof sql>) =>
  scope.run(sql<Open>`
    select t.id as grant_id, t.mac_address::text, t.authorisation_id, g.nas_identifier, p.username, s.session_key,
      extract(epoch from now() - t.granted_at)::float8 as age_s, coalesce(h.time_zone, c.time_zone) as time_zone,
      ${isOver} as is_over, t.sent ->> 'guest' as guest, t.bytes_up_before::float8, t.bytes_down_before::float8,
      t.sent ? 'lasts_max_s' and p.signed_out_at is null and s.disconnect_for is null and s.disconnect_asked_at is null
        and exists (select from radius_authorisations as a where a.customer_id = t.customer_id and a.ends_at > now()
          and (a.id = t.authorisation_id or a.class_of = t.authorisation_id)) as may_come_back
    from controller_grants as t
    join gateways as g on g.customer_id = t.customer_id and g.id = t.gateway_id
    join properties as h on h.customer_id = g.customer_id and h.id = g.property_id
    join customers as c on c.id = t.customer_id
    join access_passes as p on p.customer_id = t.customer_id and p.id = t.access_pass_id
    ${begunByGrant}
    where t.gateway_id = ${box.id} and t.state in ('granted', 'waiting') and t.granted_at is not null and ${which}
      and ${scope.inReach('controller_grants', 't')}
    order by t.id limit 200`)

/** Whoever waits to be let in anew has not left. */
const isOver = sql`case t.state when 'waiting' then t.created_at < now() - make_interval(secs => ${patience_s})
  else t.ends_at < now() - make_interval(secs => ${unreported_s}) end`

const unknown = { bytes_up: null, bytes_down: null }
type Said = Pick<SessionRecord, 'cause'> & { bytes_up: number | null; bytes_down: number | null }

async function keep(scope: Scope, box: Box, open: Open[], kind: 'interim' | 'stop', said: Said) {
  const [first] = open
  if (!first) return
  const place = { property_id: box.property_id, time_zone: first.time_zone }
  const records = open.map((one) => recordOf(one, { kind, seconds: Math.floor(one.age_s), ...said }))
  await storeReports(
    scope,
    place,
    records.map((record) => ({ gateway_id: box.id, record })),
  )
}

async function end(scope: Scope, box: Box, open: Open[], said: Said) {
  const ids = open.map(({ grant_id }) => grant_id)
  await scope.change('controller_grants', ids, { state: 'ended' })
  await keep(scope, box, open, 'stop', said)
}

interface Left {
  guest: string
  bytes_up: number
  bytes_down: number
  cause: string
}

/** The box has let go of a guest. Where it was only the length that it was granted, it is known in two minutes whether they have left. */
async function leave(scope: Scope, box: Box, open: Open, { guest, cause, ...counted }: Left) {
  const before = { bytes_up_before: open.bytes_up_before, bytes_down_before: open.bytes_down_before }
  const bytes = {
    bytes_up: before.bytes_up_before + counted.bytes_up,
    bytes_down: before.bytes_down_before + counted.bytes_down,
  }
  const isFormer = open.guest !== guest
  if (!isFormer && !(open.may_come_back && cause === 'Session-Timeout'))
    return end(scope, box, [open], { ...bytes, cause })
  await scope.change('controller_grants', [open.grant_id], {
    bytes_up_before: bytes.bytes_up,
    bytes_down_before: bytes.bytes_down,
    // What is told twice counts once.
    sent: isFormer ? sql`t.sent - 'former'` : sql`t.sent - 'guest'`,
    ...(!isFormer && { ends_at: sql`now()` }),
  })
  await keep(scope, box, [open], 'interim', { ...bytes, cause: '' })
}

async function keepOpen(scope: Scope, box: Box) {
  const due = sql`(${isOver}
    or s.last_seen_at < now() - make_interval(secs => ${kept_open_s}))`
  const open = await openOf(scope, box, due)
  const over = open.filter(({ is_over }) => is_over)
  await end(scope, box, over, { ...unknown, cause: 'Session-Timeout' })
  await keep(
    scope,
    box,
    open.filter(({ is_over }) => !is_over),
    'interim',
    { ...unknown, cause: '' },
  )
}
