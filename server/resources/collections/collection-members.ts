// Collection members: a group's collection may only have properties and users that belong to the group.
import { sql } from 'kysely'
import type { FieldErrors } from '#contract/errors.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Condition } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'

const sentences = {
  properties: "A group's collection can only hold that group's properties.",
  users: "A group's collection can only hold people of that group and its properties.",
} as const
type Kind = keyof typeof sentences

/** Checks those of the collections `t` that belong to a group; `fields` names the input field for each kind. */
export async function refuseForeignMembers(scope: Scope, which: Condition, fields: Partial<Record<Kind, string>>) {
  const [found] = await scope.run(sql<Record<Kind, boolean>>`
    select
      bool_or(exists (select from collection_properties as m
        join properties as p on p.customer_id = m.customer_id and p.id = m.property_id and p.deleted_at is null
        where m.customer_id = t.customer_id and m.collection_id = t.id and p.group_id is distinct from t.group_id)) as properties,
      bool_or(exists (select from collection_users as m
        join users as u on u.customer_id = m.customer_id and u.id = m.user_id and u.deleted_at is null
        left join properties as p on p.customer_id = u.customer_id and p.id = u.property_id
        where m.customer_id = t.customer_id and m.collection_id = t.id
          and coalesce(u.group_id, p.group_id) is distinct from t.group_id)) as users
    from collections as t where t.group_id is not null and ${which} and ${scope.inReach('collections', 't')}`)
  const errors: FieldErrors = {}
  for (const [kind, field] of Object.entries(fields) as [Kind, string][])
    if (found?.[kind]) errors[field] = [sentences[kind]]
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
