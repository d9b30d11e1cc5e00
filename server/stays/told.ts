// Told stays: turns what a property's own system says into rooms, stays and guests. The system's last word of each stay is kept beside
// what was written of it, so that a word is taken in once, an older one changes nothing, and what a person changed by hand is seen.
import { sql } from 'kysely'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { DueWork } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { bringBack } from './told-making.ts'
import {
  guestFields,
  present,
  stayFields,
  Telling,
  type Difference,
  type Heard,
  type StayField,
  type Teller,
} from './told-rows.ts'
import { apply, departureKind, leave, say, sayAll } from './told-saying.ts'
import type { ToldGuest, Word } from './words.ts'

/** In the transaction of the scope; words of one interface wait for one another. */
export async function tell(
  scope: Scope,
  queue: Queue,
  teller: Teller,
  words: readonly Word[],
  { confirmed = null }: { confirmed?: number | null } = {},
): Promise<Heard> {
  const telling = await Telling.begin(scope, queue, teller)
  await telling.prepare(words)
  for (const word of words) {
    if (word.kind === 'all') await sayAll(telling, word, confirmed)
    else await say(telling, word)
  }
  return telling.heard
}

/** Ends the stay of a departure whose time has come. */
export const departureWork: DueWork<{ tenancy: Tenancy; queue: Queue }> = {
  kind: departureKind,
  about: (scope) => sql`(select concat('room ', coalesce(s.applied ->> 'room', '?')) from told_stays as s
    where s.customer_id = t.customer_id and s.id = t.about_id and ${scope.inReach('told_stays', 's')})`,
  promise: 'repeated',
  at_once: 4,
  of_one_customer: 2,
  tries_max: 10,
  wait_s: (tries) => 5 * tries,
  run:
    async ({ queue }, { about_id }) =>
    async (scope) => {
      const [stay] = await scope.run(sql<{ interface_id: number; property_id: number }>`
      select t.property_interface_id as interface_id, t.property_id from told_stays as t
      where t.id = ${about_id} and t.told is null and t.leaves_at <= app_now() and ${scope.inReach('told_stays', 't')}`)
      if (!stay) return
      const telling = await Telling.begin(scope, queue, { ...stay, package_id: null, grace_minutes: 0 })
      await leave(telling, about_id)
    },
}

/** The system's word holds from now on for these differences, or ours does. */
export async function settle(scope: Scope, queue: Queue, ids: readonly number[], as: 'accept' | 'keep') {
  const asked = await scope.run(sql<
    Difference & { id: number; told_stay_id: number; interface_id: number; property_id: number }
  >`
    select t.id, t.room_guest_id, t.field, t.system, t.ours, t.told_stay_id, t.property_id, s.property_interface_id as interface_id
    from stay_differences as t join told_stays as s on s.customer_id = t.customer_id and s.id = t.told_stay_id
    where t.id = any(${[...ids]}) and not t.kept and ${scope.inReach('stay_differences', 't')} order by s.property_interface_id, t.id`)
  if (asked.length !== new Set(ids).size) return null
  const moved: number[] = []
  if (as === 'keep') {
    await scope.change(
      'stay_differences',
      asked.map(({ id }) => id),
      { kept: true },
    )
    return moved
  }
  for (const some of Map.groupBy(asked, ({ interface_id }) => interface_id).values()) {
    const [{ interface_id, property_id } = { interface_id: 0, property_id: 0 }] = some
    const telling = await Telling.begin(scope, queue, { interface_id, property_id, package_id: null, grace_minutes: 0 })
    for (const [id, those] of Map.groupBy(some, ({ told_stay_id }) => told_stay_id)) await accept(telling, id, those)
    moved.push(...telling.heard.moved)
  }
  return moved
}

/** What a person accepts: as if they had never said otherwise. */
async function accept(telling: Telling, id: number, those: readonly Difference[]) {
  const [row] = await telling.rowsWhere(sql`t.id = ${id}`)
  if (!row?.told) return
  const ours = await telling.ours(row)
  for (const { field, room_guest_id, ours: said } of those) {
    if (field === 'room' && said === null) telling.room_wanted = row.told.room
    else if (field === 'presence' && room_guest_id !== null) await bringBack(telling, [room_guest_id])
    else if (row.applied) {
      const guest = row.applied.guests.find((one) => one.id === room_guest_id)
      const its = ours.find((one) => one.id === room_guest_id)
      if (guest && its && isGuestField(field)) guest[field] = its[field]
      else if (isStayField(field)) Object.assign(row.applied, { [field]: present(ours)?.[field] ?? null })
    }
  }
  await apply(telling, row, false)
}

const isStayField = (field: string): field is StayField => (stayFields as readonly string[]).includes(field)
const isGuestField = (field: string): field is keyof ToldGuest => (guestFields as readonly string[]).includes(field)
