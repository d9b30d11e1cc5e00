// Sync work: how the connections to the books and to audiences are kept in line, an audience sooner than its time where it is to be
// told something.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { accounting } from '#server/connections/accounting/kind.ts'
import { connectionWork, syncNow } from '#server/connections/connection-work.ts'
import { marketing } from '#server/connections/marketing/kind.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { syncAccounting } from './accounting.ts'
import { keepAudience } from './marketing.ts'

/** Audiences that may have somebody who was just erased. */
export async function tellErased(scope: Scope, queue: Pick<Queue, 'send'>) {
  const all = await scope.run(sql<ColumnsOf<'marketing_integrations', 'id'>>`
    select t.id from marketing_integrations as t where t.active and not t.needs_reconnect and t.failures = 0
      and t.audience_id is not null and ${scope.inReach('marketing_integrations', 't')} order by t.id`)
  await syncNow(
    scope,
    queue,
    marketing,
    all.map(({ id }) => id),
  )
}

export const accountingWork = connectionWork(
  accounting,
  syncAccounting,
  sql`select customer_id, about_id from door_due_accounting(${accounting.due.name})`,
)
export const marketingWork = connectionWork(
  marketing,
  keepAudience,
  sql`select customer_id, about_id from door_due_marketing(${marketing.due.name})`,
)
