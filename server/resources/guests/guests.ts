// Guests: people who signed in at a portal by themselves: listed, handed out and erased.
import { sql } from 'kysely'
import type { z } from 'zod'
import * as contract from '#contract/guests.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { clash } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import { tellErased } from '#server/integrations/sync-work.ts'
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
  table: 'guests',
  row: contract.GuestRow,
  detail: contract.GuestRow,
  fields: contract.fields,
  // The log outlives the guest's data, so it names nobody.
  label: 'id',
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
  belongs: { property_id: 'property_id' },
})

/** @param others who may be gone meanwhile */
async function lockGuests(scope: Scope, ids: number[], others: number[] = []): Promise<number[]> {
  const known = await scope.lock('guests', sql`t.id = any(${[...ids, ...others]})`)
  if (!ids.every((id) => known.includes(id))) throw unreachableIds()
  return known
}

/** Those who have the same address or number as one of these: a person is a guest of their own at each property. */
async function samePeople(scope: Scope, ids: number[]): Promise<number[]> {
  const addresses = (column: typeof terms) => sql`
    array(select ${column} from guests as t where t.id = any(${ids}) and ${scope.inReach('guests', 't')})`
  const others = await scope.run(sql<ColumnsOf<'guests', 'id'>>`
    select t.id from guests as t where t.deleted_at is null and ${scope.inReach('guests', 't')}
      and (t.email is not null and lower(t.email) = any(${addresses(sql`lower(t.email)`)})
        or t.mobile_number is not null and t.mobile_number = any(${addresses(sql`t.mobile_number`)}))`)
  return others.map(({ id }) => id)
}

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
    withdrawConsent: async ({ scope, input: { ids: chosen, purposes } }) => {
      const ids = await lockGuests(scope, chosen, await samePeople(scope, chosen))
      const withdrawn = await scope.run(sql<ColumnsOf<'consent_records', 'guest_id'>>`
        update consent_records as t set withdrawn_at = now(), withdrawn_via = 'desk'
        where t.guest_id = any(${ids}) and t.purpose = any(${purposes}) and t.withdrawn_at is null
          and ${scope.inReach('consent_records', 't')} returning t.guest_id`)
      const theirs = new Set(withdrawn.map(({ guest_id }) => guest_id).filter((id) => id !== null))
      const after = { consent_withdrawn: purposes }
      if (theirs.size > 0) await logActivityOfMany(scope, { action: 'update', entity: guests, ids: [...theirs], after })
      return { ids }
    },
    erase: async ({ scope, input: { ids } }) => {
      await lockGuests(scope, ids)
      const known = await knownOf(scope, ids)
      if (known.online > 0) throw clash(online(known.online))
      await logActivityOfMany(scope, { action: 'delete', entity: guests, ids, after: null })
      await scope.run(sql`select erase_guests(${ids})`)
      // Whoever writes to them is told at once.
      await tellErased(scope, queue)
      return { ids }
    },
  })
