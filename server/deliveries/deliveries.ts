// Deliveries: whatever goes out to people and programs, by one mechanism. It is written with the change that causes it, so that none is
// lost and none is sent in vain; it is counted against limits, sent by a job, tried again, and settled.
//
// A channel is a definition: mails.ts and texts.ts have one each. What became of a delivery stands in its row.
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { tooMany } from '#server/errors/refused.ts'
import type { UndeliveredReason } from '#contract/undelivered.ts'
import { note, renewed, type Note, type Sort } from '#server/deliveries/undelivered.ts'
import { countAll, durationText, refuseOver } from '#server/fairness/quotas.ts'
import { job, type Job } from '#server/jobs/job.ts'
import { SeenTo, type JobKind, type Queue } from '#server/jobs/queue.ts'

/** What the job of a delivery carries, beside its id under the channel's own name. */
export interface Carried {
  customer_id: number
  /** Its next try goes before others, too. */
  urgent?: boolean
}

/** What is to be sent. */
export interface Open {
  id: number
  /** Before this one. */
  attempts: number
}

type Write = <R>(work: (scope: Scope) => Promise<R>) => Promise<R>

export interface Channel<C extends Carried, Row extends Open, Means> {
  kind: JobKind<C>
  carried(how: Carried, id: number): C
  idIn(carried: C): number
  table: 'outbox_mails' | 'outbox_texts'
  /** What a customer may send in a day. */
  quota: 'mails' | 'texts'
  /** So many go to one person in an hour, or a day; what a list brings along beyond that is sent in those that follow. */
  to_one: { max: number; period: 'hour' | 'day' }
  /** After so many it has failed. */
  tries_max: number
  /** Nothing: it was sent, or has failed, or is gone. */
  read(scope: Scope, id: number): Promise<Row | undefined>
  /** What is noted of one that could not be delivered. */
  noted(row: Row): Note
  /** `waits`: it is sent when somebody lets it go. A sentence: why it is of no use any more. */
  hindrance?(row: Row, write: Write): Promise<'waits' | { over: string } | null>
  /** Throws `NotTaken`, `TurnedAway` or `AskedToWait` where that is known, or whatever went wrong. */
  deliver(means: Means, row: Row, customer_id: number): Promise<void>
  /** What is forgotten of it once it is over, such as a link that signs somebody in. */
  forget: Record<string, unknown>
}

/** It has been refused itself: another try would be refused, too. */
export class NotTaken extends Error {
  override name = 'NotTaken'
}
/** Whoever was called has answered, and did not take it now. */
export class TurnedAway extends Error {
  override name = 'TurnedAway'
}
/** And says when to call again. */
export class AskedToWait extends TurnedAway {
  override name = 'AskedToWait'
  readonly retry_after_s: number
  constructor(message: string, retry_after_s: number) {
    super(message)
    this.retry_after_s = retry_after_s
  }
}

const seconds = { hour: 3600, day: 24 * 3600 }
/** The wait after the first try; each further one doubles it, and up to half is left out, so that not all come back at once. */
const again_after_s = 5
const waitAfter = (tries: number) => Math.ceil(again_after_s * 2 ** (tries - 1) * (1 - Math.random() / 2))

export interface Limit {
  /** What is counted: `mails to ada@guest.example`. */
  counted: string
  max: number
  period: 'hour' | 'day'
  /** Says what there has been too much of. */
  sentence: string
}

/** Counts one more; refused where it is more than the customer, or one of these, may have. Count late in a transaction. */
export async function countOrRefuse(scope: Scope, quota: 'mails' | 'texts', limits: readonly Limit[]): Promise<void> {
  const counted = await countAll(scope, [
    { quota, amount: 1, daily: true },
    ...limits.map((limit) => ({ quota: limit.counted, amount: 1, daily: limit.period === 'day' })),
  ])
  await refuseOver(scope, quota, 1, counted.get(quota))
  for (const limit of limits) {
    const { used, wait_s } = counted.get(limit.counted) ?? { used: 0, wait_s: 0 }
    if (used > limit.max) throw tooMany(wait_s, `${limit.sentence} It goes on in ${durationText(wait_s)}.`)
  }
}

/** Writes one and has it sent. */
export async function send<C extends Carried, Row extends Open, Means>(
  scope: Scope,
  queue: Queue,
  { table, kind, carried }: Channel<C, Row, Means>,
  values: Record<string, unknown> & Sort,
  { to, urgent }: { to: string; urgent: boolean },
): Promise<void> {
  const id = await scope.insert(table, values)
  await renewed(scope, [{ ...values, recipient: to }])
  await queue.send(kind, carried({ customer_id: scope.customer_id, ...(urgent && { urgent }) }, id), { urgent })
}

/** One that is written, and not counted yet. */
interface Written {
  id: number
  /** Who gets it, as it is counted. */
  to: string
}

/**
 * Has those sent that are written, so many in an hour or a day to each. Counted last in a transaction: until it ends, none of the
 * customer's others is.
 */
export async function post<C extends Carried, Row extends Open, Means>(
  scope: Scope,
  queue: Queue,
  channel: Channel<C, Row, Means>,
  written: readonly Written[],
): Promise<void> {
  if (written.length === 0) return
  const { quota, to_one } = channel
  const byAddress = Map.groupBy(written, ({ to }) => to)
  // Always in the same order: whoever counts some of the same waits, and does not lock us out.
  const addresses = [...byAddress.keys()].toSorted()
  const counted = await countAll(scope, [
    { quota, amount: written.length, daily: true },
    ...addresses.map((to) => ({ quota: to, amount: byAddress.get(to)?.length ?? 0, daily: to_one.period === 'day' })),
  ])
  await refuseOver(scope, quota, written.length, counted.get(quota))
  await sendAll(scope, queue, channel, byAddress, (to, more) => {
    const { used, wait_s } = counted.get(to) ?? { used: more, wait_s: 0 }
    return { before: used - more, wait_s }
  })
}

/** The same of those that have waited, which were counted then. */
export async function postWaiting<C extends Carried, Row extends Open, Means>(
  scope: Scope,
  queue: Queue,
  channel: Channel<C, Row, Means>,
  written: readonly Written[],
): Promise<void> {
  const byAddress = Map.groupBy(written, ({ to }) => to)
  await sendAll(scope, queue, channel, byAddress, () => ({ before: 0, wait_s: seconds[channel.to_one.period] }))
}

function sendAll<C extends Carried, Row extends Open, Means>(
  scope: Scope,
  queue: Queue,
  { kind, carried, to_one }: Channel<C, Row, Means>,
  byAddress: Map<string, Written[]>,
  usedOf: (to: string, more: number) => { before: number; wait_s: number },
): Promise<void> {
  const { customer_id } = scope
  const jobs = [...byAddress].flatMap(([to, some]) => {
    const { before, wait_s } = usedOf(to, some.length)
    return some.map(({ id }, index) => {
      const periods = Math.floor((before + index) / to_one.max)
      const after_s = periods === 0 ? 0 : wait_s + (periods - 1) * seconds[to_one.period]
      return { carried: carried({ customer_id }, id), after_s }
    })
  })
  return queue.sendMany(kind, customer_id, jobs)
}

interface Needs {
  tenancy: Tenancy
  queue: Queue
}

/** One try. Whoever is asked to wait, waits as long; else each wait is twice the one before. */
export async function deliver<C extends Carried, Row extends Open, Means>(
  channel: Channel<C, Row, Means>,
  { tenancy, queue, ...means }: Needs & Means,
  carried: C,
): Promise<void> {
  const { kind, table, tries_max, forget } = channel
  const { customer_id } = carried
  const id = channel.idIn(carried)
  const caller = callerOfJob(customer_id, kind.name)
  const write: Write = (work) => tenancy.enter(caller, 'write', work)
  const settle = (values: Record<string, unknown>) => write((scope) => scope.change(table, [id], values))

  const row = await tenancy.enter(caller, 'read', (scope) => channel.read(scope, id))
  if (!row) return
  const giveUp = (why: UndeliveredReason, attempts: number, last_error: string) =>
    write(async (scope) => {
      const failed = { ...forget, text: '(not sent)', failed_at: sql`now()`, attempts, last_error }
      await scope.change(table, [id], failed)
      await note(scope, channel.noted(row), { why, attempts })
    })
  const hindrance = (await channel.hindrance?.(row, write)) ?? null
  if (hindrance === 'waits') return
  if (hindrance) return giveUp('late', row.attempts, hindrance.over)
  try {
    await channel.deliver(means as Means, row, customer_id)
  } catch (error) {
    const attempts = row.attempts + 1
    const last_error = String(error).slice(0, 500)
    if (error instanceof NotTaken) return giveUp('nobody', attempts, last_error)
    if (attempts >= tries_max) {
      await giveUp(error instanceof TurnedAway ? 'refused' : 'unreachable', attempts, last_error)
      throw new SeenTo(`given up after ${attempts} tries`, { cause: error })
    }
    const asked_s = error instanceof AskedToWait ? error.retry_after_s : 0
    await write(async (scope) => {
      await scope.change(table, [id], { attempts, last_error })
      await queue.send(kind, carried, {
        urgent: carried.urgent ?? false,
        after_s: Math.max(asked_s, waitAfter(attempts)),
      })
    })
    throw new SeenTo('tried in vain', { cause: error })
  }
  await settle({ ...forget, attempts: row.attempts + 1, sent_at: sql`now()`, text: '(sent)', last_error: null })
}

export const deliveryJob = <C extends Carried, Row extends Open, Means>(
  channel: Channel<C, Row, Means>,
): Job<Needs & Means> =>
  job({ kind: channel.kind, run: (needs: Needs & Means, carried: C) => deliver(channel, needs, carried) })
