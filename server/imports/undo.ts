// Undo: undoes a whole import. Records that it made are removed, overwritten ones get their former values; but if any of its records
// was changed or used since, nothing is undone and those records are named.
import { sql, type RawBuilder } from 'kysely'
import type { RefTarget } from '#contract/ref-target.ts'
import { clash } from '#server/errors/refused.ts'
import type { TenantTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { digestOf, lockRecords, withRecords, withRemoved, type KeptTable } from './record-images.ts'

/** A table that a kind of import writes. */
export interface UndoneTable {
  table: KeptTable
  /** The columns whose former values are restored. */
  columns: readonly string[]
  /** The column by which users know a record, and the plural noun. */
  label: 'name' | 'number'
  many: string
  /** Columns that are unique within a property, and for some the stored column with the folded form that is compared. */
  unique?: readonly { name: string; fold?: string }[]
  /** The tables that former values may refer to. */
  refers?: Readonly<Record<string, RefTarget & TenantTable>>
  /** A condition: whether the record `t` was used since a moment. */
  used?(scope: Scope, import_id: number, since: RawBuilder<unknown>): RawBuilder<boolean>
  /** For a record `t` that the import removed: whether the records it depends on exist, and whether another has taken its place. */
  back?: Record<'mayBe' | 'isTaken', (scope: Scope) => RawBuilder<boolean>>
}

export interface Undoable {
  id: number
  created_at: string
}

/** Records per statement. */
const chunk_records = 500
/** How many are named; more are only counted. */
const named_max = 100

/** Why a record prevents the undo: the text after its name. */
const reasons = {
  changed: 'was changed since.',
  removed: 'was removed since.',
  used: 'was used since.',
  gone: 'had something that was removed since: its former values cannot be set again.',
  taken: 'had a value that another record has by now.',
  lost: 'was checked out of what was removed since.',
  back: 'was checked in again since.',
} as const
type Reason = keyof typeof reasons

/** Undoes all, in the scope's transaction. Returns how many records of the main table, which is the last, were removed and restored. */
export async function undoImport(scope: Scope, { id, created_at }: Undoable, tables: readonly UndoneTable[]) {
  const undos = tables.map((table) => new TableUndo(scope, id, table))
  const found = []
  for (const undo of undos) found.push(await undo.obstacles(created_at))
  refuseObstacles(found)
  const counts = { removed: 0, restored: 0 }
  // Dependent records come first.
  for (const undo of undos) counts.removed = await undo.removeMade()
  // By now no record made by the import has a name or MAC address that another one had before.
  for (const undo of undos) counts.restored = await undo.restoreOverwritten()
  return counts
}

function refuseObstacles(found: { many: string; count: number; named: string[] }[]) {
  const there = found.filter(({ count }) => count > 0)
  if (there.length === 0) return
  const counted = there.map(({ count, many }) => `${count.toLocaleString('en-GB')} of its ${many}`).join(' and ')
  throw clash(`Nothing was undone: ${counted} changed or came into use since the import.`, {
    id: there.flatMap(({ named }) => named).slice(0, named_max),
  })
}

/** The present or former value of a record in a unique column. */
interface Former {
  id: number
  property_id: number
  key: string
}

interface Obstacle {
  name: string | null
  reason: Reason
}

/** The records of one table, processed in chunks in the order of their ids. */
class TableUndo {
  readonly #scope: Scope
  readonly #import_id: number
  readonly #spec: UndoneTable

  constructor(scope: Scope, import_id: number, spec: UndoneTable) {
    this.#scope = scope
    this.#import_id = import_id
    this.#spec = spec
  }

  /** The kept rows `i` of the table. */
  get #ofImport() {
    return sql<boolean>`(i.import_id = ${this.#import_id} and i.record_table = ${this.#spec.table}
      and ${this.#scope.inReach('import_rows', 'i')})`
  }

  async *#chunks() {
    for (let last = 0; ;) {
      const rows: { id: number; made: boolean; removed: boolean }[] = await this.#scope.run(sql`
        select i.record_id as id, i.before is null as made, i.removed from import_rows as i
        where ${this.#ofImport} and i.record_id > ${last} order by i.record_id limit ${chunk_records}`)
      if (rows.length === 0) return
      yield rows
      last = rows.at(-1)?.id ?? 0
    }
  }

  async obstacles(since: string) {
    const { many, table } = this.#spec
    const named: string[] = []
    let count = 0
    for await (const chunk of this.#chunks()) {
      const ids = chunk.filter(({ removed }) => !removed).map(({ id }) => id)
      // Locked first, so that they do not change until the end.
      await lockRecords(this.#scope, table, ids)
      const rows = [
        ...(await this.#obstaclesAmong(ids, since)),
        ...(await this.#takenAmong(ids)),
        ...(await this.#obstaclesOfRemoved(chunk.filter(({ removed }) => removed).map(({ id }) => id))),
      ]
      count += rows.length
      for (const { name, reason } of rows.slice(0, named_max - named.length))
        named.push(`${name ?? `One of the ${many}`} ${reasons[reason]}`)
    }
    return { many, count, named }
  }

  #obstaclesAmong(ids: number[], since: string) {
    const { table, label, used } = this.#spec
    return this.#scope.run(sql<Obstacle>`
      ${withRecords(this.#scope, table, ids)}
      select name, reason from (
        select coalesce(t.${sql.ref(label)}, i.before ->> ${label}) as name, i.record_id, case
          when t.id is null then case
            when i.before is not null then 'removed'
            -- It exists, but is out of reach of the caller.
            when exists (select from ${sql.table(table)} as o
              where o.customer_id = i.customer_id and o.id = i.record_id and o.deleted_at is null) then 'changed' end
          when ${digestOf(table)} <> i.left_as then 'changed'
          when ${used?.(this.#scope, this.#import_id, sql`${since}::timestamptz`) ?? sql`false`} then 'used'
          when i.before is not null and (${this.#isGone}) then 'gone'
        end as reason
        from import_rows as i left join t on t.id = i.record_id
          cross join lateral ${this.#before} as b
        where ${this.#ofImport} and i.record_id = any(${ids})) as found
      where reason is not null order by record_id`)
  }

  /** For records that the import removed: they must be unchanged, the records they depend on must exist, and their place must be free. */
  async #obstaclesOfRemoved(ids: number[]) {
    const { table, label, back } = this.#spec
    if (ids.length === 0 || !back) return []
    return this.#scope.run(sql<Obstacle>`
      ${withRemoved(this.#scope, table, ids)}
      select name, reason from (
        select t.${sql.ref(label)} as name, i.record_id, case
          when t.id is null or ${digestOf(table)} <> i.left_as then 'changed'
          when not (${back.mayBe(this.#scope)}) then 'lost'
          when ${back.isTaken(this.#scope)} then 'back'
        end as reason
        from import_rows as i left join t on t.id = i.record_id
        where ${this.#ofImport} and i.record_id = any(${ids})) as found
      where reason is not null order by record_id`)
  }

  /** The former values, as a row of the table. */
  get #before() {
    return sql`jsonb_populate_record(null::${sql.table(this.#spec.table)}, i.before)`
  }

  /** Whether a former value refers to a record that no longer exists. */
  get #isGone() {
    const gone = Object.entries(this.#spec.refers ?? {}).map(([name, of]) => {
      const former = sql.ref(`b.${name}`)
      return sql`(${former} is distinct from ${sql.ref(`t.${name}`)} and ${former} is not null and not exists (
        select from ${sql.table(of)} as r where r.id = ${former} and ${this.#scope.inReach(of, 'r')}))`
    })
    return anyOf(gone)
  }

  /**
   * Records whose former unique value another record has by now. Both sides are read and compared here: row security prevents the
   * use of an index for comparisons with functions, so a join might read the whole table for each row.
   */
  async #takenAmong(ids: number[]): Promise<Obstacle[]> {
    const { table, label, unique = [] } = this.#spec
    const taken: Obstacle[] = []
    for (const { name, fold } of unique) {
      const valueIn = (alias: string) => sql.ref(`${alias}.${name}`)
      const former_key = fold ? sql`same_fold(${valueIn('b')})` : sql`lower(btrim(${valueIn('b')}::text))`
      const present_key = fold ? sql.ref(`t.${fold}`) : sql`lower(btrim(${valueIn('t')}::text))`
      const former = await this.#scope.run(sql<Former & { name: string }>`
        ${withRecords(this.#scope, table, ids)}
        select t.id, t.property_id, t.${sql.ref(label)} as name, ${former_key} as key
        from import_rows as i join t on t.id = i.record_id
          cross join lateral ${this.#before} as b
        where ${this.#ofImport} and i.record_id = any(${ids}) and i.before is not null and ${former_key} is distinct from ${present_key}
          and ${valueIn('b')} is not null`)
      if (former.length === 0) continue
      const now = await this.#scope.run(sql<Former>`
        select t.id, t.property_id, ${present_key} as key from ${sql.table(table)} as t
        where t.property_id = any(${[...new Set(former.map(({ property_id }) => property_id))]})
          and (${present_key} in (select unnest(${former.map(({ key }) => key)}::text[]))) is true
          and ${this.#scope.inReach(table, 't')}`)
      const isOf = (one: Former) => (other: Former) =>
        other.key === one.key && other.property_id === one.property_id && other.id !== one.id
      for (const one of former) if (now.some(isOf(one))) taken.push({ name: one.name, reason: 'taken' })
    }
    return taken
  }

  async removeMade() {
    let removed = 0
    for await (const chunk of this.#chunks()) {
      const made = chunk.filter((record) => record.made)
      const ids = made.map(({ id }) => id)
      removed += (await this.#scope.change(this.#spec.table, ids, { deleted_at: sql`now()` })).length
    }
    return removed
  }

  async restoreOverwritten() {
    const { table, columns } = this.#spec
    let restored = 0
    for await (const chunk of this.#chunks()) {
      restored += await this.#bringBack(chunk.filter(({ removed }) => removed).map(({ id }) => id))
      const ids = chunk.filter(({ made, removed }) => !made && !removed).map(({ id }) => id)
      if (ids.length === 0) continue
      const rows = await this.#scope.run(sql`
        update ${sql.table(table)} as t set (${sql.join(columns.map((name) => sql.ref(name)))}) = (
          select ${sql.join(columns.map((name) => sql.ref(`b.${name}`)))}
          from import_rows as i cross join lateral ${this.#before} as b where ${this.#ofImport} and i.record_id = t.id)
        where t.id = any(${ids}) and ${this.#scope.inReach(table, 't')} returning t.id`)
      if (table === 'accounts') await this.#restorePasswords(ids)
      restored += rows.length
    }
    return restored
  }

  async #bringBack(ids: number[]) {
    if (ids.length === 0) return 0
    const { table } = this.#spec
    const rows = await this.#scope.run(sql`
      ${withRemoved(this.#scope, table, ids)}
      update ${sql.table(table)} as o set deleted_at = null where o.id in (select t.id from t)
        and o.customer_id = ${this.#scope.customer_id} returning o.id`)
    return rows.length
  }

  async #restorePasswords(ids: number[]) {
    const ofThese = sql`t.account_id = any(${ids}) and ${this.#scope.inReach('account_passwords', 't')}`
    const ofFormer = (value: RawBuilder<unknown>) => sql`(select ${value} from import_rows as i
      where ${this.#ofImport} and i.record_id = t.account_id)`
    const former = ofFormer(sql`decode(i.before ->> 'sealed_password', 'base64')`)
    const set_at = ofFormer(sql`(i.before ->> 'password_set_at')::timestamptz`)
    await this.#scope.run(sql`delete from account_passwords as t where ${ofThese} and ${former} is null`)
    await this.#scope.run(sql`
      update account_passwords as t set sealed_password = ${former}, created_at = coalesce(${set_at}, now()) where ${ofThese}`)
  }
}

const anyOf = (conditions: RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql`false` : sql.join(conditions, sql` or `)
