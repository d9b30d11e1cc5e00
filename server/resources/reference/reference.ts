// Reference data: look-up tables, the same for everybody. Gateway types are those that the program has a kind for.
import { sql } from 'kysely'
import * as contract from '#contract/reference.ts'
import { serve } from '#server/api/serve.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import type { LookupTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** All rows of a look-up table, in the order of their fixed ids. */
const rowsOf =
  (table: LookupTable) =>
  async ({ scope }: { scope: Scope }) =>
    scope.run(sql<{ id: number; name: string }>`select id, name from ${sql.table(table)} order by id`)

export default serve(contract, {
  propertyTypes: rowsOf('property_types'),
  propertyInterfaceTypes: rowsOf('property_interface_types'),
  authMethods: rowsOf('auth_methods'),
  connectivityTypes: rowsOf('connectivity_types'),
  accountTypes: rowsOf('account_types'),
  gatewayTypes: () => Promise.resolve(gatewayTypes()),
  portalFonts: rowsOf('portal_fonts'),
  portalLayouts: rowsOf('portal_layouts'),
  portalTypes: rowsOf('portal_types'),
  frequencyTypes: rowsOf('frequency_types'),
  userTypes: ({ scope }) => scope.run(sql`select id, name, role from user_types order by id`),
  countries: ({ scope }) =>
    scope.run(sql`
      select id, name, code, dialling_code, time_zone, time_zones, several_clocks from countries order by name`),
})
