// Apply guests: gives guests who are online what their room or their stay gives them now, which may be another package.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { applyHolders } from './changes.ts'

/** By the ids of room guests. */
export const applyGuests = (scope: Scope, queue: Queue, ids: readonly number[]) =>
  applyHolders(
    scope,
    queue,
    sql`t.guest_id = any(array(select g.id from guests as g where g.customer_id = t.customer_id and g.room_guest_id = any(${[...ids]})))`,
  )
