// No-shows: guests who were expected and did not come. They leave the lists and get nobody online; who comes after all is reinstated.
import { sql } from 'kysely'
import { helpIn } from '#catalogue/spoken.ts'
import { clash } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import { comeAfterAll, toldOf, toldOfEnd } from './acts.ts'
import { refuseGone, roomGuests } from './guests.ts'

/** The stay of those who come, or who were there, is no no-show, even if somebody of it does not come. */
export async function markNoShow(scope: Scope, ids: number[]) {
  const wanted = [...new Set(ids)]
  await refuseGone(scope, wanted)
  const there = await scope.lock('room_guests', sql`t.id = any(${wanted}) and t.checked_in_at is not null`)
  if (there.length > 0) throw (await toldOf(scope, there)) ?? clash(helpIn(scope.language)('refuse.is-in'))
  await scope.change(
    'stays',
    sql`t.id in (select g.stay_id from room_guests as g where g.id = any(${wanted}) and ${scope.inReach('room_guests', 'g')})
      and not exists (select from room_guests as g where g.customer_id = t.customer_id and g.stay_id = t.id
        and (g.checked_in_at is not null or g.deleted_at is null and not g.id = any(${wanted})))`,
    { no_show: true },
  )
  await logActivityOfMany(scope, { action: 'delete', entity: roomGuests, ids: wanted, after: { no_show: true } })
  await scope.change('room_guests', wanted, { deleted_at: sql`now()` })
  return { ids: wanted }
}

/** They are expected again. */
export async function reinstate(scope: Scope, ids: number[]) {
  const wanted = [...new Set(ids)]
  const locked = await scope.run(sql<{ id: number; has_ended: boolean; no_show: boolean }>`
    select t.id, t.deleted_at is not null as has_ended,
      coalesce((select s.no_show from stays as s where s.customer_id = t.customer_id and s.id = t.stay_id), false) as no_show
    from room_guests as t
    where t.id = any(${wanted}) and t.property_id in (select p.id from properties as p where ${scope.inReach('properties', 'p')})
      and t.room_id in (select r.id from rooms as r where ${scope.inReach('rooms', 'r')})
    order by t.id for no key update of t`)
  if (locked.length !== wanted.length) throw unreachableIds()
  const there = locked.filter(({ has_ended }) => !has_ended).map(({ id }) => id)
  if (there.length > 0) throw (await toldOf(scope, there)) ?? clash(helpIn(scope.language)('refuse.is-expected'))
  const left = locked.filter(({ no_show }) => !no_show).map(({ id }) => id)
  if (left.length > 0) throw (await toldOfEnd(scope, left)) ?? unreachableIds()
  await comeAfterAll(scope, wanted)
  await logActivityOfMany(scope, {
    action: 'update',
    entity: roomGuests,
    ids: wanted,
    before: null,
    after: { undone: 'no_show' },
  })
  return { ids: wanted }
}
