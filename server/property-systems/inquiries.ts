// Inquiries: a guest who matches no stay may not have been reported yet, so the system is asked who is in that room.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { onlyProperty } from './interfaces.ts'

/** An answer that comes later is of no use to a guest who waits at the page. */
const good_for_s = 60
/** However often a room is tried, it is asked about once in so many seconds. */
const again_s = 10
const prefix = 'inquiry '

/** As a room may be written in a record. */
const asRoom = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._/-]{0,6}[\p{L}\p{N}])?$/u

/**
 * Asks the system of the property, where its interface says so and its link is up, who is in a room. The interface may be that of the
 * company, a group or a package, which are out of a gateway's reach. The same is done whether the room is
 * one of the property's or not, so that nobody learns which of both was wrong; the answer comes in as what the system tells by itself.
 * @returns whether there is a system to ask
 */
export async function inquireAbout(scope: Scope, property_id: number, typed: string): Promise<boolean> {
  const room = typed.trim()
  const asking = await scope.run(sql<ColumnsOf<'property_interfaces', 'id'>>`
    select t.id
    from property_interfaces as t join property_links as l on l.customer_id = t.customer_id and l.property_interface_id = t.id
    where t.customer_id = ${scope.customer_id} and t.active and t.deleted_at is null and l.state = 'up'
      and t.settings -> 'asks_for_guests' = 'true' and ${onlyProperty} = ${property_id}`)
  const ids = asking.map(({ id }) => id)
  if (ids.length > 0 && asRoom.test(room))
    await scope.run(sql`
      insert into told_messages (customer_id, property_interface_id, message_id, body)
      select ${scope.customer_id}, t.id,
        concat(${prefix}::text, lower(${room}::text), ' ', floor(extract(epoch from now()) / ${again_s})),
        json_build_object('room', ${room}::text)
      from unnest(${ids}::integer[]) as t(id)
      on conflict do nothing`)
  return ids.length > 0
}

/** The next room to ask about, once. */
export async function takeInquiry(scope: Scope, interface_id: number): Promise<string | null> {
  const [next] = await scope.run(sql<{ id: number; room: string }>`
    select t.id::integer as id, t.body ->> 'room' as room from told_messages as t
    where t.property_interface_id = ${interface_id} and t.body is not null and starts_with(t.message_id, ${prefix})
      and t.received_at > now() - make_interval(secs => ${good_for_s}) and ${scope.inReach('told_messages', 't')}
    order by t.id limit 1`)
  if (!next) return null
  await scope.change('told_messages', [next.id], { body: null })
  return next.room
}
