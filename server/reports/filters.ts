// Filters: what a report can be filtered by, and the names of each filter's records, for screens and a file's first sheet.
import { sql } from 'kysely'
import { keysOf } from '#contract/keys.ts'
import type { Sql } from '#server/entities/entity.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { LookupTable, TenantTable } from '#server/access/reach.ts'

/** Properties, groups and collections act as one filter: a session is at any of these places. */
export const filters = {
  property_ids: { title: 'Properties', of: 'properties' },
  group_ids: { title: 'Groups', of: 'groups' },
  collection_ids: { title: 'Collections', of: 'collections' },
  package_ids: { title: 'Packages', of: 'packages' },
  auth_method_ids: { title: 'Authentication methods', lookup: 'auth_methods' },
  mac_category_ids: { title: 'MAC categories', of: 'mac_categories' },
  property_type_ids: { title: 'Property types', lookup: 'property_types' },
  connectivity_type_ids: { title: 'Connectivity types', lookup: 'connectivity_types' },
} as const satisfies Record<string, { title: string } & ({ of: TenantTable } | { lookup: LookupTable })>
export type FilterKey = keyof typeof filters
export const filterKeys = keysOf(filters)

export interface FilterApplied {
  key: string
  title: string
  values: string[]
}

/** As JSON, from the ids of each key. Filters without ids are left out; records that no longer exist are not named. */
export const appliedIn = (customer_id: Sql, idsOf: (key: FilterKey) => Sql) => sql`
  (select coalesce(json_agg(json_build_object('key', f.key, 'title', f.title, 'values', f.names) order by f.place), '[]')
   from (${sql.join(
     Object.entries(filters).map(([key, filter], place) => {
       const table = 'of' in filter ? filter.of : filter.lookup
       const own = 'of' in filter ? sql`and r.customer_id = ${customer_id}` : sql``
       return sql`
         select ${sql.lit(place)} as place, ${sql.lit(key)} as key, ${sql.lit(filter.title)} as title,
           (select json_agg(r.name order by r.name, r.id) from ${sql.table(table)} as r
             where r.id = any(${idsOf(key as FilterKey)}) ${own}) as names`
     }),
     sql` union all `,
   )}) as f where f.names is not null)`

/** For a request by fields. The names are in the caller's reach, since their ids have been checked against it. */
export async function filtersApplied(scope: Scope, ids: Record<FilterKey, number[]>): Promise<FilterApplied[]> {
  const [row] = await scope.run(sql<{ applied: FilterApplied[] }>`
    select ${appliedIn(sql`${scope.customer_id}::integer`, (key) => sql`${ids[key]}::integer[]`)} as applied`)
  return row?.applied ?? []
}
