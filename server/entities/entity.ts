// Entity: the definition of a resource's records, checked by the compiler.
//
// A definition cannot name a field that the table or the contract does not have: a misspelt column, a key of the answer
// without a column, and a filter without a column do not compile. What the verbs return is typed by the contract's shapes.
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Fields } from '#contract/fields.ts'
import type { DB } from '#server/db/tables.ts'
import type { Condition, TenantTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sealed } from '#server/entities/sealed.ts'

export type Shape = z.ZodObject
export type Sql = RawBuilder<unknown>
type ComputedSql = Sql | ((scope: Scope) => Sql)

export type EntityColumn<T extends TenantTable> = { [X in T]: keyof DB[X] & string }[T]
type Restriction = {
  [T in TenantTable]: { table: T; column: EntityColumn<T>; noun: string } & Labelled<T>
}[TenantTable]
/** A record is known by its `name`; if the table has none, by the column given here. */
type Labelled<T extends TenantTable, Label = EntityColumn<T>> =
  'name' extends EntityColumn<T> ? { label?: Label } : { label: Label }

/** The value or values that a caller gives for a filter or a parent. */
export interface FilterValue {
  /** The only value. */
  value: Sql
  /** The column equals the value, or one of several values. */
  is(column: Sql): Condition
}

/** A filter for the rows of several parents at once, which are merged (merged-parents.ts): for example of all properties of a group. */
export interface Merge<Column extends string = string> {
  /** The column of the parent's id; it has an index together with `created_at` and `id`. */
  by: Column
  of: TenantTable
  /** The condition on the parents, called `p`. */
  where: (asked: FilterValue) => Condition
}

/** What the activity log needs to know of a resource. */
export interface Logged {
  table: TenantTable
  /** What people know a record by: `name` by default, another column, or SQL over the row, which is called `t`. */
  label?: string | Sql
  /** The columns of the group and property in whose activity log the lines are shown, besides the customer's. */
  belongs?: { group_id?: string | Sql; property_id?: string | Sql }
  /** Fields that follow from what happens elsewhere: no change of the record. */
  reckoned?: readonly string[]
  /** Fields that fewer people may read than the log: it says that they were changed. */
  guarded?: readonly string[]
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
  /** What a list and a single record return: each key is a column, unless named below. */
  row: Row
  detail: Detail
  /** The labels of its fields in a file. */
  fields?: Fields
  /** Computed keys: SQL over the row, which is called `t`; a function where it depends on the caller. */
  computed?: Record<Computed, ComputedSql>
  /** Lists of ids memberRows in a join table. */
  members?: Record<Member, Members>
  /** Fields that are no column here and are stored by a statement of their own. */
  written?: Record<Written, (scope: Scope, id: number, ids: number[]) => Promise<void>>
  /** Fields that are sealed when they are stored, and the column of each; answers do not contain them. */
  sealed?: Sealed<Secret>
  /** Parents and filters that are no column of the table: SQL over `t`, or parents whose rows are merged. */
  filters?: Record<Filter, ((asked: FilterValue) => Condition) | Merge<EntityColumn<T>>>
  /**
   * For filters by a parent that has members. With `shouldExclude` the present members of that parent are left out, and so are
   * records that cannot become one: the condition says which can.
   */
  candidates?: Partial<Record<NoInfer<Filter>, (asked: FilterValue) => Condition>>
  /** What the caller may find a row by, where they do not see all of what a search compares. */
  foundBy?: (scope: Scope, typed: string) => Condition | undefined
  /** Ids of rows that what was typed finds, although it is not in their text. */
  alsoFound?: (scope: Scope, typed: string, rows_max: number) => Promise<number[]>
  /** What the meta of a list says besides: a JSON object, or null. */
  meta?: (scope: Scope) => Sql
  /** How to sort by columns that are not text. */
  sorts?: Sorts
  /** Fields a record must have when it is not a draft. */
  requiredUnlessDraft?: readonly (keyof Detail['shape'] & string)[]
  /** References that forbid a removal. What goes with a property is listed in `goWithProperty` of server/access/reach.ts. */
  restrict?: readonly Restriction[]
  label?: EntityColumn<T> | Sql
  belongs?: { group_id?: EntityColumn<T>; property_id?: EntityColumn<T> }
}

/**
 * Columns whose order is not that of text: the type of a cursor's value, and where some rows have none the expression that an index has.
 */
export type Sorts = Record<string, { type: string; by?: Sql }>

/** A list of ids memberRows in a join table: `collection_ids` of a property. */
export type Members = {
  [T in TenantTable]: {
    table: T
    /** The column with this record's id, and the one with the member's id. */
    mine: EntityColumn<T>
    theirs: EntityColumn<T>
    /** The members' own table. */
    of: TenantTable
  }
}[TenantTable]

/** Defines what a resource stores. */
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
  definition: Entity<T, Row, Detail, Computed, Member, Written, Filter, Secret> &
    Labelled<T, EntityColumn<T> | Sql> &
    Given<keyof Row['shape'] | keyof Detail['shape'], EntityColumn<T> | Computed | Member>,
): Entity<T, Row, Detail, Computed, Member, Written, Filter, Secret> => definition

/** Requires that every key is known; others are named in the compiler's message. */
type Given<Keys, Known> = [Exclude<Keys, Known>] extends [never]
  ? unknown
  : { computed: Record<Exclude<Keys, Known> & string, ComputedSql> }
/** Allows only the known keys; `Reason` appears in the compiler's message about another one. */
export type Only<Values, Known, Reason> = string extends keyof Values
  ? unknown
  : [Exclude<keyof Values, Known>] extends [never]
    ? unknown
    : Record<Exclude<keyof Values, Known>, Reason>

/** A record in the shape of its detail. */
export type Stored<E extends Entity> = z.output<E['detail']> & { id: number }
/** What a list can be narrowed by: the columns, and filters with their own SQL. */
export type Narrowed<E extends Entity> = EntityColumn<E['table']> | keyof NonNullable<E['filters']>
/** What can be written: the columns, and fields that are stored elsewhere. */
export type Writable<E extends Entity> =
  EntityColumn<E['table']> | MemberField<E> | keyof NonNullable<E['written']> | keyof NonNullable<E['sealed']>['fields']
export type MemberField<E extends Entity> = keyof NonNullable<E['members']> & string

/** A column of the row that a statement is about. */
export const column = (name: string) => sql.ref(`t.${name}`)

type IdColumn = Extract<EntityColumn<TenantTable>, `${string}_id`>
/** `{id, name}` of the record that a column of `t` points at, or null. */
export const nameOf = (table: TenantTable, by: IdColumn, name = 'name') =>
  sql`(select json_build_object('id', r.id, 'name', ${sql.ref(`r.${name}`)}) from ${sql.table(table)} as r
    where r.customer_id = t.customer_id and r.id = ${column(by)})`

const memberRows = ({ table, mine, theirs, of }: Members) => sql`
  from ${sql.table(table)} as m join ${sql.table(of)} as r on r.customer_id = m.customer_id and r.id = m.${sql.ref(theirs)}
  where m.customer_id = t.customer_id and m.${sql.ref(mine)} = t.id and r.deleted_at is null`

/** How many members a record has, for members that everybody who sees the record may see. */
export const countOf = (members: Members) => sql`(select count(*)::integer ${memberRows(members)})`

/** The first two of these members by name, then how many more there are: `Harbour Hotel, Quay House, +3`. */
export const namesOf = (members: Members) => sql`
  (select coalesce(string_agg(f.name, ', ' order by f.name, f.id), '')
      || case when max(f.total) > 2 then ', +' || max(f.total) - 2 else '' end
   from (select r.id, r.name, count(*) over () as total ${memberRows(members)} order by r.name, r.id limit 2) as f)`

/** A condition on a join table’s rows `m`: the caller may see the member. */
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
      const expression = typeof given === 'function' ? given(scope) : given
      return sql`${expression ?? (listed ? membersOf(scope, listed) : column(key))} as ${sql.ref(key)}`
    }),
  )
