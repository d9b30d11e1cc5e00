// In house: who is in house, arrives and leaves, and until when, as SQL over a row of `room_guests`, on the property's present day.
import type { Condition } from '#server/access/reach.ts'
import { sql } from 'kysely'
import { stays, type StayKind } from '#contract/room-guests.ts'
import type { FilterValue, Sorts, Sql } from '#server/entities/entity.ts'

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

/** For a row of `stays`, which has ended with its guests: they did not come, and their day of departure is not over. */
export const isNoShow = (row: string, today: Sql): Condition =>
  sql`(${sql.ref(`${row}.no_show`)} and coalesce(${sql.ref(`${row}.departs_on`)} >= ${today}, true))`

/** Whether the row is in any of the requested states. */
export const isInStay = ({ is }: FilterValue, row: string): Condition =>
  sql`(${sql.join(
    stays.map((kind) => sql`${is(sql`${kind}::text`)} and ${stayIs(kind, row)}`),
    sql` or `,
  )})`

/** Is due on a later day. */
export const isToCome = (row: string, today: Sql = todayAt(row)): Condition =>
  sql`coalesce(${sql.ref(`${row}.arrives_on`)} > ${today}, false)`

/** May sign in with room and name: guests who leave today still may, and so may those whose days nobody has said. */
export const isStaying = (row: string, today: Sql): Condition => sql`
  (coalesce(${sql.ref(`${row}.arrives_on`)} <= ${today}, true) and coalesce(${sql.ref(`${row}.departs_on`)} >= ${today}, true))`

/** Came within so many days, as far as anybody has said when. */
export const cameWithin = (days: number, row: string, today: Sql): Condition =>
  sql`(coalesce(${sql.ref(`${row}.arrives_on`)} > ${today} - ${days}::integer, true))`

/** Has arrived, whenever that was due. */
export const isIn = (row: string): Condition => sql`(${sql.ref(`${row}.checked_in_at`)} is not null)`

/** Has not arrived, and is due on a later day. */
export const isExpected = (row: string, today: Sql): Condition =>
  sql`(${sql.ref(`${row}.checked_in_at`)} is null and ${isToCome(row, today)})`

/**
 * The instant from which the guest is online no more; null while the stay has no end. `stay`: the guest's row of `stays`, which may be
 * absent, and which says until what time.
 */
export const stayEnds = (row: string, stay: string, zone: Sql) =>
  sql`stay_ends(${sql.ref(`${row}.departs_on`)}, ${sql.ref(`${stay}.until_time`)}, ${zone})`

/** Joins the stay of a guest, who may have none, or be absent. */
export const stayOfGuest = (row: string, stay: string) => sql`
  left join stays as ${sql.ref(stay)} on ${sql.ref(`${stay}.customer_id`)} = ${sql.ref(`${row}.customer_id`)}
    and ${sql.ref(`${stay}.id`)} = ${sql.ref(`${row}.stay_id`)}`

/** What the lists of a day show of each stay. */
export const stayDays = (row: string) => {
  const [arrives_on, departs_on] = [sql.ref(`${row}.arrives_on`), sql.ref(`${row}.departs_on`)]
  return sql`${arrives_on}, ${departs_on}, ${departs_on} - ${arrives_on} as nights`
}

/** Their days as text, for code that compares them with days of a file. */
export const daysAsText = (row: string) =>
  sql.join(
    ['arrives_on', 'departs_on'].map(
      (name) => sql`to_char(${sql.ref(`${row}.${name}`)}, 'YYYY-MM-DD') as ${sql.ref(name)}`,
    ),
  )

/** By room number, which an index provides: of the guests in house, only the first ones are read. */
export const dayOrders: Record<StayKind, Sql> = {
  arriving: sql`t.arrives_on, r.number, t.id`,
  leaving: sql`r.number, t.id`,
  overdue: sql`t.departs_on, r.number, t.id`,
  in_house: sql`r.number, t.id`,
}

/** Lists of guests and rooms: those without a day come with the latest; the indexes of both have the same expressions. */
export const daySorts: Sorts = {
  arrives_on: { type: 'date', by: sql`coalesce(t.arrives_on, 'infinity')` },
  departs_on: { type: 'date', by: sql`coalesce(t.departs_on, 'infinity')` },
}

/** What a list of who lives where says of a day, against what is known: `r` is its row, `t` the guest whom it names. */
export function listedDay(name: string): Sql {
  const value = sql`coalesce(${sql.ref(`r.${name}`)}, ${sql.ref(`t.${name}`)})`
  // A guest who has checked in stays so even if a further lease begins later; the stay then ends with that lease.
  if (name === 'arrives_on')
    return sql`case when t.checked_in_at is not null and r.arrives_on > ${todayAt('t')} then t.arrives_on else ${value} end`
  if (name === 'departs_on') return sql`case when r.arrives_on > t.departs_on then r.departs_on else ${value} end`
  return value
}
