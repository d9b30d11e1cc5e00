// Travel groups: those who travel together, by the name that their stays at a property have in common.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sql } from '#server/entities/entity.ts'

const found_max = 3

/** The guests of stays of a group, who have not left; `s` is the stay and `t` the guest. */
export const guestsOfGroup = (scope: Scope, property_id: number, called: Sql) => sql`
  from stays as s join room_guests as t on t.customer_id = s.customer_id and t.stay_id = s.id
  where s.property_id = ${property_id} and ${called} and ${scope.inReach('stays', 's')} and ${scope.inReach('room_guests', 't')}`

/** By a part of their name, in whatever case. */
export const groupsCalled = (scope: Scope, typed: string, property_id: number) =>
  scope.run(sql<{ name: string; guests: number; expected: number }>`
    select s.group_name as name, count(*)::integer as guests,
      (count(*) filter (where t.checked_in_at is null))::integer as expected
    ${guestsOfGroup(scope, property_id, sql`position(lower(${typed.trim()}) in lower(s.group_name)) > 0`)}
    group by s.group_name order by count(*) desc, s.group_name limit ${found_max}`)
