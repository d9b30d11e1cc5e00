// Each customer: work that a job does for all of them, one after the other, so that a failure for one does not stop the rest.

/** Throws what went wrong at the end, so that the job counts as failed and its log says why. */
export async function forEachCustomer(
  customer_ids: readonly number[],
  work: (customer_id: number) => Promise<void>,
): Promise<void> {
  const failed: unknown[] = []
  for (const customer_id of customer_ids)
    try {
      await work(customer_id)
    } catch (error) {
      failed.push(new Error(`customer ${customer_id}: ${String(error)}`, { cause: error }))
    }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(String).join('; '))
}
