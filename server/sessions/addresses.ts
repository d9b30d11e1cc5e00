// Addresses: those a session has and when it had each, so that one can find out who had an address at a time.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Place, SessionRecord } from '#server/sessions/record.ts'
import type { Addresses, Session } from '#server/sessions/session.ts'

/** What a report leaves out is kept; a late report does not change the present addresses. */
export function addressesAfter(known: Session, record: SessionRecord): Addresses {
  const isLate = record.at < known.last_seen_at
  return {
    ip: record.ip === null || (isLate && known.ip !== null) ? known.ip : record.ip,
    ipv6: record.ipv6.length === 0 || (isLate && known.ipv6.length > 0) ? known.ipv6 : record.ipv6,
    reported_from: (isLate && known.reported_from) || (record.reported_from ?? known.reported_from),
  }
}

interface AddressPeriod {
  address: string
  since: number
  until: number | null
}

const all = ({ ip, ipv6 }: Pick<Addresses, 'ip' | 'ipv6'>) => [...new Set(ip === null ? ipv6 : [ip, ...ipv6])]

/** Collects the changes of addresses, report by report; `keyOf` tells sessions apart that have no id yet. */
export class AddressLog {
  readonly #came = new Map<string, AddressPeriod[]>()
  readonly #left = new Map<string, { address: string; at: number }[]>()
  readonly #keyOf: (session: Session) => string
  constructor(keyOf: (session: Session) => string) {
    this.#keyOf = keyOf
  }

  /** @param at when it was reported; the addresses of a session's first report count from its beginning */
  note(before: Session | undefined, after: Session, at: number) {
    const [had, has] = [before ? all(before) : [], all(after)]
    if (had.length === has.length && had.every((one, n) => one === has[n])) return
    const key = this.#keyOf(after)
    const came = this.#came.get(key) ?? []
    const left = this.#left.get(key) ?? []
    for (const address of had.filter((one) => !has.includes(one))) {
      const current = came.findLast((one) => one.address === address && one.until === null)
      if (current) current.until = at
      else left.push({ address, at })
    }
    const since = had.length === 0 ? after.started_at : at
    for (const address of has.filter((one) => !had.includes(one))) came.push({ address, since, until: null })
    this.#came.set(key, came)
    this.#left.set(key, left)
  }

  /** Called once all sessions have their ids. */
  async write(scope: Scope, { property_id }: Place, idOf: (key: string) => number | undefined) {
    const rowsOf = <Row extends object>(rows: ReadonlyMap<string, Row[]>) =>
      [...rows].flatMap(([key, some]) => some.map((row) => ({ ...row, id: idOf(key) })))
    const [came, left] = [rowsOf(this.#came), rowsOf(this.#left)]
    if (left.length > 0)
      await scope.run(sql`
        update session_addresses as t set until = ${moment('at')}
        from jsonb_to_recordset(${JSON.stringify(left)}::jsonb) as d(id bigint, address inet, at float8)
        where t.radius_session_id = d.id and t.address = d.address and t.until is null
          and t.radius_session_id = any(${left.map(({ id }) => id)}) and ${scope.inReach('session_addresses', 't')}`)
    if (came.length > 0)
      await scope.run(sql`
        insert into session_addresses (customer_id, property_id, radius_session_id, address, since, until)
        select ${scope.customer_id}, ${property_id}, d.id, d.address, ${moment('since')}, ${moment('until')}
        from jsonb_to_recordset(${JSON.stringify(came)}::jsonb) as d(id bigint, address inet, since float8, until float8)
        where d.id is not null`)
  }
}

const moment = (name: string) => sql`timestamptz 'epoch' + ${sql.ref(`d.${name}`)} * interval '1 millisecond'`
