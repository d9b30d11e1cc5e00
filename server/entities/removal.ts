// Removal: the job that marks the records that go with a removed property. They were out of reach from the moment of the removal;
// this marks the rows, so that the removal itself does not wait for 95,000 accounts.
import { sql } from 'kysely'
import { whileMore } from '#server/access/chunked-work.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import type { Disk } from '#server/turns/disk.ts'

/** Rows in one transaction: few enough that nobody has to wait for it. */
const rows_per_step = 2000

/** Until nothing is left of any removed property. Each row is rewritten, so it waits while the disk is nearly full. */
export const finishRemovals = (tenancy: Tenancy, hasRoom: () => boolean): Promise<void> =>
  whileMore(tenancy, sql`door_removals(${rows_per_step})`, hasRoom)

/** Sent when a property is removed. */
export const removalKind = jobKind('removal', { limit: 3 })
export const removalJob = job({
  kind: removalKind,
  cron: '* * * * *',
  title: 'Finishing removals',
  at_start: true,
  run: ({ tenancy, disk }: { tenancy: Tenancy; disk: Disk }) => finishRemovals(tenancy, disk.hasRoom),
})
