// Due work: the one mechanism for what is done later. A kind says what its work is; when it is due, how often it was tried and who is
// trying it stand in the rows of `due_work`, which change in the transactions of what they are about.
import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'

/** What the sender of due work knows about it. */
export interface DueKind {
  /** One word for it, which people read as `Report file`: `report_file`. */
  readonly name: string
}
export const dueKind = (name: string): DueKind => ({ name })

/** What is to be done: the row of the kind's own table, and when. */
interface Due {
  about_id: number
  /** By default, now. */
  after_s?: number
  /** A person waits for it: it goes before what is not urgent. */
  urgent?: boolean
  /** What shares one other side, where a failure may be everybody's: `accounting 7`. */
  lane?: string | null
  /** It may have been done before it was queued: see `DueWork.promise`. */
  is_unsure?: boolean
}

/** Wakes a node that does due work. What is due later is found when its time comes. */
export const wakeKind = jobKind<{ kind: string }>('due_work')

/** Since when a row `t` fails that is due anew: it has not been done by that, and what was given up begins again. */
export const stillFailing = sql<string | null>`case when t.state in ('waiting', 'trying') then t.failing_since end`

/**
 * Whether the work of a row waits until its other side has answered: while that does not, the first of its lane that rests asks it
 * (attempt.ts).
 */
export const waitsForAnswer = (row: 't' | 'd') => {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql<boolean>`(${of('rests')} and ${of('next_at')} > now() and exists (select from due_work as o
    where o.customer_id = ${of('customer_id')} and o.kind = ${of('kind')} and o.lane = ${of('lane')} and o.rests
      and (o.next_at, o.id) < (${of('next_at')}, ${of('id')})))`
}

/**
 * Has work done, once the transaction is committed. What is queued already is due anew, unless it is being tried: then it is not
 * touched, and whoever tries it sees what has changed.
 */
export async function queueDue(
  scope: Scope,
  queue: Pick<Queue, 'send'>,
  { name }: DueKind,
  all: readonly Due[],
): Promise<void> {
  if (all.length === 0) return
  await scope.run(sql`
    insert into due_work as t (customer_id, kind, about_id, next_at, urgent, lane, is_unsure)
    select ${scope.customer_id}, ${name}, d.about_id, now() + make_interval(secs => coalesce(d.after_s, 0)), coalesce(d.urgent, false),
      d.lane, coalesce(d.is_unsure, false)
    from json_to_recordset(${JSON.stringify(all)})
      as d(about_id bigint, after_s double precision, urgent boolean, lane text, is_unsure boolean)
    order by d.about_id
    on conflict (customer_id, kind, about_id) do update set state = 'waiting', tries = 0, next_at = excluded.next_at,
      urgent = excluded.urgent, lane = excluded.lane, is_unsure = t.is_unsure or excluded.is_unsure, last_error = null,
      rests = false, created_at = now(), failing_since = ${stillFailing}
    where t.state <> 'trying'`)
  if (all.some(({ after_s = 0 }) => after_s === 0)) await wake(queue, name)
}

/**
 * Has work that is done again and again done before its ordinary turn. What was tried in vain keeps its time, which the other side may have
 * named, and what was given up begins again. What is being tried may have seen nothing of it any more, and is done once more.
 * @param again_s how long, at least, after a try
 */
export async function hasten(
  scope: Scope,
  queue: Pick<Queue, 'send'>,
  { name }: DueKind,
  { about_id, after_s, again_s }: { about_id: number; after_s: number; again_s: number },
): Promise<void> {
  const again = sql`make_interval(secs => ${again_s})`
  await scope.run(sql`
    insert into due_work as t (customer_id, kind, about_id, next_at, urgent)
    values (${scope.customer_id}, ${name}, ${about_id}, now() + make_interval(secs => ${after_s}), true)
    on conflict (customer_id, kind, about_id) do update set
      wanted_at = case t.state when 'trying' then now() + ${again} end,
      next_at = case t.state when 'trying' then t.next_at when 'waiting' then least(t.next_at, excluded.next_at)
        else greatest(t.next_at + ${again}, excluded.next_at) end,
      state = case t.state when 'trying' then t.state else 'waiting' end,
      tries = case when t.state in ('trying', 'waiting') then t.tries else 0 end, urgent = true, failing_since = ${stillFailing}
    where t.state <> 'waiting' or t.last_error is null`)
  if (after_s === 0) await wake(queue, name)
}

/** Has a node look for what is due of a kind. */
export const wake = (queue: Pick<Queue, 'send'>, kind: string) => queue.send(wakeKind, { kind }, { urgent: true })

/** Takes work back that is not being tried, or that is: then nothing of its result is kept. */
export const dropDue = (scope: Scope, { name }: DueKind, about_ids: readonly number[]) =>
  scope.run(sql`
    delete from due_work as t where t.customer_id = ${scope.customer_id} and t.kind = ${name} and t.about_id = any(${about_ids})`)

/** Work that a node has taken. Until it is settled no other node takes it, unless this one falls silent. */
export interface Held {
  id: number
  about_id: number
  lane: string | null
  caller: Caller
  /** Tries that count, with this one. */
  tries: number
  /** A try before, of which no answer came, may have done it: see `DueWork.promise`. */
  was_unsure: boolean
  /** When it was queued. */
  created_at: Date
}

/** Stores the result, in the transaction in which the work is settled. Answers when it is due once more, if it is. */
export type Settle = (scope: Scope) => Promise<void | Waits | Again>

/** Its turn has not come: no try. */
export interface Waits {
  waits_s: number
}

/** It was done, and is done again then: its tries begin anew, and nobody waits for it any more. */
export interface Again {
  again_s: number
}

/** How a try failed. Any other error is a fault of ours: it is tried again, and the log says what it was. */
interface Failing {
  /** Another try would fail, too. */
  hopeless?: boolean
  /** It is tried on, however often it was: `run` finds out when it is of no use any more. */
  goes_on?: boolean
  /** The other side says when to try again. Such a try does not count, unless `counts`. */
  retry_after_s?: number | undefined
  counts?: boolean
  /** It is certain that it was not done. */
  is_sure?: boolean
  /** Work of the same lane would fail as well: one piece of it asks next, and the others rest until it is answered; or all fail. */
  lane?: 'waits' | 'fails' | undefined
  /** How long the lane waits, where the other side does not say; by default as long as this one. */
  lane_wait_s?: number
  cause?: unknown
}
export class TriedInVain extends Error {
  override name = 'TriedInVain'
  readonly how: Failing
  /** @param message a sentence for people: what went wrong, and what helps */
  constructor(message: string, how: Failing = {}) {
    super(message, { cause: how.cause })
    this.how = how
  }
}

/** What became of a try that failed. */
export interface Failed {
  /** `again`: it is tried again. */
  as: 'again' | 'failed' | 'unknown'
  /** This try proved that it was not done. Work that fails with its lane was not tried, which proves nothing of it. */
  is_sure: boolean
  error: unknown
  /** For people. */
  last_error: string
}

/** The work of a kind. `Needs`: those of a node's services that it uses. */
export interface DueWork<Needs> {
  kind: DueKind
  /** What one is about, for people: SQL over a row `t` of `due_work`. */
  about: (scope: Scope) => ReturnType<typeof sql>
  /** The same for the activity log, which outlives it and which viewers read, where `about` names a guest or a secret. */
  logged?: (scope: Scope) => ReturnType<typeof sql>
  /**
   * `repeated`: doing it twice does no harm, since the other side knows it by its id. `once`: it must not be done twice. Then each try
   * is taken for one that may have done it until it says otherwise (`is_sure`), and the next one looks first (`was_unsure`).
   */
  promise: 'repeated' | 'once'
  /** How many a node does at once, and how many of one customer. */
  at_once: number
  of_one_customer: number
  /** And of one lane; by default as many as of one customer. */
  of_one_lane?: number
  /** Tries before it is given up. */
  tries_max: number
  /** The wait after a try, in seconds. */
  wait_s: (tries: number) => number
  /** Outside any transaction. Throws `TriedInVain`. */
  run: (needs: Needs, held: Held) => Promise<Settle | void>
  /** Stores with the record how a try failed, in the transaction in which it is settled. `forget`: nobody can try it again. */
  failed?: (scope: Scope, held: Pick<Held, 'about_id' | 'tries'>, how: Failed, needs: Needs) => Promise<void | 'forget'>
  /**
   * Finds, each minute, what is due although nobody has queued it: what is done again and again is begun by it, and what nodes of the
   * release before have left.
   */
  finds?: RawBuilder<{ customer_id: number } & Due>
  /** It was given up, and a person has it tried again: its record waits again, or another takes its place. */
  again?: (scope: Scope, about_ids: readonly number[], queue: Pick<Queue, 'send'>) => Promise<void>
  /** It was given up, and a person has dismissed it: what its record says from now on. */
  dismissed?: (scope: Scope, about_ids: readonly number[]) => Promise<unknown>
}

/** The next wait doubles; up to half of it is left out by chance, so that what failed together is not tried together. */
export const doubling =
  (first_s: number, max_s = Infinity) =>
  (tries: number): number =>
    Math.ceil(Math.min(max_s, first_s * 2 ** Math.min(tries - 1, 30)) * (1 - Math.random() / 2))

/**
 * Tries of about three days, as mail servers do among themselves, so that another side may be down over a weekend: at first after
 * some seconds, ten times in the first hour, and then every hour.
 */
export const forThreeDays = (first_s: number): Pick<DueWork<never>, 'tries_max' | 'wait_s'> => ({
  tries_max: 106,
  wait_s: doubling(first_s, 3600),
})
