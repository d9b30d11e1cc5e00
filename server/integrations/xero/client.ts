// Xero's client: the few calls that Foyer makes, and how it reads their answers.
import { z } from 'zod'
import type { AccountingProvider, Organisation, ProvidersContact } from '#server/integrations/accounting-provider.ts'
import { ProviderFailure, readAnswer, type Ask } from '#server/connections/provider.ts'
import type { Choices } from '#server/integrations/definition.ts'
import { definition } from './definition.ts'
import { findDrafts, makeDraft } from './drafts.ts'
import { callXero, inOrganisation } from './requests.ts'

const { name } = definition
const contacts_per_page = 100
/** Per organisation: nobody has more contacts, so a provider with more pages is out of order. */
const pages_max = 1000

const Connections = z.array(
  z.object({ tenantId: z.string(), tenantType: z.string(), tenantName: z.string().nullish() }),
)
const Organisations = z.object({
  Organisations: z.array(z.object({ OrganisationID: z.string(), Name: z.string(), ShortCode: z.string().nullish() })),
})
const Accounts = z.object({
  Accounts: z.array(
    z.object({
      Code: z.string().nullish(),
      Name: z.string(),
      Class: z.string().nullish(),
      Status: z.string().nullish(),
    }),
  ),
})
const TaxRates = z.object({
  TaxRates: z.array(
    z.object({
      TaxType: z.string(),
      Name: z.string(),
      Status: z.string().nullish(),
      CanApplyToRevenue: z.boolean().nullish(),
    }),
  ),
})
const XeroContact = z.object({
  ContactID: z.string(),
  Name: z.string().nullish(),
  FirstName: z.string().nullish(),
  LastName: z.string().nullish(),
  EmailAddress: z.string().nullish(),
  ContactStatus: z.string().nullish(),
  IsCustomer: z.boolean().nullish(),
  IsSupplier: z.boolean().nullish(),
  MergedToContactID: z.string().nullish(),
})
const Contacts = z.object({ Contacts: z.array(XeroContact) })

async function organisations(ask: Ask): Promise<Choices> {
  const found = readAnswer(name, Connections, await callXero(ask, '/connections'))
  return found
    .filter(({ tenantType }) => tenantType === 'ORGANISATION')
    .map(({ tenantId, tenantName }) => ({ id: tenantId, name: tenantName ?? tenantId }))
}

async function organisation(ask: Ask, tenant_id: string): Promise<Organisation> {
  const headers = inOrganisation(tenant_id)
  const read = async <S extends z.ZodType>(path: string, schema: S) =>
    readAnswer(name, schema, await callXero(ask, `/api.xro/2.0${path}`, { headers }))
  const {
    Organisations: [own],
  } = await read('/Organisation', Organisations)
  if (!own) throw new ProviderFailure('later', 'Xero did not say which organisation it is.')
  const { Accounts: accounts } = await read(`/Accounts?${new URLSearchParams({ where: revenue }).toString()}`, Accounts)
  const { TaxRates: rates } = await read('/TaxRates', TaxRates)
  return {
    organisation_id: own.OrganisationID,
    name: own.Name,
    short_code: own.ShortCode ?? null,
    accounts: accounts
      .filter((account) => account.Status !== 'ARCHIVED' && account.Class !== 'EXPENSE')
      .flatMap(({ Code, Name }) => (Code ? [{ id: Code, name: `${Code} ${Name}` }] : [])),
    tax_types: rates
      .filter((rate) => rate.Status !== 'DELETED' && rate.CanApplyToRevenue !== false)
      .map((rate) => ({ id: rate.TaxType, name: rate.Name })),
  }
}
const revenue = 'Class=="REVENUE" AND Status=="ACTIVE"'

async function* contacts(ask: Ask, tenant_id: string, since: Date | null): AsyncGenerator<ProvidersContact[]> {
  const headers = {
    ...inOrganisation(tenant_id),
    ...(since === null ? {} : { 'if-modified-since': since.toISOString().slice(0, 19) }),
  }
  for (let page = 1; page <= pages_max; page++) {
    const query = new URLSearchParams({
      page: String(page),
      pageSize: String(contacts_per_page),
      includeArchived: 'true',
    })
    const answer = await callXero(ask, `/api.xro/2.0/Contacts?${query.toString()}`, { headers })
    const { Contacts: found } = readAnswer(name, Contacts, answer)
    if (found.length > 0) yield found.map(contactOf)
    if (found.length < contacts_per_page) return
  }
}

const contactOf = (contact: z.output<typeof XeroContact>): ProvidersContact => ({
  external_id: contact.ContactID,
  name: contact.Name || null,
  first_name: contact.FirstName || null,
  last_name: contact.LastName || null,
  email_address: contact.EmailAddress || null,
  status: contact.ContactStatus?.toLowerCase() ?? null,
  type: contact.IsCustomer ? 'customer' : contact.IsSupplier ? 'supplier' : null,
  merged_into: contact.MergedToContactID || null,
})

export const client: AccountingProvider = { definition, organisations, organisation, contacts, findDrafts, makeDraft }
