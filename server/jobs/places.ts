// Places: where a new job stands in its queue. Customers take turns there: each has a line of its own, and a new job stands
// behind its own customer's, and beside the first of everybody else's, however long their lines are.
//
// A place is the job's priority for pg-boss, which takes the highest first and finds it by its index, so that turns cost
// nothing where jobs are taken. What comes back after a failure has its former place.
import { schema } from '#server/db/queues.ts'

export interface Standing {
  queue: string
  customer_id: number
  /** Somebody waits for it before a screen, or it tells of their own sign-in: it goes before all that is not. */
  urgent: boolean
}

/** Lines grow downwards from `first`. They begin there again whenever nobody waits, so no line reaches `last`. */
const places = {
  urgent: { first: 2_000_000_000, last: 1_000_000_001 },
  ordinary: { first: 0, last: -1_000_000_000 },
}

interface Database {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** The place of the next job; more of them stand one below the other. */
export async function placeFor(db: Database, { queue, customer_id, urgent }: Standing): Promise<number> {
  const { first, last } = urgent ? places.urgent : places.ordinary
  const { rows } = await db.executeSql(placeStatement, [queue, String(customer_id), last, first])
  return (rows as { place: number }[])[0]?.place ?? first
}
export const below = (place: number, jobs: number) => Math.max(place - jobs, places.ordinary.last)

/**
 * Beside the job that is next in turn, or behind the customer's own last one. What waits for its time (the next try, another
 * hour) keeps nobody back.
 */
export const placeStatement = `
  with due as not materialized (
    select group_id, priority, created_on from ${schema}.job
    where name = $1 and state < 'active' and not blocked and start_after <= now() and priority between $3 and $4)
  select least(
    coalesce((select priority from due order by priority desc, created_on limit 1), $4),
    (select priority - 1 from due where group_id = $2 order by priority limit 1)) as place`
