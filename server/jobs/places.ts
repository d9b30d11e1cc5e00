// Places: the place of a new job in its queue. Customers take turns: each has a line of its own, and a new job is placed after its own
// customer's jobs, but level with the first of every other customer's, however long their lines are.
//
// A place is the job's priority for pg-boss, which takes the highest first and finds it by its index, so that turns cost nothing when
// jobs are taken. A job that returns after a failure keeps its place.
import { schema } from '#server/db/queues.ts'

export interface Standing {
  queue: string
  customer_id: number
  /** A user is waiting for it at a screen, or it is about their own sign-in: it comes before all jobs that are not urgent. */
  urgent: boolean
}

/** Lines grow downwards from `first`. They start there again whenever no job waits, so no line reaches `last`. */
const places = {
  urgent: { first: 2_000_000_000, last: 1_000_000_001 },
  ordinary: { first: 0, last: -1_000_000_000 },
}

interface Database {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** The place of the next job; further ones follow below it. */
export async function placeFor(db: Database, { queue, customer_id, urgent }: Standing): Promise<number> {
  const { first, last } = urgent ? places.urgent : places.ordinary
  const { rows } = await db.executeSql(placeStatement, [queue, String(customer_id), last, first])
  return (rows as { place: number }[])[0]?.place ?? first
}
export const below = (place: number, jobs: number) => Math.max(place - jobs, places.ordinary.last)

/**
 * Level with the job that is next in turn, or after the customer's own last one. Jobs whose time has not come (the next try,
 * another hour) do not count.
 */
export const placeStatement = `
  with due as not materialized (
    select group_id, priority, created_on from ${schema}.job
    where name = $1 and state < 'active' and not blocked and start_after <= now() and priority between $3 and $4)
  select least(
    coalesce((select priority from due order by priority desc, created_on limit 1), $4),
    (select priority - 1 from due where group_id = $2 order by priority limit 1)) as place`
