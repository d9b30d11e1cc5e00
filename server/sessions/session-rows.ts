// Session rows: how sessions stand in `radius_sessions`. Each column is described once; what is read, made and changed are lists of
// them.
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Place } from '#server/sessions/record.ts'
import type { Session } from '#server/sessions/session.ts'

/** How one is read, and how it is written from the JSON in which the rows of a statement are sent. */
interface Column {
  /** Its type in that JSON. */
  sent: string
  read: (column: string) => string
  written: (value: string) => string
}

const like = (sent: string): Column => ({ sent, read: (column) => column, written: (value) => value })
/** Milliseconds since 1970. */
const moment: Column = {
  sent: 'float8',
  read: (column) => `(extract(epoch from ${column}) * 1000)::float8`,
  written: (value) => `timestamptz 'epoch' + ${value} * interval '1 millisecond'`,
}
const mac_address: Column = { ...like('macaddr'), read: (column) => `${column}::text` }
const address: Column = { sent: 'text', read: (column) => `host(${column})`, written: (value) => `${value}::inet` }
/** Kept as long as its gateway may be asked something about the session. */
const reported_from: Column = {
  ...address,
  written: (value) => `case when d.stopped_at is null then ${address.written(value)} end`,
}

const columns: Record<Exclude<keyof Session, 'id'>, Column> = {
  gateway_id: like('integer'),
  session_key: like('text'),
  generation: like('integer'),
  acct_session_id: like('text'),
  username: like('text'),
  mac_address,
  calling_station: like('text'),
  box_session: like('text'),
  reported_from,
  ip: address,
  ipv6: like('text[]'),
  authorisation_id: like('bigint'),
  auth_method_id: like('integer'),
  package_id: like('integer'),
  account_id: like('integer'),
  voucher_id: like('bigint'),
  device_id: like('integer'),
  guest_id: like('bigint'),
  identifier: like('text'),
  group_id: like('integer'),
  mac_category_id: like('integer'),
  ends_at: moment,
  accepted_at: moment,
  started_at: moment,
  last_seen_at: moment,
  stopped_at: moment,
  stop_inferred: like('boolean'),
  termination_cause: like('text'),
  disconnect_for: like('text'),
  seconds: like('bigint'),
  bytes_up: like('bigint'),
  bytes_down: like('bigint'),
  days: like('jsonb'),
}
type Name = keyof typeof columns

/** A list of columns, in the parts that statements name it by. */
interface Columns {
  names: readonly Name[]
  listed: RawBuilder<unknown>
  read: RawBuilder<unknown>
  written: RawBuilder<unknown>
  set: RawBuilder<unknown>
  sent: RawBuilder<unknown>
}

function listOf(names: readonly Name[]): Columns {
  const each = (part: (name: Name) => string) => sql.raw(names.map(part).join(', '))
  return {
    names,
    listed: each((name) => name),
    read: each((name) => `${columns[name].read(`t.${name}`)} as ${name}`),
    written: each((name) => columns[name].written(`d.${name}`)),
    set: each((name) => `${name} = ${columns[name].written(`d.${name}`)}`),
    sent: each((name) => `${name} ${columns[name].sent}`),
  }
}

const all = listOf(Object.keys(columns) as Name[])
/** What each report changes. */
export const counted = listOf([
  'started_at',
  'last_seen_at',
  'stopped_at',
  'stop_inferred',
  'termination_cause',
  'seconds',
  'bytes_up',
  'bytes_down',
  'days',
  'ip',
  'ipv6',
  'reported_from',
])
/** Whose it is. These columns have indexes, and change once at most. */
export const held = listOf([
  'mac_address',
  'calling_station',
  'box_session',
  'username',
  'authorisation_id',
  'auth_method_id',
  'package_id',
  'account_id',
  'voucher_id',
  'device_id',
  'guest_id',
  'identifier',
  'group_id',
  'mac_category_id',
  'ends_at',
  'accepted_at',
])

const json = (sessions: readonly Session[], names: readonly ('id' | Name)[]) =>
  JSON.stringify(sessions.map((session) => Object.fromEntries(names.map((name) => [name, session[name]]))))

/** Those that the condition names (as `t`), locked until the transaction ends. */
export const lockSessions = (scope: Scope, condition: RawBuilder<unknown>): Promise<Session[]> =>
  scope.run(sql<Session>`
    select t.id, ${all.read} from radius_sessions as t
    where (${condition}) and ${scope.inReach('radius_sessions', 't')} order by t.id for no key update`)

export type SessionName = Pick<Session, 'id' | 'gateway_id' | 'session_key' | 'generation'>

/** Those that have no id yet. Returns their ids. */
export async function insertSessions(scope: Scope, { property_id }: Place, sessions: readonly Session[]) {
  const made = sessions.filter(({ id }) => id === null)
  if (made.length === 0) return []
  return scope.run(sql<SessionName>`
    insert into radius_sessions (customer_id, property_id, ${all.listed})
    select ${scope.customer_id}, ${property_id}, ${all.written}
    from jsonb_to_recordset(${json(made, all.names)}::jsonb) as d(${all.sent})
    returning id, gateway_id, session_key, generation`)
}

/** Those that have an id, which selects them: with the join alone, all sessions of a small customer would be read. */
export async function updateSessions(scope: Scope, sessions: readonly Session[], { names, set, sent }: Columns) {
  const known = sessions.filter(({ id }) => id !== null)
  if (known.length === 0) return
  await scope.run(sql`
    update radius_sessions as t set ${set}
    from jsonb_to_recordset(${json(known, ['id', ...names])}::jsonb) as d(id bigint, ${sent})
    where t.id = any(${known.map(({ id }) => id)}) and t.id = d.id and ${scope.inReach('radius_sessions', 't')}`)
}
