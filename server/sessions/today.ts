// Today: the sessions that began on the present day of their property.
import { sql } from 'kysely'

/** For the session `t`. None is stored before it began, so the index on `created_at` finds the few of the last day. */
export const startedToday = sql<boolean>`
  (t.created_at >= app_now() - interval '26 hours' and t.started_at >= (
    select day_begins(local_day(app_now(), p.time_zone), p.time_zone) from properties as p
    where p.customer_id = t.customer_id and p.id = t.property_id))`
