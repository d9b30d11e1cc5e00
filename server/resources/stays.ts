// Stays: SQL conditions for the state of a room guest's stay on the property's present day.
import { sql } from 'kysely'
import { stays, type StayKind } from '#contract/room-guests.ts'
import type { FilterValue, Condition, Sql } from '#server/entities/entity.ts'

/** The present day at the property of the row that is called `row` in the statement. */
const todayAt = (row: string) => sql`(
  select local_day(app_now(), p.time_zone) from properties as p
  where p.customer_id = ${sql.ref(`${row}.customer_id`)} and p.id = ${sql.ref(`${row}.property_id`)})`

/**
 * For a row of `room_guests`. Give `today` if all rows are of one property, so that an index can be used. A guest who never arrived
 * is expected until the day of departure is over, and is overdue then, just as one who has not left.
 */
export function stayIs(kind: StayKind, row: string, today: Sql = todayAt(row)): Condition {
  const [arrives_on, departs_on] = [sql.ref(`${row}.arrives_on`), sql.ref(`${row}.departs_on`)]
  const [arrived, isNotOver] = [
    sql.ref(`${row}.checked_in_at`),
    sql`(${departs_on} is null or ${departs_on} >= ${today})`,
  ]
  switch (kind) {
    case 'arriving':
      return sql`(${arrived} is null and ${arrives_on} <= ${today} and ${isNotOver})`
    case 'leaving':
      return sql`(${arrived} is not null and ${departs_on} = ${today})`
    case 'overdue':
      return sql`(${departs_on} < ${today})`
    case 'in_house':
      return sql`(${arrived} is not null and ${isNotOver})`
  }
}

/** Whether the row is in any of the requested states. */
export const isInStay = ({ is }: FilterValue, row: string): Condition =>
  sql`(${sql.join(
    stays.map((kind) => sql`${is(sql`${kind}::text`)} and ${stayIs(kind, row)}`),
    sql` or `,
  )})`
