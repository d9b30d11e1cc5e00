// Each customer: work that a job does for all of them, one after the other, so that a failure for one does not stop the rest.
import { textOf } from '#server/errors/thrown.ts'

/** What failed for some customers, while the rest was done. */
export class FailedFor extends AggregateError {
  override name = 'FailedFor'
  readonly customer_ids: readonly number[]
  constructor(failed: readonly Failure[]) {
    const named = failed.slice(0, named_max).map(({ error }) => error.message)
    if (failed.length > named_max) named.push(`and ${failed.length - named_max} more`)
    const errors = failed.map(({ error }) => error)
    super(errors, named.join('; '), { cause: errors[0] })
    this.customer_ids = [...new Set(failed.map(({ customer_id }) => customer_id))]
  }
}
interface Failure {
  customer_id: number
  error: Error
}
/** The rest is counted: a log line has a limit. */
const named_max = 10

/** Attempts work for customers one by one; `done` throws what went wrong, so that the job counts as failed and its log says why. */
export function openAttempts() {
  const failed: Failure[] = []
  return {
    /** @param task as the log names it. Returns whether it was done. */
    async attempt(customer_id: number, task: string, work: () => Promise<void>): Promise<boolean> {
      try {
        await work()
        return true
      } catch (error) {
        failed.push({ customer_id, error: new Error(`${task}: ${textOf(error)}`, { cause: error }) })
        return false
      }
    },
    done() {
      if (failed.length > 0) throw new FailedFor(failed)
    },
  }
}

export async function forEachCustomer(
  customer_ids: readonly number[],
  work: (customer_id: number) => Promise<void>,
): Promise<void> {
  const { attempt, done } = openAttempts()
  for (const customer_id of customer_ids) await attempt(customer_id, `customer ${customer_id}`, () => work(customer_id))
  done()
}
