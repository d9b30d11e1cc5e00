// Accounting connections: the data of each, and how it is synchronised with its provider.
import { sql } from 'kysely'
import { callerOfJob, type Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { mergers } from '#server/billing/merged-contacts.ts'
import type { Organisation, ProvidersContact } from './accounting-provider.ts'
import type { Integrations } from './integrations.ts'
import type { Choices } from '#server/integrations/definition.ts'
import { ProviderFailure } from '#server/connections/provider.ts'
import { failed, isStill, sync_s, well, type Round } from '#server/connections/state.ts'

/** The data of an organisation, as columns. */
export const columnsOfOrganisation = (tenant_id: string, organisation: Organisation) => ({
  tenant_id,
  organisation_id: organisation.organisation_id,
  name: organisation.name,
  accounts: JSON.stringify(organisation.accounts),
  tax_types: JSON.stringify(organisation.tax_types),
  short_code: organisation.short_code,
})

export interface KeptConnection {
  id: number
  integration_type: string
  tenant_id: string | null
  organisation_id: string | null
  organisations: Choices
  contacts_since: string | null
  connected_at: string | null
}

export async function keptConnection(scope: Scope, id: number): Promise<KeptConnection | undefined> {
  const [kept] = await scope.run(sql<KeptConnection>`
    select t.id, t.integration_type, t.tenant_id, t.organisation_id, t.organisations, t.contacts_since, t.connected_at::text
    from accounting_integrations as t where t.id = ${id} and ${scope.inReach('accounting_integrations', 't')}`)
  return kept
}

interface Options {
  tenancy: Tenancy
  integrations: Integrations
}

/** Reads a connection's data including contacts. Errors are recorded on it, and its former data are kept. */
export async function syncAccounting(
  { tenancy, integrations }: Options,
  customer_id: number,
  id: number,
): Promise<Round> {
  const caller = callerOfJob(customer_id, 'accounting')
  const kept = await tenancy.enter(caller, 'read', (scope) => keptConnection(scope, id))
  if (!kept) return 'gone'
  const { tenant_id } = kept
  // Of an organisation that a person has left meanwhile nothing is stored, and no failure is noted: the chosen one is read at once.
  const isOfIt = sql<boolean>`(${isStill(kept)} and t.tenant_id is not distinct from ${tenant_id}::text)`
  const note = (columns: Record<string, unknown>) =>
    tenancy.enter(caller, 'write', (scope) => scope.change('accounting_integrations', isOfIt, columns))
  try {
    const { provider, ask } = integrations.accounting.use(caller, id, kept.integration_type)
    const organisations = await provider.organisations(ask)
    const columns: Record<string, unknown> = { organisations: JSON.stringify(organisations) }
    if (tenant_id !== null) {
      Object.assign(columns, columnsOfOrganisation(tenant_id, await provider.organisation(ask, tenant_id)))
      // A little before now, because clocks differ.
      const since = new Date(Date.now() - overlap_ms)
      const before = kept.contacts_since === null ? null : new Date(kept.contacts_since)
      for await (const page of provider.contacts(ask, tenant_id, before))
        await keepContacts(tenancy, caller, { id, tenant_id }, page)
      await tenancy.enter(caller, 'write', (scope) => handOver(scope, id))
      columns['contacts_since'] = since
    }
    await note({ ...well, ...columns })
    return { again_s: sync_s }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return (await note(failed(error))).length > 0 ? error : { again_s: sync_s }
  }
}
const overlap_ms = 10 * 60_000

/** Stores a page of contacts, while the connection is to the organisation that they are of. */
async function keepContacts(
  tenancy: Tenancy,
  caller: Caller,
  { id, tenant_id }: { id: number; tenant_id: string },
  page: ProvidersContact[],
) {
  await tenancy.enter(caller, 'write', (scope) =>
    scope.run(sql`
      insert into accounting_contacts (accounting_integration_id, external_id, name, first_name, last_name, email_address, status, type,
        merged_into)
      select t.id, c.external_id, c.name, c.first_name, c.last_name, c.email_address, c.status, c.type, c.merged_into
      from json_to_recordset(${JSON.stringify(page)}) as c(external_id text, name text, first_name text, last_name text,
        email_address text, status text, type text, merged_into text)
      join accounting_integrations as t on t.id = ${id} and t.tenant_id = ${tenant_id} and ${scope.inReach('accounting_integrations', 't')}
      on conflict (customer_id, accounting_integration_id, external_id) do update set name = excluded.name,
        first_name = excluded.first_name, last_name = excluded.last_name, email_address = excluded.email_address,
        status = excluded.status, type = excluded.type, merged_into = excluded.merged_into`),
  )
}

/** Where a contact was merged into another, the one that is left replaces it on properties and devices. */
async function handOver(scope: Scope, integration_id: number) {
  const ofIntegration = (contact: string) => sql`${sql.ref(`${contact}.accounting_integration_id`)} = ${integration_id}`
  for (const table of ['properties', 'devices'] as const)
    await scope.run(sql`
      update ${sql.table(table)} as t set accounting_contact_id = m.next_id
      from ${mergers(scope, ofIntegration)} as m
      where t.accounting_contact_id = m.was_id and ${scope.inReach(table, 't')}`)
}

/** Moves the contacts of a removed connection to this one, so that properties keep theirs. */
export const adoptContacts = (scope: Scope, id: number, tenant_id: string) =>
  scope.run(sql`
    update accounting_contacts as t set accounting_integration_id = ${id}
    where t.accounting_integration_id in (select i.id from accounting_integrations as i
        join accounting_integrations as own on own.customer_id = i.customer_id and own.id = ${id}
        where i.customer_id = t.customer_id and i.tenant_id = ${tenant_id} and i.integration_type = own.integration_type and i.id <> ${id}
          and i.deleted_at is not null)
      and ${scope.inReach('accounting_contacts', 't')}
      and not exists (select from accounting_contacts as own where own.customer_id = t.customer_id
        and own.accounting_integration_id = ${id} and own.external_id = t.external_id)`)
