// Account import: what a list of guests would change, and the statements that change it, thousands at a time.
import { sql } from 'kysely'
import { selectedInvalid } from '#contract/errors.ts'
import type { RefTarget } from '#contract/shapes.ts'
import type { Seal } from '#server/access/seal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Gathered } from './account-file.ts'
import { keyOf, type AccountRecord, type Problems } from './account-records.ts'

/** Rows in one statement: few enough that making its text holds up nobody. */
const rows_per_statement = 2500

/** A record whose property is known, and what the database has for it. */
export interface Placed extends AccountRecord {
  property_id: number
  room_id: number | null
  exists: boolean
}
export interface Chosen {
  property_id: number | null
  package_id: number | null
  account_type_id: number
}

/** Each row's property: the one chosen for the whole file, or the row's own. A file without one must name it in each row. */
export function place(gathered: Gathered, { property_id: chosen }: Chosen, problems: Problems): Map<string, Placed> {
  const placed = new Map<string, Placed>()
  for (const record of gathered.records) {
    const property_id = record.property_id ?? chosen
    if (property_id === null)
      problems.add(record.row, 'property_id', 'Say in each row which property it is for, or choose one')
    else if (chosen !== null && property_id !== chosen)
      problems.add(record.row, 'property_id', 'This file is imported into another property')
    else {
      const there = { ...record, property_id, room_id: null, exists: false }
      // Rows that name the property and rows that leave it to the choice may mean the same account.
      if (placed.delete(keyOf(there))) gathered.duplicates++
      placed.set(keyOf(there), there)
    }
  }
  return placed
}

/** The ids that rows give themselves must be in reach: all of them are asked for at once. */
export async function refuseAstray(scope: Scope, placed: Map<string, Placed>, problems: Problems) {
  const columns = { package_id: 'packages', account_type_id: 'account_types', property_id: 'properties' } as const
  const named = new Map<string, { target: RefTarget; id: number; field: string }>()
  const each = function* () {
    for (const record of placed.values())
      for (const [field, target] of Object.entries(columns) as [keyof typeof columns, RefTarget][]) {
        const id = record[field]
        if (id !== null) yield { row: record.row, field, target, id }
      }
  }
  for (const { field, target, id } of each()) named.set(`${field} ${id}`, { target, id, field })
  const astray = new Set((await scope.unreachable([...named.values()])).map(({ field, id }) => `${field} ${id}`))
  if (astray.size === 0) return
  for (const { row, field, id } of each())
    if (astray.has(`${field} ${id}`)) problems.add(row, field, selectedInvalid(field))
}

interface Found {
  row: number
  exists: boolean
  room_id: number | null
  username_taken: boolean
}

/** Finds for each record the account it overwrites, its room, and whether somebody else has its username. */
export async function compare(scope: Scope, placed: Map<string, Placed>, problems: Problems) {
  refuseSharedUsernames(placed.values(), problems)
  for (const chunk of chunks(placed.values())) {
    const asked = chunk.map(({ row, property_id, name, username, room_number }) => ({
      row,
      property_id,
      name,
      username,
      room_number,
    }))
    const found = await scope.run(sql<Found>`
      select r.row, a.id is not null as exists, o.id as room_id, u.id is not null as username_taken
      from json_to_recordset(${JSON.stringify(asked)}) as r(row integer, property_id integer, name text, username text, room_number text)
      left join accounts as a on a.property_id = r.property_id and lower(btrim(a.name)) = lower(btrim(r.name))
        and ${scope.inReach('accounts', 'a')}
      left join accounts as u on u.property_id = r.property_id and lower(btrim(u.username)) = lower(btrim(r.username))
        and u.username is not null and u.id is distinct from a.id and ${scope.inReach('accounts', 'u')}
      left join rooms as o on o.property_id = r.property_id and lower(btrim(o.number)) = lower(btrim(r.room_number))
        and ${scope.inReach('rooms', 'o')}
      where a.id is not null or o.id is not null or u.id is not null`)
    const byRow = new Map(found.map((one) => [one.row, one]))
    for (const record of chunk) {
      const { exists = false, room_id = null, username_taken = false } = byRow.get(record.row) ?? {}
      Object.assign(record, { exists, room_id })
      if (record.room_number !== null && room_id === null)
        problems.add(record.row, 'room_number', `There is no room ${record.room_number} in the property`)
      if (username_taken) problems.add(record.row, 'username', 'Another account of the property has this username')
    }
  }
}

function refuseSharedUsernames(records: Iterable<Placed>, problems: Problems) {
  const rows = new Map<string, number>()
  for (const { row, username, property_id } of records) {
    if (username === null) continue
    const key = `${property_id}\n${username.toLowerCase()}`
    const former = rows.get(key)
    if (former !== undefined) problems.add(row, 'username', `Row ${former} has this username too`)
    rows.set(key, row)
  }
}

/** What a file says nothing about stays as it is; of what it says, a password and a package are not taken away by an empty cell. */
function overwriting(columns: string[]) {
  const plain = ['email', 'mobile_number', 'username', 'external_reference', 'active', 'expires_at'] as const
  const set = plain
    .filter((column) => columns.includes(column))
    .map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`)
  if (columns.includes('room_number')) set.push(sql`room_id = excluded.room_id`)
  if (columns.includes('package_id')) set.push(sql`package_id = coalesce(excluded.package_id, accounts.package_id)`)
  if (columns.includes('account_type_id')) set.push(sql`account_type_id = excluded.account_type_id`)
  return sql.join([sql`name = excluded.name`, ...set])
}

interface Stored {
  id: number
  property_id: number
  name: string
  created: boolean
}

/** Stores them all; answers how many are new and how many were overwritten. */
export async function store(
  scope: Scope,
  seal: Seal,
  placed: Map<string, Placed>,
  how: { columns: string[]; chosen: Chosen },
) {
  const counts = { created: 0, overwritten: 0 }
  for (const chunk of chunks(placed.values())) {
    const stored = await storeRecords(scope, chunk, how)
    await storePasswords(scope, seal, chunk, stored)
    counts.created += stored.filter(({ created }) => created).length
    counts.overwritten += stored.filter(({ created }) => !created).length
  }
  return counts
}

function storeRecords(scope: Scope, chunk: Placed[], { columns, chosen }: { columns: string[]; chosen: Chosen }) {
  const records = chunk.map(({ password: _, package_id, account_type_id, ...record }) => ({
    ...record,
    package_id: package_id ?? chosen.package_id,
    account_type_id: account_type_id ?? chosen.account_type_id,
  }))
  return scope.run(sql<Stored>`
    insert into accounts (property_id, name, email, mobile_number, username, external_reference, room_id, package_id,
      account_type_id, active, expires_at)
    select distinct on (r.property_id, lower(btrim(r.name))) r.property_id, r.name, r.email, r.mobile_number, r.username,
      r.external_reference, r.room_id, r.package_id, r.account_type_id, coalesce(r.active, true),
      case when r.expires_at ~ '(Z|[+-]..:..)$' then r.expires_at::timestamptz
        else r.expires_at::timestamp at time zone p.time_zone end
    from json_to_recordset(${JSON.stringify(records)}) as r(row integer, property_id integer, name text, email text,
      mobile_number text, username text, external_reference text, room_id integer, package_id integer,
      account_type_id integer, active boolean, expires_at text)
    join properties as p on p.id = r.property_id and ${scope.inReach('properties', 'p')}
    order by r.property_id, lower(btrim(r.name)), r.row desc
    on conflict (customer_id, property_id, lower(btrim(name))) where deleted_at is null do update set ${overwriting(columns)}
    returning id, property_id, name, xmax = 0 as created`)
}

/** Sealed here, with the key that the reader never gets. */
async function storePasswords(scope: Scope, seal: Seal, chunk: Placed[], stored: Stored[]) {
  const ids = new Map(stored.map(({ id, property_id, name }) => [`${property_id}\n${name}`, id]))
  const sealed = chunk.flatMap(({ property_id, name, password }) => {
    const account_id = ids.get(`${property_id}\n${name}`)
    return password === null || account_id === undefined
      ? []
      : [{ account_id, sealed_password: seal.close(password).toString('base64') }]
  })
  if (sealed.length === 0) return
  await scope.run(sql`
    insert into account_passwords (account_id, sealed_password)
    select r.account_id, decode(r.sealed_password, 'base64')
    from json_to_recordset(${JSON.stringify(sealed)}) as r(account_id integer, sealed_password text)
    on conflict (customer_id, account_id) do update set sealed_password = excluded.sealed_password`)
}

function* chunks<T>(all: Iterable<T>): Generator<T[]> {
  let chunk: T[] = []
  for (const one of all) {
    chunk.push(one)
    if (chunk.length < rows_per_statement) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
