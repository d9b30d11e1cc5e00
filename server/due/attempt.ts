// Attempt: one try of due work: it is taken, done and settled. The result is stored in the transaction that says what became of the
// work, and only by whoever holds it: a node that was silent for too long stores nothing any more.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { Log } from '#server/watch/log.ts'
import { TriedInVain, type DueWork, type Failed, type Held } from './due-work.ts'

/** How long, in seconds, a node may be silent about work that it holds. */
export const lease_s = 30

export interface Taken extends Held {
  kind: string
  lease: string
  /** The rest of its lane rests until it is answered. */
  asks: boolean
}

/** How long work rests at most while another of its lane asks. */
const rests_max_s = 15 * 60

/** Another node has taken the work, or a person has taken it back. */
class LeaseLost extends Error {}

const ours = 'Something went wrong on our side. The server’s log has the details.'

interface Which {
  customer_id: number
  rows_max: number
  /** Of a customer's work, the urgent or the other, without some lanes; or one piece of it, also before its time. */
  of: { urgent: boolean; busy_lanes?: readonly string[] } | { about_id: number }
}

/** Takes what is due. Kinds that must not be done twice are taken for done from here on. */
export async function take<Needs>(
  tenancy: Tenancy,
  { kind: { name }, promise }: DueWork<Needs>,
  { customer_id, rows_max, of }: Which,
): Promise<Taken[]> {
  const caller = callerOfJob(customer_id, name)
  const which =
    'urgent' in of
      ? sql`t.urgent = ${of.urgent} and t.next_at <= now() and coalesce(t.lane <> all (${of.busy_lanes ?? []}::text[]), true)`
      : sql`t.about_id = ${of.about_id}`
  const rows = await tenancy.enter(caller, 'write', (scope) =>
    scope.run(sql<Omit<Taken, 'caller' | 'created_at'> & { created_at: string }>`
      with next as (select t.id, t.is_unsure, t.rests from due_work as t
        where t.kind = ${name} and t.state in ('waiting', 'trying') and ${which} and ${scope.inReach('due_work', 't')}
        order by t.next_at, t.id limit ${rows_max} for no key update of t skip locked)
      update due_work as t set state = 'trying', lease = gen_random_uuid(), tries = t.tries + 1, wanted_at = null, rests = false,
        next_at = now() + make_interval(secs => ${lease_s}), is_unsure = t.is_unsure or ${promise === 'once'}
      from next where t.id = next.id and ${scope.inReach('due_work', 't')}
      returning t.id, t.kind, t.about_id, t.lane, t.lease, t.tries, next.is_unsure as was_unsure, next.rests as asks,
        t.created_at`),
  )
  return rows.map((row) => ({ ...row, caller, created_at: new Date(row.created_at) }))
}

/** Does it and settles it. Answers what became of it. */
export async function attempt<Needs>(
  tenancy: Tenancy,
  log: Log,
  work: DueWork<Needs>,
  needs: Needs,
  held: Taken,
): Promise<'done' | 'waits' | 'lost' | Failed> {
  try {
    const settle = await work.run(needs, held)
    return await tenancy.enter(held.caller, 'write', async (scope) => {
      const left = (await settle?.(scope)) ?? null
      if (left && 'waits_s' in left) await passOn(scope, held)
      else await wakeLane(scope, held)
      if (!left) await remove(scope, held)
      else if ('again_s' in left)
        await put(scope, held, { ...anew, next_at: sql`least(${after(left.again_s)}, t.wanted_at)` })
      else await put(scope, held, { tries: held.tries - 1, next_at: after(left.waits_s), is_unsure: held.was_unsure })
      return left && 'waits_s' in left ? 'waits' : 'done'
    })
  } catch (error) {
    if (error instanceof LeaseLost) return 'lost'
    const { customer_id } = held.caller
    log.warn({ err: error, customer_id, due: held.id, kind: work.kind.name, tries: held.tries }, 'due work failed')
    return tenancy
      .enter(held.caller, 'write', (scope) => settleFailed(scope, work, needs, held, error))
      .catch((lost: unknown) => {
        if (lost instanceof LeaseLost) return 'lost'
        throw lost
      })
  }
}

const anew = { tries: 0, is_unsure: false, last_error: null, urgent: false, failing_since: null }
const after = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`

async function settleFailed<Needs>(scope: Scope, work: DueWork<Needs>, needs: Needs, held: Taken, error: unknown) {
  const { how, message }: Pick<TriedInVain, 'how' | 'message'> =
    error instanceof TriedInVain ? error : { how: {}, message: ours }
  const {
    hopeless = false,
    goes_on = false,
    retry_after_s,
    counts = retry_after_s === undefined,
    is_sure = false,
    lane,
  } = how
  const tries = held.tries - (counts ? 0 : 1)
  const is_unsure = work.promise === 'once' && !is_sure
  const isOver = hopeless || (!goes_on && tries >= work.tries_max)
  const as = !isOver ? 'again' : is_unsure ? 'unknown' : 'failed'
  const failed: Failed = { as, is_sure, error, last_error: message.slice(0, 500) }
  // The records first, and then the work, in the order in which whoever changes a record locks both.
  if (held.lane !== null) {
    const inLane = { ...held, lane: held.lane }
    if (lane === 'waits')
      await restLane(scope, inLane, failed, retry_after_s ?? how.lane_wait_s ?? work.wait_s(held.tries))
    else if (lane === 'fails') await failLane(scope, work, needs, inLane, failed)
    else if (error instanceof TriedInVain) await wakeLane(scope, inLane)
  }
  const isForgotten = (await work.failed?.(scope, { ...held, tries }, failed, needs)) === 'forget'
  // A try that does not count is in vain, too.
  const failing_since = sql`coalesce(t.failing_since, now())`
  const values = { tries, is_unsure, last_error: failed.last_error, failing_since }
  if (isForgotten && isOver) await remove(scope, held)
  // Since when it rests.
  else if (isOver) await put(scope, held, { ...values, state: as, next_at: after(0) })
  else {
    const wait_s = Math.max(retry_after_s ?? 0, counts ? work.wait_s(tries) : 0)
    await put(scope, held, { ...values, next_at: after(wait_s) })
  }
  return failed
}

type HeldInLane = Taken & { lane: string }
/** The rest of the lane, which is not being tried. */
const restOf = ({ kind, lane }: Pick<HeldInLane, 'kind' | 'lane'>) =>
  sql<boolean>`(t.kind = ${kind} and t.lane = ${lane} and t.state = 'waiting')`

/**
 * The other side does not answer: of what would be asked until then, one piece asks after the wait, and the others rest. A try of it costs
 * one row, however many rest. Each rests for a while at most, should the one that asks be taken back.
 */
async function restLane(scope: Scope, held: HeldInLane, { last_error }: Failed, wait_s: number) {
  const rest = restOf(held)
  const soon = sql`t.next_at < ${after(wait_s)}`
  const [asks] = await scope.run(sql<ColumnsOf<'due_work', 'id'>>`
    select t.id from due_work as t where ${rest} and (${soon} or t.rests) and ${scope.inReach('due_work', 't')}
    order by t.next_at, t.id limit 1`)
  if (!asks) return
  await scope.change('due_work', sql<boolean>`(${rest} and (t.id = ${asks.id} or ${soon}))`, {
    last_error,
    rests: true,
    next_at: sql`case when t.id = ${asks.id} then ${after(wait_s)} else ${after(Math.max(wait_s, rests_max_s))} end`,
  })
}

/** Its turn has not come, so that it asks nothing: another one does. */
async function passOn(scope: Scope, { kind, lane, asks }: Taken) {
  if (lane === null || !asks) return
  const resting = sql<boolean>`(${restOf({ kind, lane })} and t.rests)`
  const [other] = await scope.run(sql<ColumnsOf<'due_work', 'id'>>`
    select t.id from due_work as t where ${resting} and ${scope.inReach('due_work', 't')} order by t.next_at, t.id limit 1`)
  if (other) await scope.change('due_work', sql<boolean>`(${resting} and t.id = ${other.id})`, { next_at: sql`now()` })
}

/** It has answered: what rests is due, and has no error but its own. */
async function wakeLane(scope: Scope, { kind, lane }: Taken) {
  if (lane === null) return
  await scope.change('due_work', sql<boolean>`(${restOf({ kind, lane })} and t.rests)`, {
    rests: false,
    next_at: sql`now()`,
    last_error: sql`case when t.tries > 0 then t.last_error end`,
  })
}

/** Each fails as the one that was tried. */
async function failLane<Needs>(scope: Scope, work: DueWork<Needs>, needs: Needs, held: HeldInLane, failed: Failed) {
  const { last_error } = failed
  const others = await scope.run(sql<ColumnsOf<'due_work', 'id' | 'about_id' | 'tries' | 'is_unsure'>>`
    select t.id, t.about_id, t.tries, t.is_unsure from due_work as t where ${restOf(held)} and ${scope.inReach('due_work', 't')}
    order by t.id`)
  for (const other of others) {
    const as = other.is_unsure ? 'unknown' : 'failed'
    await work.failed?.(scope, other, { ...failed, as, is_sure: false }, needs)
    await scope.change('due_work', [other.id], { state: as, last_error, rests: false, next_at: after(0) })
  }
}

const mine = ({ id, lease }: Taken) => sql<boolean>`(t.id = ${id} and t.lease = ${lease}::uuid)`

async function put(scope: Scope, held: Taken, values: Record<string, unknown>): Promise<void> {
  const changed = await scope.change('due_work', mine(held), { state: 'waiting', ...values, lease: null })
  if (changed.length === 0) throw new LeaseLost()
}

async function remove(scope: Scope, held: Taken): Promise<void> {
  const removed = await scope.run(sql`
    delete from due_work as t where ${mine(held)} and ${scope.inReach('due_work', 't')} returning t.id`)
  if (removed.length === 0) throw new LeaseLost()
}
