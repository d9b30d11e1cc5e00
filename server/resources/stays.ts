// Stays: how the stay of a room guest stands on the day of their property, as SQL.
import { sql } from 'kysely'
import { stays, type StayKind } from '#contract/room-guests.ts'
import type { Asked, Condition, Sql } from '#server/entities/entity.ts'

/** The day at the property of a row, by the name that the row has in the statement. */
const todayAt = (row: string) => sql`(
  select local_day(app_now(), p.time_zone) from properties as p
  where p.customer_id = ${sql.ref(`${row}.customer_id`)} and p.id = ${sql.ref(`${row}.property_id`)})`

/**
 * Of a row of `room_guests`. `today` may be given where all rows are of one property, so that an index finds them. Whoever never
 * came is expected until the day of departure is over, and has to be looked at then, as those who have not left.
 */
export function stayIs(kind: StayKind, row: string, today: Sql = todayAt(row)): Condition {
  const [arrives_on, departs_on] = [sql.ref(`${row}.arrives_on`), sql.ref(`${row}.departs_on`)]
  const [came, isNotOver] = [sql.ref(`${row}.checked_in_at`), sql`(${departs_on} is null or ${departs_on} >= ${today})`]
  switch (kind) {
    case 'arriving':
      return sql`(${came} is null and ${arrives_on} <= ${today} and ${isNotOver})`
    case 'leaving':
      return sql`(${came} is not null and ${departs_on} = ${today})`
    case 'overdue':
      return sql`(${departs_on} < ${today})`
    case 'in_house':
      return sql`(${came} is not null and ${isNotOver})`
  }
}

/** Any of the stays that were asked for. */
export const staysAsked = ({ is }: Asked, row: string): Condition =>
  sql`(${sql.join(
    stays.map((kind) => sql`${is(sql`${kind}::text`)} and ${stayIs(kind, row)}`),
    sql` or `,
  )})`
