// Accounting integrations: connected by consent, one organisation each, with that organisation's contacts.
import { sql } from 'kysely'
import * as contract from '#contract/accounting-integrations.ts'
import type { Parsed } from '#contract/endpoint.ts'
import { selectedInvalid } from '#contract/errors.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity } from '#server/entities/entity.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { createRow, removeRow, updateRow } from '#server/entities/verbs.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { contactLabel } from '#server/integrations/contact-name.ts'
import { columnsOfOrganisation, keptConnection, adoptContacts } from '#server/integrations/accounting.ts'
import type { AccountingProvider } from '#server/integrations/accounting-provider.ts'
import { accounting } from '#server/connections/accounting/kind.ts'
import type { Ask } from '#server/connections/provider.ts'
import type { Choices } from '#server/integrations/definition.ts'
import {
  failed,
  formerConnection,
  ownerId,
  ownerType,
  connectionState,
  unite,
  well,
} from '#server/connections/state.ts'
import { syncNow } from '#server/connections/connection-work.ts'
import type { Services } from '#server/services.ts'

const integrations = entity({
  table: 'accounting_integrations',
  row: contract.AccountingIntegration,
  detail: contract.AccountingIntegration,
  computed: {
    owner_type: ownerType,
    owner_id: ownerId,
    state: connectionState('organisation_id'),
    last_synced_at: sql`t.synced_at`,
  },
  filters: { words: wordsOf(sql`coalesce(t.name, '')`) },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

const label = contactLabel('t')
const contacts = entity({
  table: 'accounting_contacts',
  row: contract.AccountingContact,
  detail: contract.AccountingContact,
  computed: {
    label,
    property_id: sql`(select min(p.id) from properties as p
      where p.customer_id = t.customer_id and p.accounting_contact_id = t.id and p.deleted_at is null)`,
  },
  filters: {
    property_id: ({ is }) => sql`exists (select from properties as p
      where p.customer_id = t.customer_id and p.accounting_contact_id = t.id and p.deleted_at is null and ${is(sql`p.id`)})`,
  },
})

const inUse = sql`case when coalesce(t.status, 'active') = 'active' then 'active' else 'disabled' end`
/** The same contacts, as options of a select. */
const contactNames = entity({
  table: 'accounting_contacts',
  row: contract.ContactName,
  detail: contract.ContactName,
  computed: {
    name: label,
    status: inUse,
  },
  filters: { status: ({ is }) => is(inUse) },
})

const kind = accounting

interface Found {
  /** Null where the provider did not say. */
  organisations: Choices | null
  /** The organisation to use, once that is known. */
  tenant_id: string | null
  /** Columns filled from that organisation. */
  columns: Record<string, unknown>
}

/** What a new consent gives access to. The consent is kept even if the provider fails to answer now: a job asks again. */
async function discover(provider: AccountingProvider, ask: Ask, wanted: string | null): Promise<Found> {
  let organisations: Choices | null = null
  try {
    organisations = await provider.organisations(ask)
    const [first, another] = organisations
    const chosen = organisations.find(({ id }) => id === wanted) ?? (wanted === null && !another ? first : undefined)
    if (!chosen) return { organisations, tenant_id: null, columns: well }
    const organisation = await provider.organisation(ask, chosen.id)
    return {
      organisations,
      tenant_id: chosen.id,
      columns: { ...well, ...columnsOfOrganisation(chosen.id, organisation) },
    }
  } catch (error) {
    return { organisations, tenant_id: null, columns: failed(error) }
  }
}

const tenantOf = (services: Pick<Services, 'tenancy'>, caller: Caller, id: number | null) =>
  id === null
    ? Promise.resolve(null)
    : services.tenancy.enter(caller, 'read', async (scope) => (await keptConnection(scope, id))?.tenant_id ?? null)

type Changes = Parsed<typeof contract.update>

/** The account code and tax type must be among those that the provider offers. */
function refuseUnknown({ account_code, tax_type }: Changes, row: { accounts: Choices; tax_types: Choices }) {
  const errors: Record<string, string[]> = {}
  if (account_code != null && !row.accounts.some(({ id }) => id === account_code))
    errors['account_code'] = [selectedInvalid('account_code')]
  if (tax_type != null && !row.tax_types.some(({ id }) => id === tax_type))
    errors['tax_type'] = [selectedInvalid('tax_type')]
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** Outside any transaction: the provider is told first. */
async function revoked(services: Pick<Services, 'tenancy' | 'integrations'>, caller: Caller, id: number) {
  const kept = await services.tenancy.enter(caller, 'read', (scope) => keptConnection(scope, id))
  if (kept) await services.integrations.accounting.revoke(caller, id, kept.integration_type)
}

async function removed(services: Pick<Services, 'integrations'>, scope: Scope, id: number) {
  const gone = await removeRow(scope, integrations, id)
  await services.integrations.accounting.forget(scope, id)
  return gone
}

export async function endAccounting(services: Pick<Services, 'tenancy' | 'integrations'>, caller: Caller, id: number) {
  await revoked(services, caller, id)
  return services.tenancy.enter(caller, 'write', (scope) => removed(services, scope, id))
}

export default (services: Pick<Services, 'tenancy' | 'queue' | 'integrations'>) =>
  serve(contract, {
    list: async ({ scope, input }) => {
      services.integrations.accounting.refuseUnknown(input.filters.integration_type)
      const { data, meta } = (await listRows(scope, integrations, searched(input))).parsed()
      return { data, meta: { ...meta, integrations: data, providers: services.integrations.accounting.providers() } }
    },
    get: ({ scope, input }) => oneRow(scope, integrations, input.id),
    authorize: staged(
      async ({ caller, input: { id = null, integration_type } }) => {
        const renewed =
          id === null ? undefined : await services.tenancy.enter(caller, 'read', (scope) => keptConnection(scope, id))
        const word = services.integrations.accounting.wordOf(integration_type, renewed)
        return services.integrations.accounting.begin(caller, word, id)
      },
      ({ prepared }) => Promise.resolve(prepared),
    ),
    create: staged(
      async ({ caller, input }) => {
        const {
          offered: { provider },
          tokens,
          again,
          ask,
        } = await services.integrations.accounting.finish(caller, input)
        const found = await discover(provider, ask, await tenantOf(services, caller, again))
        return { integration_type: provider.definition.integration_type, tokens, again, ...found }
      },
      async ({ scope, prepared: { integration_type, tokens, again, organisations, tenant_id, columns } }) => {
        const values = {
          ...columns,
          ...(organisations && { organisations: JSON.stringify(organisations) }),
          scopes: tokens.scope,
          connected_at: sql`now()`,
        }
        const tenants = organisations?.map((one) => one.id) ?? []
        const former = await formerConnection(scope, kind, { again, integration_type, tenant_id, tenants })
        const id = former ?? (await createRow(scope, integrations, { integration_type })).id
        const before = await lockedRow(scope, integrations, id)
        // The consent is for another organisation than the connection: the stored contacts would not exist there. Where the provider
        // did not say which, the next synchronisation finds out.
        if (before.tenant_id !== null && organisations?.every((one) => one.id !== before.tenant_id))
          throw invalid({
            code: [
              `You gave access to an organisation other than ${before.name}. Please choose ${before.name} at the provider.`,
            ],
          })
        await scope.change('accounting_integrations', [id], values)
        await services.integrations.accounting.keep(scope, id, tokens)
        const row = await oneRow(scope, integrations, id)
        if (row.tenant_id !== null) await adoptContacts(scope, id, row.tenant_id)
        await logActivity(scope, { action: 'integration', entity: integrations, row, before, after: row })
        await syncNow(scope, services.queue, kind, [id])
        return row
      },
    ),
    update: staged(
      async ({ caller, input: { id, tenant_id } }) => {
        const kept = await services.tenancy.enter(caller, 'read', (scope) => keptConnection(scope, id))
        if (!kept) throw notFound()
        if (tenant_id == null || tenant_id === kept.tenant_id) return {}
        if (kept.tenant_id !== null && kept.organisation_id !== null)
          throw invalid({ tenant_id: ['The organisation cannot be changed. To use another one, connect again.'] })
        if (!kept.organisations.some((one) => one.id === tenant_id))
          throw invalid({ tenant_id: [selectedInvalid('tenant_id')] })
        const { provider, ask } = services.integrations.accounting.use(caller, id, kept.integration_type)
        try {
          return { ...well, ...columnsOfOrganisation(tenant_id, await provider.organisation(ask, tenant_id)) }
        } catch (error) {
          return { tenant_id, ...failed(error) }
        }
      },
      async ({ scope, input: { tenant_id, ...input }, prepared }) => {
        let { id } = input
        if (Object.keys(prepared).length > 0 && tenant_id != null) {
          const { integration_type } = await lockedRow(scope, integrations, id)
          id = await unite(scope, services.integrations.accounting, { kind, id }, { integration_type, tenant_id })
          await scope.change('accounting_integrations', [id], prepared)
          await adoptContacts(scope, id, tenant_id)
          await syncNow(scope, services.queue, kind, [id])
        }
        refuseUnknown(input, await lockedRow(scope, integrations, id))
        return updateRow(scope, integrations, { ...input, id })
      },
    ),
    remove: staged(
      ({ caller, input }) => revoked(services, caller, input.id),
      ({ scope, input }) => removed(services, scope, input.id),
    ),
    contacts: async ({ scope, input }) => {
      const { data, meta } = (await listRows(scope, contacts, input)).parsed()
      return { data, meta: { ...meta, contacts: data } }
    },
    names: ({ scope }) => nameRows(scope, contactNames, contract.ContactName),
    nameList: ({ scope, input }) => listRows(scope, contactNames, input),
  })
