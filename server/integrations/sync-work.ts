// Sync work: how the connections to the books and to audiences are kept in line, an audience sooner than its time where it is to be
// told something.
import { sql } from 'kysely'
import { accounting } from '#server/connections/accounting/kind.ts'
import { connectionWork } from '#server/connections/connection-work.ts'
import { marketing } from '#server/connections/marketing/kind.ts'
import { syncAccounting } from './accounting.ts'
import { keepAudience } from './marketing.ts'

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
