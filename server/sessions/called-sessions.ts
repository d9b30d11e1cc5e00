// Called sessions: those of guests whom a controller has let in at our call. It reports nothing by itself: what it has counted when it
// is asked becomes a record as any gateway's.
import { sql } from 'kysely'
import { sessionKey, type SessionRecord } from '#server/sessions/record.ts'

/** By the grant that it began with. */
const name = /^call-(\d{1,15})$/
export const nameOfCalled = (grant_id: number) => `call-${grant_id}`
export function grantOfCalled(acct_session_id: string): number | null {
  const [, id] = name.exec(acct_session_id) ?? []
  return id === undefined ? null : Number(id)
}

/** Of grants `t`, as `s`: the session that each began. By its name and not by its key: the gateway may have been called otherwise then. */
export const begunByGrant = sql`
    left join lateral (
      select o.* from radius_sessions as o
      where o.customer_id = t.customer_id and o.mac_address = t.mac_address and o.gateway_id = t.gateway_id
        and o.acct_session_id = concat('call-', t.id)
      order by o.id desc limit 1) as s on true`

export interface CalledSession {
  grant_id: number
  /** What the gateway is called. */
  nas_identifier: string
  username: string
  authorisation_id: number
  mac_address: string
  /** Of the session that it has begun. Null: it begins. */
  session_key: string | null
}
interface Said {
  kind: SessionRecord['kind']
  seconds?: number
  bytes_up?: number | null
  bytes_down?: number | null
  cause?: string
}

export function recordOf(
  { grant_id, nas_identifier, username, authorisation_id, mac_address, session_key }: CalledSession,
  { kind, seconds = 0, bytes_up = 0, bytes_down = 0, cause = 'User-Request' }: Said,
): SessionRecord {
  const at = Date.now()
  const acct_session_id = nameOfCalled(grant_id)
  return {
    kind,
    box: nas_identifier,
    at,
    received_at: at,
    stamped_at: null,
    held_ms: 0,
    acct_session_id,
    session_key: session_key ?? sessionKey(acct_session_id, nas_identifier),
    authorisation_id,
    username,
    mac_address,
    calling_station: null,
    box_session: null,
    ip: null,
    ipv6: [],
    seconds,
    bytes_up,
    bytes_down,
    up_is_whole: true,
    down_is_whole: true,
    cause,
  }
}
