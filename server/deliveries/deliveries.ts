// Deliveries: one mechanism for everything that is sent to people and programs. A delivery is stored in the transaction of the change
// that causes it, so that none is lost and none is sent without cause; it is counted against limits, sent by a job, and retried.
//
// A channel is a definition: mails.ts and texts.ts have one each. The outcome of a delivery is stored in its row.
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { textOf } from '#server/errors/thrown.ts'
import { tooMany } from '#server/errors/refused.ts'
import type { UndeliveredReason } from '#contract/undelivered.ts'
import { askedColumns } from '#server/access/present.ts'
import { whyNot, type Queued } from '#server/deliveries/gate.ts'
import { note, clearUndelivered, type Note, type Sort } from '#server/deliveries/undelivered.ts'
import { countAll, durationText, refuseOver, type Counted } from '#server/fairness/quotas.ts'
import { job, type Job } from '#server/jobs/job.ts'
import { RetryScheduled, type JobKind, type Queue } from '#server/jobs/queue.ts'

/** The payload of a delivery's job, in addition to its id under the channel's own name. */
export interface Carried {
  customer_id: number
  /** Its retries also go before others. */
  urgent?: boolean
}

/** A delivery that is to be sent. */
export interface Pending extends Queued {
  id: number
  /** Before the present one. */
  attempts: number
  /** Against the limits; one that waits for its turn is counted when that comes. */
  counted: boolean
}
/** The columns of it, for the statement of a channel, which calls its row `m`. */
export const pendingColumns = sql`m.id, m.attempts, m.counted, m.kind, m.about_id, m.asked_by_user_id, m.asked_by_key_id, m.asked_right,
  m.property_id`

type Write = <R>(work: (scope: Scope) => Promise<R>) => Promise<R>

export interface Channel<C extends Carried, Row extends Pending, Means> {
  kind: JobKind<C>
  carried(how: Carried, id: number): C
  idIn(carried: C): number
  table: 'outbox_mails' | 'outbox_texts'
  /** The quota of what a customer may send in a day. */
  quota: 'mails' | 'texts'
  /** At most this many go to one person in an hour, or a day; more from a list are sent in the following ones. */
  to_one: { max: number; period: 'hour' | 'day' }
  /** Attempts before a delivery is marked failed. */
  tries_max: number
  /** Undefined: it was sent, has failed, or no longer exists. */
  read(scope: Scope, id: number): Promise<Row | undefined>
  /** The counter of its receiver. */
  to(row: Row): string
  /** What is recorded about one that could not be delivered. */
  noted(row: Row): Note
  /** A sentence, where the receiver does not want it. */
  unwanted?(scope: Scope, row: Row): Promise<string | null>
  /** `waits`: it is held until it is released. `over`: a sentence that explains why it is no longer of use. */
  hindrance?(row: Row, write: Write): Promise<'waits' | { over: string } | null>
  /** Throws `Rejected`, `TemporarilyRejected` or `RetryAfter` where that applies, or any other error. */
  deliver(means: Means, row: Row, customer_id: number): Promise<void>
  /** What is deleted of it once it is settled, such as a link that signs somebody in. */
  forget: Record<string, unknown>
}

/** The delivery itself was refused: another try would be refused, too. */
export class Rejected extends Error {
  override name = 'Rejected'
}
/** The server answered, and did not accept the delivery now. */
export class TemporarilyRejected extends Error {
  override name = 'TemporarilyRejected'
}
/** The server also said when to retry. */
export class RetryAfter extends TemporarilyRejected {
  override name = 'RetryAfter'
  readonly retry_after_s: number
  constructor(message: string, retry_after_s: number) {
    super(message)
    this.retry_after_s = retry_after_s
  }
}

const seconds = { hour: 3600, day: 24 * 3600 }
/** The wait after the first try; each further one doubles it, and up to half is subtracted at random, so that retries spread. */
const again_after_s = 5
const waitAfter = (tries: number) => Math.ceil(again_after_s * 2 ** (tries - 1) * (1 - Math.random() / 2))

export interface Limit {
  /** The counter: `mails to ada@guest.example`. */
  counted: string
  amount?: number
  max: number
  period: 'hour' | 'day'
  /** Explains the refusal. */
  sentence: string
}

/** Counts one more; refuses if it exceeds the customer's quota or one of the limits. Count late in a transaction. */
export async function countOrRefuse(scope: Scope, quota: 'mails' | 'texts', limits: readonly Limit[]): Promise<void> {
  const counted = await countAll(scope, [{ quota, amount: 1, daily: true }, ...limits.map((limit) => countOf(limit))])
  await refuseOver(scope, quota, 1, counted.get(quota))
  refuseBeyond(limits, counted)
}

/** The same for what a press brings about, which is counted against the quota when it is made. */
export async function countPress(scope: Scope, limit: Limit): Promise<void> {
  refuseBeyond([limit], await countAll(scope, [countOf(limit)]))
}

const countOf = ({ counted, amount = 1, period }: Limit) => ({ quota: counted, amount, daily: period === 'day' })

function refuseBeyond(limits: readonly Limit[], counted: Map<string, Counted>) {
  for (const limit of limits) {
    const { used, wait_s } = counted.get(limit.counted) ?? { used: 0, wait_s: 0 }
    if (used > limit.max) throw tooMany(wait_s, `${limit.sentence} It goes on in ${durationText(wait_s)}.`)
  }
}

/** Stores one and queues it. */
export async function send<C extends Carried, Row extends Pending, Means>(
  scope: Scope,
  queue: Queue,
  { table, kind, carried }: Channel<C, Row, Means>,
  values: Record<string, unknown> & Sort,
  { to, urgent }: { to: string; urgent: boolean },
): Promise<void> {
  const id = await scope.insert(table, { ...askedColumns(scope), ...values })
  await clearUndelivered(scope, [{ ...values, recipient: to }])
  await queue.send(kind, carried({ customer_id: scope.customer_id, ...(urgent && { urgent }) }, id), { urgent })
}

/** One that is stored, and not counted yet. */
interface Written {
  id: number
  /** The counter of its recipient. */
  to: string
}

/**
 * Queues those that are stored: as many as the quota of the day and the limit of each recipient leave room for, and the rest for the
 * days and hours that follow, in which they are counted. Call it last in a transaction: until that ends, no other delivery of the
 * customer can be counted.
 */
export async function post<C extends Carried, Row extends Pending, Means>(
  scope: Scope,
  queue: Queue,
  channel: Channel<C, Row, Means>,
  written: readonly Written[],
): Promise<void> {
  if (written.length === 0) return
  const { quota, to_one, table } = channel
  const byAddress = Map.groupBy(written, ({ to }) => to)
  const amounts = new Map([...byAddress].map(([to, some]) => [to, some.length]))
  const counted = await countThese(scope, channel, written.length, amounts)
  const timed = withTimes(byAddress, to_one, (to, more) => {
    const { used, wait_s } = counted.get(to) ?? { used: more, wait_s: 0 }
    return { before: used - more, wait_s }
  })
  const day = counted.get(quota) ?? { used: written.length, wait_s: 0 }
  const today = timed.filter(({ after_s }) => after_s === 0)
  const room = Math.max(0, scope.quotas[quota] - (day.used - written.length))
  for (const [index, one] of today.slice(room).entries())
    one.after_s = day.wait_s + Math.floor(index / Math.max(1, scope.quotas[quota])) * seconds.day
  const waiting = timed.filter(({ after_s }) => after_s > 0)
  if (waiting.length > 0) {
    const less = Map.groupBy(waiting, ({ to }) => to)
    await countThese(scope, channel, -waiting.length, new Map([...less].map(([to, some]) => [to, -some.length])))
    await scope.change(
      table,
      waiting.map(({ id }) => id),
      { counted: false },
    )
  }
  await sendAll(scope, queue, channel, timed)
}

/** Always in the same order, so that transactions which count some of the same do not deadlock. */
const countThese = (
  scope: Scope,
  { quota, to_one }: Pick<Channel<Carried, Pending, unknown>, 'quota' | 'to_one'>,
  amount: number,
  amounts: Map<string, number>,
) =>
  countAll(scope, [
    { quota, amount, daily: true },
    ...[...amounts.keys()]
      .toSorted()
      .map((to) => ({ quota: to, amount: amounts.get(to) ?? 0, daily: to_one.period === 'day' })),
  ])

/** The same for held ones, which were counted when they were stored. */
export async function postWaiting<C extends Carried, Row extends Pending, Means>(
  scope: Scope,
  queue: Queue,
  channel: Channel<C, Row, Means>,
  written: readonly Written[],
): Promise<void> {
  const { to_one } = channel
  const byAddress = Map.groupBy(written, ({ to }) => to)
  const timed = withTimes(byAddress, to_one, () => ({ before: 0, wait_s: seconds[to_one.period] }))
  await sendAll(scope, queue, channel, timed)
}

interface Timed extends Written {
  after_s: number
}

/** When each goes by the limit of its recipient. */
const withTimes = (
  byAddress: Map<string, Written[]>,
  { max, period }: { max: number; period: 'hour' | 'day' },
  usedOf: (to: string, more: number) => { before: number; wait_s: number },
): Timed[] =>
  [...byAddress].flatMap(([to, some]) => {
    const { before, wait_s } = usedOf(to, some.length)
    return some.map((one, index) => {
      const periods = Math.floor((before + index) / max)
      return { ...one, after_s: periods === 0 ? 0 : wait_s + (periods - 1) * seconds[period] }
    })
  })

function sendAll<C extends Carried, Row extends Pending, Means>(
  { customer_id }: Scope,
  queue: Queue,
  { kind, carried }: Channel<C, Row, Means>,
  timed: readonly Timed[],
): Promise<void> {
  const jobs = timed.map(({ id, after_s }) => ({ carried: carried({ customer_id }, id), after_s }))
  return queue.sendMany(kind, customer_id, jobs)
}

/** How long one has to wait that was not counted yet: 0 if its turn has come, and it is counted now. */
async function countInTurn<C extends Carried, Row extends Pending, Means>(
  scope: Scope,
  channel: Channel<C, Row, Means>,
  row: Row,
): Promise<number> {
  const { quota, to_one, table } = channel
  const to = channel.to(row)
  const counted = await countThese(scope, channel, 1, new Map([[to, 1]]))
  const limits = [
    { max: scope.quotas[quota], ...counted.get(quota) },
    { max: to_one.max, ...counted.get(to) },
  ]
  const wait_s = Math.max(0, ...limits.map(({ max, used = 0, wait_s: left = 0 }) => (used > max ? left : 0)))
  if (wait_s > 0) await countThese(scope, channel, -1, new Map([[to, -1]]))
  else await scope.change(table, [row.id], { counted: true })
  return wait_s
}

interface Needs {
  tenancy: Tenancy
  queue: Queue
}

/** One try. Before the next one it waits for as long as the server asks; else twice as long as the time before. */
export async function deliver<C extends Carried, Row extends Pending, Means>(
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

  const read = await tenancy.enter(caller, 'read', async (scope) => {
    const found = await channel.read(scope, id)
    if (!found) return undefined
    const unwanted = (await channel.unwanted?.(scope, found)) ?? null
    return { row: found, unwanted, taken_back: unwanted ?? (await whyNot(scope, found)) }
  })
  if (!read) return
  const { row, unwanted, taken_back } = read
  const giveUp = (why: UndeliveredReason, attempts: number, last_error: string) =>
    write(async (scope) => {
      const failed = { ...forget, text: '(not sent)', failed_at: sql`now()`, attempts, last_error }
      await scope.change(table, [id], failed)
      // A receiver who wants no more mails is nobody's to see to.
      if (unwanted === null) await note(scope, channel.noted(row), { why, attempts })
    })
  if (taken_back !== null) return giveUp('taken_back', row.attempts, taken_back)
  const hindrance = (await channel.hindrance?.(row, write)) ?? null
  if (hindrance === 'waits') return
  if (hindrance) return giveUp('late', row.attempts, hindrance.over)
  const wait_s = row.counted ? 0 : await write((scope) => countInTurn(scope, channel, row))
  if (wait_s > 0) return write(() => queue.send(kind, carried, { after_s: wait_s }))
  try {
    await channel.deliver(means as Means, row, customer_id)
  } catch (error) {
    const attempts = row.attempts + 1
    const last_error = textOf(error).slice(0, 500)
    if (error instanceof Rejected) return giveUp('nobody', attempts, last_error)
    if (attempts >= tries_max) {
      await giveUp(error instanceof TemporarilyRejected ? 'refused' : 'unreachable', attempts, last_error)
      throw new RetryScheduled(`given up after ${attempts} tries`, { cause: error })
    }
    const asked_s = error instanceof RetryAfter ? error.retry_after_s : 0
    await write(async (scope) => {
      await scope.change(table, [id], { attempts, last_error })
      await queue.send(kind, carried, {
        urgent: carried.urgent ?? false,
        after_s: Math.max(asked_s, waitAfter(attempts)),
      })
    })
    throw new RetryScheduled('tried in vain', { cause: error })
  }
  await settle({ ...forget, attempts: row.attempts + 1, sent_at: sql`now()`, text: '(sent)', last_error: null })
}

export const deliveryJob = <C extends Carried, Row extends Pending, Means>(
  channel: Channel<C, Row, Means>,
): Job<Needs & Means> =>
  job({ kind: channel.kind, run: (needs: Needs & Means, carried: C) => deliver(channel, needs, carried) })
