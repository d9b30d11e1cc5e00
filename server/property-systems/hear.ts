// Hear: takes in what an interface's system says, and keeps with the interface when that was, what it was in words, and what waits.
import { sql } from 'kysely'
import type { Settings } from '#contract/parameters.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { tell } from '#server/stays/told.ts'
import type { Heard, Teller, TellerRecord } from '#server/stays/told-rows.ts'
import type { Word } from '#server/stays/words.ts'
import { usual_grace_minutes } from './definition.ts'

export const records_max = 200

export interface Interface {
  id: number
  uuid: string
  name: string
  type_id: number
  host: string | null
  port: number | null
  package_id: number | null
  checks_dispute: boolean
  settings: Settings
  /** Null: it is for several properties, or none, so nobody can say where its rooms are. */
  property_id: number | null
}

/** Undefined: it is gone, disabled or out of reach. */
export async function interfaceOf(scope: Scope, id: number): Promise<Interface | undefined> {
  const [found] = await scope.run(sql<Interface>`
    select t.id, t.uuid::text as uuid, coalesce(t.name, t.uuid::text) as name, t.property_interface_type_id as type_id, t.host, t.port,
      t.package_id, t.check_account_in_dispute as checks_dispute, t.settings, ${onlyProperty} as property_id
    from property_interfaces as t where t.id = ${id} and t.active and ${scope.inReach('property_interfaces', 't')}`)
  return found
}

/** What people call the interface that due work `t` is about. */
export const interfaceName = (scope: Scope) => sql`(select coalesce(i.name, i.uuid::text) from property_interfaces as i
  where i.customer_id = t.customer_id and i.id = t.about_id and ${scope.inReach('property_interfaces', 'i')})`

/** The one property that an interface `t` is for. */
export const onlyProperty = sql`coalesce(t.property_id, (
  select min(p.id) from properties as p
  where p.customer_id = t.customer_id and p.deleted_at is null and p.active
    and case when t.group_id is not null then p.group_id = t.group_id
      when t.owner_package_id is not null then p.package_id = t.owner_package_id else true end
  having count(*) = 1))`

const graceOf = ({ settings: { grace_minutes } }: Interface) =>
  typeof grace_minutes === 'number' && grace_minutes >= 0 ? Math.min(grace_minutes, 24 * 60) : usual_grace_minutes

const tellerOf = (of: Interface, property_id: number): Teller => ({
  interface_id: of.id,
  property_id,
  package_id: of.package_id,
  grace_minutes: graceOf(of),
  checks_dispute: of.checks_dispute,
})

/** Guests in another room may have another package there, also while they are online. */
export type ApplyGuests = (scope: Scope, queue: Queue, ids: number[]) => Promise<void>

interface Needs {
  queue: Queue
  applyGuests: ApplyGuests
}

/** Null: it is for no single property. */
export async function hear(
  scope: Scope,
  { queue, applyGuests }: Needs,
  of: Interface,
  words: readonly Word[],
  { confirmed = null, doubt = null }: { confirmed?: number | null; doubt?: string | null } = {},
): Promise<Heard | null> {
  if (of.property_id === null) return null
  const heard = await tell(scope, queue, tellerOf(of, of.property_id), words, { confirmed })
  const lists = words.filter((word) => word.kind === 'all')
  const list = lists.at(-1)
  const isTaken = list !== undefined && heard.waits === null && heard.doubt === null
  await isUp(scope, of.id, {
    doubt: heard.doubt ?? doubt,
    // A list that is complete stands for all that was missed.
    ...(isTaken && { wants_all: false, pending: null, pending_moves_out: null }),
    ...(list &&
      heard.waits && { pending: JSON.stringify({ ...list, doubt }), pending_moves_out: heard.waits.moves_out }),
    ...(heard.gap && !isTaken && { wants_all: true }),
  })
  await keepRecords(scope, of.id, heard.records)
  if (heard.moved.length > 0) await applyGuests(scope, queue, heard.moved)
  return heard
}

/** When the newest word was that is kept, in milliseconds since 1970; 0: nothing was told. Another node's clock may be ahead of ours. */
export async function lastTold(scope: Scope, interface_id: number): Promise<number> {
  const [newest] = await scope.run(sql<{ at: number | null }>`
    select ceil(extract(epoch from max(t.told_at)) * 1000)::float8 as at from told_stays as t
    where t.property_interface_id = ${interface_id} and ${scope.inReach('told_stays', 't')}`)
  return newest?.at ?? 0
}

/** A list that waits, with what was doubted of it. */
type Pending = Omit<Extract<Word, { kind: 'all' }>, 'at'> & { at: string; doubt?: string | null }

/** The list that waits, as a person has seen it. Null: none waits. */
export async function hearPending(scope: Scope, needs: Needs, of: Interface, moves_out: number): Promise<Heard | null> {
  const [link] = await scope.run(sql<{ pending: Pending | null }>`
    select t.pending from property_links as t where t.property_interface_id = ${of.id} and ${scope.inReach('property_links', 't')}
    for no key update of t`)
  if (!link?.pending) return null
  const { doubt = null, ...pending } = link.pending
  const list: Word = { ...pending, at: new Date(pending.at) }
  return hear(scope, needs, of, [list], { confirmed: moves_out, doubt })
}

const isOf = (interface_id: number) => sql<boolean>`t.property_interface_id = ${interface_id}`

const ensureLink = (scope: Scope, interface_id: number) =>
  scope.run(sql`insert into property_links (customer_id, property_interface_id) values (${scope.customer_id}, ${interface_id})
    on conflict do nothing`)

interface LinkNews {
  wants_all?: boolean
  pending?: string | null
  pending_moves_out?: number | null
  /** What a person should look into although the link is up, as a sentence. */
  doubt?: string | null
}

/** What was doubted stands until a whole list is taken in without it, whatever else is heard, and however often the link is cut. */
export async function isUp(scope: Scope, interface_id: number, news: LinkNews = {}) {
  await ensureLink(scope, interface_id)
  const doubt = news.doubt ?? (news.wants_all === false ? null : sql`t.doubt`)
  await scope.change('property_links', isOf(interface_id), {
    ...news,
    doubt,
    last_error: doubt,
    since: sql`case when t.state = 'up' then t.since else now() end`,
    state: 'up',
    heard_at: sql`now()`,
  })
}

/** `last_error`: a sentence for people. */
export async function isDown(scope: Scope, interface_id: number, last_error: string) {
  await ensureLink(scope, interface_id)
  await scope.change('property_links', isOf(interface_id), {
    since: sql`case when t.state = 'down' then t.since else now() end`,
    state: 'down',
    last_error,
  })
}

export async function wantAll(scope: Scope, interface_id: number) {
  await ensureLink(scope, interface_id)
  const anew = { wants_all: true, listed_at: null, key_tried: null, pending: null, pending_moves_out: null }
  await scope.change('property_links', isOf(interface_id), anew)
}

export async function keepRecords(scope: Scope, property_interface_id: number, records: readonly TellerRecord[]) {
  if (records.length === 0) return
  await scope.insertMany(
    'property_link_records',
    records.slice(-records_max).map(({ sentence, personal }) => ({ property_interface_id, sentence, personal })),
  )
  await scope.run(sql`
    delete from property_link_records as t where ${isOf(property_interface_id)} and ${scope.inReach('property_link_records', 't')}
      and t.id < (select min(r.id) from (select k.id from property_link_records as k
        where k.property_interface_id = ${property_interface_id}
        and ${scope.inReach('property_link_records', 'k')} order by k.id desc limit ${records_max}) as r)`)
}
