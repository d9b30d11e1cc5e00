// Job: the one declaration of a kind of job. Its kind is declared next to the code that sends it, its work next to the code that does
// it, which may be in a higher layer. server/apps/jobs.ts lists them all, and nothing else needs to know about a new one.
import type { JobKind, Queue } from '#server/jobs/queue.ts'

/** When a job is run without being sent. */
type Scheduled =
  | {
      /** A cron line: the job is run at these times (UTC), by one of all nodes. */
      cron: string
      /** What it does, for people who are told that it fails: `Writing nights down`. */
      title: string
    }
  | { cron?: undefined; title?: undefined }

type Declared<Carried extends object, Needs> = Scheduled & {
  kind: JobKind<Carried>
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
  work(queue: Queue, needs: Needs, note: NoteResult): Promise<void>
}

/** Told about each run of a scheduled job. Never throws. */
export type NoteResult = (queue: string, title: string, result: 'done' | 'failed') => Promise<void>

/** `Needs`: those of a node's services that the job uses. */
export const job = <Carried extends object, Needs>({
  kind,
  cron,
  title,
  at_start,
  run,
}: Declared<Carried, Needs>): Job<Needs> => ({
  kind,
  cron,
  at_start,
  work: (queue, needs, note) =>
    queue.work(kind, async (carried) => {
      try {
        await run(needs, carried)
      } catch (error) {
        if (title !== undefined) await note(kind.name, title, 'failed')
        throw error
      }
      if (title !== undefined) await note(kind.name, title, 'done')
    }),
})
