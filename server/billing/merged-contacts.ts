// Merged contacts: those of an accounting system that were merged into another, and the one that is left of each.
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'

/** People merge the survivor again, and it was never more often than this. */
const mergers_max = 50

/**
 * Contacts that were merged into another, each with the one that is left after all mergers, as far as Foyer has them: `was_id` and
 * `next_id`. A circle ends where it began.
 */
export const mergers = (scope: Scope, which: (contact: string) => RawBuilder<unknown>) => sql`
  (with recursive chain as (
    select was.id as was_id, was.id as next_id, 0 as depth, was.customer_id, was.accounting_integration_id, was.merged_into
    from accounting_contacts as was where was.merged_into is not null and ${which('was')}
      and ${scope.inReach('accounting_contacts', 'was')}
    union all
    select c.was_id, next.id, c.depth + 1, c.customer_id, next.accounting_integration_id, next.merged_into
    from chain as c join accounting_contacts as next on next.customer_id = c.customer_id
      and next.accounting_integration_id = c.accounting_integration_id and next.external_id = c.merged_into
      and next.id <> c.was_id and ${scope.inReach('accounting_contacts', 'next')}
    where c.depth < ${mergers_max})
  select distinct on (was_id) was_id, next_id from chain where depth > 0 order by was_id, depth desc)`
