// Sign-in attempts: who tried to get online, and why some did not.
import { sql } from 'kysely'
import * as contract from '#contract/sign-in-attempts.ts'
import { serve } from '#server/api/serve.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { ofGroup } from '#server/resources/sessions/sessions.ts'
import { alsoFoundByCode, foundByIdentifier, identifierFor, listedWithCodes } from '#server/vouchers/shown-codes.ts'

const messages = sql.join(
  Object.entries(contract.deskReasons).map(([reason, words]) => sql`when ${sql.lit(reason)} then ${sql.lit(words)}`),
  sql` `,
)

export const attempts = entity({
  table: 'radius_authorisations',
  row: contract.SignInAttemptRow,
  detail: contract.SignInAttemptRow,
  label: 'identifier',
  computed: {
    identifier: identifierFor,
    property: nameOf('properties', 'property_id'),
    gateway: sql`(select json_build_object('id', r.id, 'name', coalesce(r.name, r.nas_identifier)) from gateways as r
      where r.customer_id = t.customer_id and r.id = t.gateway_id)`,
    auth_method: sql`(select json_build_object('id', r.id, 'name', r.name) from auth_methods as r where r.id = t.auth_method_id)`,
    message: sql`case t.reason ${messages} else '' end`,
  },
  filters: { group_id: ofGroup },
  foundBy: foundByIdentifier('radius_authorisations'),
  alsoFound: alsoFoundByCode('radius_authorisations'),
})

export default serve(contract, {
  list: async ({ scope, input }) =>
    listedWithCodes(scope, 'radius_authorisations', await listRows(scope, attempts, input)),
})
