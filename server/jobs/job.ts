// Job: the one declaration of a kind of job. Its kind is declared next to the code that sends it, its work next to the code that does
// it, which may be on a higher floor. server/apps/jobs.ts lists them all, and nothing else needs to know about a new one.
import type { JobKind, Queue } from '#server/jobs/queue.ts'

interface Declared<Carried extends object, Needs> {
  kind: JobKind<Carried>
  /** A cron line: the job is run at these times (UTC), by one of all nodes. */
  cron?: string
  /** It is also run when a node starts, because a node that was killed in the middle leaves the rest to the others. */
  at_start?: boolean
  /** It may be run more than once for the same job. Errors are logged, and it is tried again if its kind says so. */
  run: (needs: Needs, carried: NoInfer<Carried>) => Promise<void>
}

/** A job as the list has it, where each has other data. */
export interface Job<Needs> {
  kind: JobKind
  cron?: string | undefined
  at_start?: boolean | undefined
  work(queue: Queue, needs: Needs): Promise<void>
}

/** `Needs`: those of a node's services that the job uses. */
export const job = <Carried extends object, Needs>({
  kind,
  cron,
  at_start,
  run,
}: Declared<Carried, Needs>): Job<Needs> => ({
  kind,
  cron,
  at_start,
  work: (queue, needs) => queue.work(kind, (carried) => run(needs, carried)),
})
