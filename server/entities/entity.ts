// Entity: what a resource says of its records, once, and what the compiler holds it to.
//
// Nothing here names a field that the table or the contract does not have: a misspelt column, an answer's key that no
// column gives, a filter without a column do not compile. What the verbs return is typed by the contract's shapes.
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Fields } from '#contract/fields.ts'
import type { DB } from '#server/db/tables.ts'
import type { TenantTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sealed } from '#server/entities/sealed.ts'

export type Shape = z.ZodObject
export type Sql = RawBuilder<unknown>
export type Condition = RawBuilder<boolean>
type ComputedSql = Sql | ((scope: Scope) => Sql)

export type Column<T extends TenantTable> = { [X in T]: keyof DB[X] & string }[T]
type Restriction = { [T in TenantTable]: { table: T; column: Column<T>; noun: string } & Labelled<T> }[TenantTable]
/** A record is known by its `name`; where a table has none, by the column that is told. */
type Labelled<T extends TenantTable> = 'name' extends Column<T> ? { label?: Column<T> } : { label: Column<T> }

/** What a caller asks for under a filter's or a parent's name. */
export interface Asked {
  /** The one value. */
  value: Sql
  /** The column is it, or is one of them where several were asked for. */
  is(column: Sql): Condition
}

/** A filter that asks for the rows of several parents at once, which are merged (merging.ts): of all properties of a group, say. */
export interface Merge<Column extends string = string> {
  /** The column that names the parent; with `created_at` and `id` behind it, it has an index. */
  by: Column
  of: TenantTable
  /** Which parents, called `p`. */
  where: (asked: Asked) => Condition
}

/** Whose records they are: all that a line of the activity log needs to know of a resource. */
export interface Logged {
  table: TenantTable
  /** What people know a record by: the column `name`, unless told; or SQL over the row, which is called `t`. */
  label?: string | Sql
  /** Whose activity lines these are, as columns of the table, beyond the customer's own. */
  belongs?: { group_id?: string | Sql; property_id?: string | Sql }
}

export interface Entity<
  T extends TenantTable = TenantTable,
  Row extends Shape = Shape,
  Detail extends Shape = Shape,
  Computed extends string = string,
  Member extends string = string,
  Written extends string = string,
  Filter extends string = string,
  Secret extends string = string,
> extends Logged {
  table: T
  /** What a list and a single record answer: each key is a column, unless named below. */
  row: Row
  detail: Detail
  /** What its fields are called in a file. */
  fields?: Fields
  /** Keys that are worked out: SQL over the row, which is called `t`, or for whoever asks, such as what of it they may see. */
  computed?: Record<Computed, ComputedSql>
  /** Lists of ids kept in a join table. */
  members?: Record<Member, Members>
  /** Fields that are no column here and are written by a statement of their own. */
  written?: Record<Written, (scope: Scope, id: number, ids: number[]) => Promise<void>>
  /** Fields that are closed as they are written, and where each lies; the answers do not have them. */
  sealed?: Sealed<Secret>
  /** Parents and filters that are no column of the table: SQL over `t`, or whose rows are merged. */
  filters?: Record<Filter, ((asked: Asked) => Condition) | Merge<Column<T>>>
  /**
   * The filters that name a parent by one of its members. With `shouldExclude`, what such a parent holds is left out, and
   * so is what it cannot hold: the condition says what it can.
   */
  candidates?: Partial<Record<NoInfer<Filter>, (asked: Asked) => Condition>>
  /** Fields a record must have once it is no draft. */
  requiredUnlessDraft?: readonly (keyof Detail['shape'] & string)[]
  /** What forbids a removal. What goes with a property stands in `goWithProperty` of server/access/reach.ts. */
  restrict?: readonly Restriction[]
  label?: Column<T>
  belongs?: { group_id?: Column<T>; property_id?: Column<T> }
}

/** A list of ids kept in a join table: `collection_ids` of a property. */
export type Members = {
  [T in TenantTable]: {
    table: T
    /** The column that holds this record's id, and the one that holds the members'. */
    mine: Column<T>
    theirs: Column<T>
    /** The members' own table. */
    of: TenantTable
  }
}[TenantTable]

/** Says what a resource keeps. */
export const entity = <
  const T extends TenantTable,
  Row extends Shape,
  Detail extends Shape,
  Computed extends string = never,
  Member extends string = never,
  Written extends string = never,
  Filter extends string = never,
  Secret extends string = never,
>(
  said: Entity<T, Row, Detail, Computed, Member, Written, Filter, Secret> &
    Labelled<T> &
    Given<keyof Row['shape'] | keyof Detail['shape'], Column<T> | Computed | Member>,
): Entity<T, Row, Detail, Computed, Member, Written, Filter, Secret> => said

/** Every key is known; each other one is named, so that the compiler's message says which. */
type Given<Keys, Known> = [Exclude<Keys, Known>] extends [never]
  ? unknown
  : { computed: Record<Exclude<Keys, Known> & string, ComputedSql> }
/** No key but the known ones; `Reason` is what the compiler says of another. */
export type Only<Values, Known, Reason> = string extends keyof Values
  ? unknown
  : [Exclude<keyof Values, Known>] extends [never]
    ? unknown
    : Record<Exclude<keyof Values, Known>, Reason>

/** A record as its detail answers it. */
export type Stored<E extends Entity> = z.output<E['detail']> & { id: number }
/** What a list can be narrowed by: the columns, and what has SQL of its own. */
export type Narrowed<E extends Entity> = Column<E['table']> | keyof NonNullable<E['filters']>
/** What can be written: the columns, and what is kept elsewhere. */
export type Writable<E extends Entity> =
  Column<E['table']> | MemberField<E> | keyof NonNullable<E['written']> | keyof NonNullable<E['sealed']>['fields']
export type MemberField<E extends Entity> = keyof NonNullable<E['members']> & string

/** A column of the row that a statement is about. */
export const column = (name: string) => sql.ref(`t.${name}`)

type IdColumn = Extract<Column<TenantTable>, `${string}_id`>
/** `{id, name}` of the record that a column of `t` points at, or null. */
export const nameOf = (table: TenantTable, by: IdColumn, name = 'name') =>
  sql`(select json_build_object('id', r.id, 'name', ${sql.ref(`r.${name}`)}) from ${sql.table(table)} as r
    where r.customer_id = t.customer_id and r.id = ${column(by)})`

const kept = ({ table, mine, theirs, of }: Members) => sql`
  from ${sql.table(table)} as m join ${sql.table(of)} as r on r.customer_id = m.customer_id and r.id = m.${sql.ref(theirs)}
  where m.customer_id = t.customer_id and m.${sql.ref(mine)} = t.id and r.deleted_at is null`

/** How many members a record has, where all of them are in reach of whoever sees the record. */
export const countOf = (members: Members) => sql`(select count(*)::integer ${kept(members)})`

/** The first two of these members by name, then how many more there are: `Harbour Hotel, Quay House, +3`. */
export const namesOf = (members: Members) => sql`
  (select coalesce(string_agg(f.name, ', ' order by f.name, f.id), '')
      || case when max(f.total) > 2 then ', +' || max(f.total) - 2 else '' end
   from (select r.id, r.name, count(*) over () as total ${kept(members)} order by r.name, r.id limit 2) as f)`

/** Of a join table’s rows `m`: those whose member the caller may see. */
export const memberInReach = (scope: Scope, { theirs, of }: Members) =>
  sql<boolean>`m.${sql.ref(theirs)} in (select r.id from ${sql.table(of)} as r where ${scope.inReach(of, 'r')})`

/** The ids, as a value of a select over `t`. */
const membersOf = (scope: Scope, members: Members) => sql`
  (select coalesce(json_agg(m.${sql.ref(members.theirs)} order by m.${sql.ref(members.theirs)}), '[]')
   from ${sql.table(members.table)} as m
   where m.customer_id = t.customer_id and m.${sql.ref(members.mine)} = t.id and ${memberInReach(scope, members)})`

/** The keys of an answer as columns of a select. */
export const columnsOf = (scope: Scope, { computed, members }: Entity, shape: Shape) =>
  sql.join(
    Object.keys(shape.shape).map((key) => {
      const [given, listed] = [computed?.[key], members?.[key]]
      const workedOut = typeof given === 'function' ? given(scope) : given
      return sql`${workedOut ?? (listed ? membersOf(scope, listed) : column(key))} as ${sql.ref(key)}`
    }),
  )
