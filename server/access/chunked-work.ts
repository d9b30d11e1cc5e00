// Chunked work: long work of the database that a function does in small transactions, so that nobody waits for it.
import { sql, type RawBuilder } from 'kysely'
import type { Tenancy } from './tenancy.ts'

/** Rows in a step, of all customers together: few enough that nobody has to wait for it, and that it fits into a statement. */
export const rows_per_step = 5000

/**
 * Repeats a call until it answers false, since nothing is left, or until it may not go on. It may be cut off at any point; the next
 * time continues from there.
 */
export async function whileMore(
  { callFunction }: Pick<Tenancy, 'callFunction'>,
  step: RawBuilder<unknown>,
  mayGoOn = () => true,
): Promise<void> {
  const isMore = async () => {
    const [row] = await callFunction(sql<{ more: boolean }>`select ${step} as more`)
    return row?.more === true
  }
  while (mayGoOn() && (await isMore()));
}
