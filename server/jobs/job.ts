// Job: how a kind of job is declared, once. Its kind stands beside whatever sends it, and what it does beside that, which may be on
// a higher floor. server/apps/jobs.ts lists them all, and nothing else has to know of a new one.
import type { JobKind, Queue } from '#server/jobs/queue.ts'

interface Doing<Carried extends object, Needs> {
  kind: JobKind<Carried>
  /** A line of cron: it is run at these times (UTC), once over all nodes. */
  cron?: string
  /** It is run at the start of a node, too: one that was killed in the middle leaves the rest to whoever is there. */
  at_start?: boolean
  /** It may be run more than once for the same. What it throws is logged, and it is tried again if its kind says so. */
  run: (needs: Needs, carried: NoInfer<Carried>) => Promise<void>
}

/** A job as the list has it, where each carries something else. */
export interface Job<Needs> {
  kind: JobKind
  cron?: string | undefined
  at_start?: boolean | undefined
  work(queue: Queue, needs: Needs): Promise<void>
}

/** `Needs`: of all that a node has open, what this one works with. */
export const job = <Carried extends object, Needs>({
  kind,
  cron,
  at_start,
  run,
}: Doing<Carried, Needs>): Job<Needs> => ({
  kind,
  cron,
  at_start,
  work: (queue, needs) => queue.work(kind, (carried) => run(needs, carried)),
})
