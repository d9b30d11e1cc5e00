// Deliveries: one mechanism for everything that is sent to people and programs. A delivery is stored in the transaction of the change
// that causes it, so that none is lost and none is sent without cause; it is counted against limits, and sent as due work.
//
// A channel is a definition: mails.ts and texts.ts have one each. The outcome of a delivery is stored in its row.
import { sql } from 'kysely'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { textOf } from '#server/errors/thrown.ts'
import type { UndeliveredReason } from '#contract/undelivered.ts'
import { askedColumns } from '#server/access/present-rights.ts'
import { whyNot, type Queued } from '#server/deliveries/gate.ts'
import { note, clearUndelivered, type Note, type Sort } from '#server/deliveries/undelivered.ts'
import { countAll } from '#server/fairness/quotas.ts'
import {
  forThreeDays,
  queueDue,
  TriedInVain,
  type DueKind,
  type DueWork,
  type Held,
  type Settle,
} from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Log } from '#server/watch/log.ts'

/** A delivery that is to be sent. */
export interface Pending extends Queued {
  id: number
  /** Against the limits; one that waits for its turn is counted when that comes. */
  counted: boolean
}
/** The columns of it, for the statement of a channel, which calls its row `m`. */
export const pendingColumns = sql`m.id, m.counted, m.kind, m.about_id, m.asked_by_user_id, m.asked_by_key_id, m.asked_right,
  m.property_id`

export interface Channel<Row extends Pending, Needs> {
  kind: DueKind
  table: 'outbox_mails' | 'outbox_texts'
  /** The quota of what a customer may send in a day. */
  quota: 'mails' | 'texts'
  /** At most this many go to one person in an hour, or a day; more from a list are sent in the following ones. */
  to_one: { max: number; period: 'hour' | 'day' }
  /** Whether it is tried until it is of no use any more (`over`), however often. */
  ends?(row: Row): boolean
  /** Undefined: it was sent, has failed, or no longer exists. */
  read(scope: Scope, id: number): Promise<Row | undefined>
  /** The row with its text as it leaves; rejects where no key opens it. */
  opened(scope: Scope, row: Row): Promise<Row>
  /** The counter of its receiver. */
  to(row: Row): string
  /** What is recorded about one that could not be delivered. */
  noted(row: Row): Note
  /** A sentence, where the receiver does not want it. */
  unwanted?(scope: Scope, row: Row): Promise<string | null>
  /** A sentence that explains why it is no longer of use. */
  over(row: Row): string | null
  /** Whether it has to wait until it is released. */
  waits?(row: Row): boolean
  /** Holds it, unless it has been released meanwhile. */
  hold?(scope: Scope, row: Row): Promise<boolean>
  /** Throws `Rejected`, `TemporarilyRejected`, `RetryAfter` or `NotReady` where that applies; any other error is the transport's. */
  deliver(needs: Needs, row: Row, customer_id: number): Promise<void>
  /** What is deleted of it once it is settled, such as a link that signs somebody in. */
  forget: Record<string, unknown>
  /** Where it is handed in, for people: `The mail server`. */
  handed_in_at: string
  /** What one is about: SQL over a row `m` of its table. */
  about: ReturnType<typeof sql>
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

/** It could not be handed in at all, for a reason of ours. */
export class NotReady extends Error {
  override name = 'NotReady'
  /** @param message a sentence for people */
  constructor(message: string, cause: unknown) {
    super(message, { cause })
  }
}

const seconds = { hour: 3600, day: 24 * 3600 }
/** The wait after the first try. */
const again_after_s = 5
/** At once by a node, and for one customer: one whose mail server or provider is slow leaves places for others. */
const at_once = { at_once: 8, of_one_customer: 2 }

/** Stores one, its text sealed to whom it goes, and queues it. */
export async function send<Row extends Pending, Needs>(
  scope: Scope,
  queue: Queue,
  { table, kind }: Channel<Row, Needs>,
  values: Record<string, unknown> & Sort & { text: string },
  { to, urgent }: { to: string; urgent: boolean },
): Promise<void> {
  const closed = scope.messages.close(table, to, values.text)
  const id = await scope.insert(table, { ...askedColumns(scope), ...values, ...closed })
  await clearUndelivered(scope, [{ ...values, recipient: to }])
  await queueDue(scope, queue, kind, [{ about_id: id, urgent }])
}

/** The text of one among many, which are inserted from JSON, where bytes are text. */
export function closedInJson(
  scope: Scope,
  { table }: Pick<Channel<Pending, unknown>, 'table'>,
  to: string,
  text: string,
) {
  const { sealed_text, ...closed } = scope.messages.close(table, to, text)
  return { ...closed, sealed_text: sealed_text && `\\x${sealed_text.toString('hex')}` }
}

/** One that is stored, and not counted yet. */
interface Written {
  id: number
  /** The counter of its recipient. */
  to: string
}

/** Of a day's quota, what lists and schedules may use: the rest is for guests who ask for a code, and for people at work. */
const ofLists = (quota: number) => Math.ceil(0.8 * quota)

/**
 * Queues those that are stored: as many as their part of the quota of the day and the limit of each recipient leave room for, and the
 * rest for the days and hours that follow, in which they are counted. Call it last in a transaction: until that ends, no other delivery
 * of the customer can be counted.
 */
export async function post<Row extends Pending, Needs>(
  scope: Scope,
  queue: Queue,
  channel: Channel<Row, Needs>,
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
  const a_day = ofLists(scope.quotas[quota])
  const room = Math.max(0, a_day - (day.used - written.length))
  for (const [index, one] of today.slice(room).entries())
    one.after_s = day.wait_s + Math.floor(index / Math.max(1, a_day)) * seconds.day
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
  { quota, to_one }: Pick<Channel<Pending, unknown>, 'quota' | 'to_one'>,
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
export async function postWaiting<Row extends Pending, Needs>(
  scope: Scope,
  queue: Queue,
  channel: Channel<Row, Needs>,
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

const sendAll = <Row extends Pending, Needs>(
  scope: Scope,
  queue: Queue,
  { kind }: Channel<Row, Needs>,
  timed: readonly Timed[],
): Promise<void> =>
  queueDue(
    scope,
    queue,
    kind,
    timed.map(({ id, after_s }) => ({ about_id: id, after_s })),
  )

/** How long one has to wait that was not counted yet: 0 if its turn has come, and it is counted now. */
async function countInTurn<Row extends Pending, Needs>(
  scope: Scope,
  channel: Channel<Row, Needs>,
  row: Row,
): Promise<number> {
  const { quota, to_one, table } = channel
  const to = channel.to(row)
  const counted = await countThese(scope, channel, 1, new Map([[to, 1]]))
  const limits = [
    { max: ofLists(scope.quotas[quota]), ...counted.get(quota) },
    { max: to_one.max, ...counted.get(to) },
  ]
  const wait_s = Math.max(0, ...limits.map(({ max, used = 0, wait_s: left = 0 }) => (used > max ? left : 0)))
  if (wait_s > 0) await countThese(scope, channel, -1, new Map([[to, -1]]))
  else await scope.change(table, [row.id], { counted: true })
  return wait_s
}

/** Of every channel; each has its own besides. */
interface Common {
  tenancy: Tenancy
  log: Log
}

/** One try. */
async function deliver<Row extends Pending, Needs>(
  channel: Channel<Row, Needs>,
  { tenancy, log, ...needs }: Common & Needs,
  { about_id, caller, tries }: Held,
): Promise<Settle | void> {
  const { table, forget } = channel
  const read = await tenancy.enter(caller, 'read', async (scope) => {
    const found = await channel.read(scope, about_id)
    if (!found) return undefined
    const unwanted = (await channel.unwanted?.(scope, found)) ?? null
    const taken_back = unwanted ?? (await whyNot(scope, found))
    // One that does not open must still be given up in the end, so that is told where it would be delivered.
    const [opened] = await Promise.allSettled([channel.opened(scope, found)])
    return { row: found, unwanted, taken_back, opened }
  })
  if (!read) return
  const { row, unwanted, taken_back, opened } = read
  const attempts = tries - 1
  if (taken_back !== null)
    // A receiver who wants no more mails is nobody's to see to.
    return (scope) =>
      giveUp(scope, log, channel, row, {
        why: unwanted === null ? 'taken_back' : null,
        attempts,
        last_error: taken_back,
      })
  const over = channel.over(row)
  if (over !== null) return (scope) => giveUp(scope, log, channel, row, { why: 'late', attempts, last_error: over })
  if (channel.waits?.(row))
    // What is held is queued again when it is released.
    return async (scope) => ((await channel.hold?.(scope, row)) ? undefined : { waits_s: 0 })
  const wait_s = row.counted ? 0 : await tenancy.enter(caller, 'write', (scope) => countInTurn(scope, channel, row))
  if (wait_s > 0) return () => Promise.resolve({ waits_s: wait_s })
  try {
    if (opened.status === 'rejected') throw new NotReady('Its text could not be decrypted.', opened.reason)
    await channel.deliver(needs as Needs, opened.value, caller.customer_id)
  } catch (cause) {
    throw inWords(channel, cause, channel.ends?.(row) ?? false)
  }
  return async (scope) => {
    await scope.change(table, [about_id], {
      ...forget,
      attempts: tries,
      sent_at: sql`now()`,
      text: '(sent)',
      sealed_text: null,
      last_error: null,
    })
  }
}

function inWords(
  { handed_in_at }: Pick<Channel<Pending, unknown>, 'handed_in_at'>,
  cause: unknown,
  goes_on: boolean,
): TriedInVain {
  if (cause instanceof Rejected) return new TriedInVain('Nobody has this address or number.', { hopeless: true, cause })
  const how = { goes_on, cause }
  if (cause instanceof NotReady) return new TriedInVain(cause.message, how)
  if (cause instanceof RetryAfter)
    return new TriedInVain(`${handed_in_at} asked us to wait.`, {
      ...how,
      retry_after_s: cause.retry_after_s,
      counts: true,
    })
  if (cause instanceof TemporarilyRejected) return new TriedInVain(`${handed_in_at} rejected it.`, how)
  return new TriedInVain(`${handed_in_at} could not be reached.`, how)
}

interface GivenUp {
  /** Null: nobody has to see to it. */
  why: UndeliveredReason | null
  attempts: number
  last_error: string
}

async function giveUp<Row extends Pending, Needs>(
  scope: Scope,
  log: Log,
  channel: Channel<Row, Needs>,
  row: Row,
  { why, attempts, last_error }: GivenUp,
): Promise<void> {
  const { table, forget } = channel
  const failed = { ...forget, text: '(not sent)', sealed_text: null, failed_at: sql`now()`, attempts, last_error }
  await scope.change(table, [row.id], failed)
  if (why === null) return
  await note(scope, channel.noted(row), { why, attempts })
  const { customer_id } = scope
  log.warn(
    { customer: customer_id, delivery: channel.kind.name, id: row.id, about: row.kind, why, attempts },
    'a message was given up',
  )
}

const reasonOf = (cause: unknown): UndeliveredReason =>
  cause instanceof Rejected ? 'nobody' : cause instanceof TemporarilyRejected ? 'refused' : 'unreachable'

const ofMessage = (scope: Scope, table: 'outbox_mails' | 'outbox_texts', column: ReturnType<typeof sql>) =>
  sql`(select ${column} from ${sql.table(table)} as m where m.id = t.about_id and ${scope.inReach(table, 'm')})`

/** The due work of a channel. The text of one that was given up is forgotten, so that what it was about is sent again, and not it. */
export const deliveryWork = <Row extends Pending, Needs>(channel: Channel<Row, Needs>): DueWork<Common & Needs> => ({
  kind: channel.kind,
  about: (scope) => ofMessage(scope, channel.table, channel.about),
  logged: (scope) => ofMessage(scope, channel.table, sql`m.kind`),
  promise: 'repeated',
  ...at_once,
  ...forThreeDays(again_after_s),
  run: (needs, held) => deliver(channel, needs, held),
  async failed(scope, { about_id, tries: attempts }, { as, error }, { log }) {
    const cause = error instanceof TriedInVain ? error.cause : error
    const last_error = textOf(cause).slice(0, 500)
    if (as === 'again') return void (await scope.change(channel.table, [about_id], { attempts, last_error }))
    const row = await channel.read(scope, about_id)
    if (row) await giveUp(scope, log, channel, row, { why: reasonOf(cause), attempts, last_error })
    return 'forget'
  },
})
