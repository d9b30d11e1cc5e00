// Filters: what a report is narrowed by, and what each filter's records are called, in words for a screen or a file's first sheet.
import { sql } from 'kysely'
import type { Sql } from '#server/entities/entity.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { LookupTable, TenantTable } from '#server/access/reach.ts'

/** The places are one kind of filter: a session is at one of them. */
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
export const filterKeys = Object.keys(filters) as FilterKey[]

export interface FilterApplied {
  key: string
  title: string
  values: string[]
}

/** As json, of the ids that stand under each key; what is not narrowed is left out. Records that are gone are not named. */
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

/** Of what is asked by fields: names in reach of whoever asks, for their ids have been held against it. */
export async function filtersApplied(scope: Scope, ids: Record<FilterKey, number[]>): Promise<FilterApplied[]> {
  const [row] = await scope.run(sql<{ applied: FilterApplied[] }>`
    select ${appliedIn(sql`${scope.customer_id}::integer`, (key) => sql`${ids[key]}::integer[]`)} as applied`)
  return row?.applied ?? []
}
