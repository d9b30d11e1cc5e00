// Link state: the connection status stored per interface: up or down, since when and why, whether a snapshot is wanted, and the records.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { ensureLink } from '#server/stays/property-link.ts'
import type { SyncRecord } from '#server/stays/sync-state.ts'

export const records_max = 200

const isOf = (interface_id: number) => sql<boolean>`t.property_interface_id = ${interface_id}`

interface LinkChanges {
  wants_all?: boolean
  pending?: string | null
  pending_moves_out?: number | null
  /** What a person should look into although the link is up, as a sentence. */
  doubt?: string | null
}

/** A doubt stands until a snapshot is applied without it, whatever other updates come and however often the link is cut. */
export async function markUp(scope: Scope, interface_id: number, news: LinkChanges = {}) {
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
export async function markDown(scope: Scope, interface_id: number, last_error: string) {
  await ensureLink(scope, interface_id)
  await scope.change('property_links', isOf(interface_id), {
    since: sql`case when t.state = 'down' then t.since else now() end`,
    state: 'down',
    last_error,
  })
}

export async function requestSnapshot(scope: Scope, interface_id: number) {
  await ensureLink(scope, interface_id)
  const anew = { wants_all: true, listed_at: null, key_tried: null, pending: null, pending_moves_out: null }
  await scope.change('property_links', isOf(interface_id), anew)
}

export async function addLinkRecords(scope: Scope, property_interface_id: number, records: readonly SyncRecord[]) {
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
