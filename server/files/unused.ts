// Unused files: the job that removes files that nothing refers to any more, and content that was stored but never used.
import { sql } from 'kysely'
import { day_ms } from '#contract/days.ts'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import { reserveContent } from './keep.ts'
import type { Hash, Storage } from './storage.ts'

const rows_per_step = 1000
/** How long content is kept for its row to be written; after that it has to be stored again. */
const kept_ms = day_ms

/** Removes the rows that nothing refers to, then the content without a row. It may stop anywhere, and be run again. */
export async function removeUnusedFiles(tenancy: Tenancy, storage: Storage): Promise<void> {
  const forget = async () => {
    const [row] = await tenancy.callFunction(sql<{ rows: number }>`select door_forget_files(${rows_per_step}) as rows`)
    return row?.rows === rows_per_step
  }
  while (await forget());
  const before = new Date(Date.now() - kept_ms)
  await storage.clear(before)
  await forEachCustomer(await storage.customers(), async (customer_id) =>
    removeUnnamed(tenancy, storage, customer_id, await storage.writtenBefore(customer_id, before)),
  )
}

export const unusedFilesJob = job({
  kind: jobKind('unused_files'),
  cron: '41 3 * * *',
  title: 'Removing unused files',
  run: ({ tenancy, storage }: { tenancy: Tenancy; storage: Storage }) => removeUnusedFiles(tenancy, storage),
})

async function removeUnnamed(tenancy: Tenancy, storage: Storage, customer_id: number, written: Hash[]) {
  const caller = callerOfJob(customer_id, 'files')
  for (let start = 0; start < written.length; start += rows_per_step) {
    const some = written.slice(start, start + rows_per_step)
    const unnamed = await tenancy.enter(caller, 'read', (scope) => unnamedOf(scope, some))
    for (const hash of unnamed)
      await tenancy.enter(caller, 'write', async (scope) => {
        await reserveContent(scope, hash)
        // A row may have been written meanwhile.
        if ((await unnamedOf(scope, [hash])).length > 0) await storage.remove(customer_id, hash)
      })
  }
}

async function unnamedOf(scope: Scope, hashes: Hash[]): Promise<Hash[]> {
  const rows = await scope.run(sql<{ hash: Hash }>`
    select hash from unnest(${hashes}::text[]) as hash
    where not exists (select from files as t where t.sha256 = decode(hash, 'hex') and ${scope.inReach('files', 't')})`)
  return rows.map(({ hash }) => hash)
}
