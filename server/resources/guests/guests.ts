// Guests: people who signed in at a portal by themselves: listed, handed out and erased.
import { sql } from 'kysely'
import type { z } from 'zod'
import * as contract from '#contract/guests.ts'
import { clash } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { lockGuests, loggedGuests, withdrawConsents } from '#server/admission/withdrawn-consents.ts'
import { serve } from '#server/api/serve.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import { wakeErasures } from '#server/integrations/audience-erasures.ts'
import type { Services } from '#server/services.ts'
import { guestDataFile } from './guest-data.ts'
import { ofGroup } from '#server/resources/sessions/sessions.ts'

const marketing = sql`r.purpose in ('marketing_email', 'marketing_sms')`
const terms = sql`r.purpose = 'terms'`
/** Of the consent that was given last and not withdrawn. */
const consented = (purpose: typeof terms, value: typeof terms) => sql`
  (select ${value} from consent_records as r where r.customer_id = t.customer_id and r.guest_id = t.id and ${purpose}
    and r.withdrawn_at is null order by r.granted_at desc, r.id desc limit 1)`
const wantsMarketing = sql`exists (select from consent_records as r
  where r.customer_id = t.customer_id and r.guest_id = t.id and ${marketing} and r.withdrawn_at is null)`

const guests = entity({
  ...loggedGuests,
  row: contract.GuestRow,
  detail: contract.GuestRow,
  fields: contract.fields,
  computed: {
    property: nameOf('properties', 'property_id'),
    auth_method: sql`(select json_build_object('id', r.id, 'name', r.name) from auth_methods as r where r.id = t.auth_method_id)`,
    marketing: wantsMarketing,
    marketing_wording: consented(marketing, sql`r.wording`),
    marketing_agreed_at: consented(marketing, sql`r.granted_at`),
    terms_version: consented(terms, sql`r.terms_version`),
    terms_agreed_at: consented(terms, sql`r.granted_at`),
  },
  filters: {
    marketing: ({ is }) => is(wantsMarketing),
    group_id: ofGroup,
  },
})

async function knownOf(scope: Scope, ids: number[]): Promise<z.output<typeof contract.Known>> {
  const [known] = await scope.run(sql<z.output<typeof contract.Known>>`select * from guests_known(${ids})`)
  if (!known) throw new Error('a count is always one row')
  return known
}

const online = (count: number) =>
  count === 1
    ? 'A guest among them is online. Disconnect the session first, or wait until it is over.'
    : `Guests among them are online in ${count} sessions. Disconnect these first, or wait until they are over.`

export default ({ queue }: Pick<Services, 'queue'>) =>
  serve(contract, {
    list: ({ scope, input }) => listRows(scope, guests, input),
    exportList: (call) => exportRows(call, guests),
    get: ({ scope, input }) => oneRow(scope, guests, input.id),
    data: async ({ scope, input: { id, format } }) => {
      await oneRow(scope, guests, id)
      await logActivityOfMany(scope, { action: 'export', entity: guests, ids: [id], after: { format } })
      return guestDataFile(scope, id, format)
    },
    known: async ({ scope, input: { ids } }) => {
      const [{ reached } = { reached: 0 }] = await scope.run(sql<{ reached: number }>`
        select count(*)::integer as reached from guests as t where t.id = any(${ids}) and ${scope.inReach('guests', 't')}`)
      if (reached < ids.length) throw unreachableIds()
      return knownOf(scope, ids)
    },
    withdrawConsent: async ({ scope, input }) => ({ ids: await withdrawConsents(scope, { ...input, via: 'desk' }) }),
    erase: async ({ scope, input: { ids } }) => {
      await lockGuests(scope, ids)
      const known = await knownOf(scope, ids)
      if (known.online > 0) throw clash(online(known.online))
      await logActivityOfMany(scope, { action: 'delete', entity: guests, ids, after: null })
      await scope.run(sql`select erase_guests(${ids})`)
      // Whoever writes to them is told at once.
      await wakeErasures(queue)
      return { ids }
    },
  })
