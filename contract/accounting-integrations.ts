// Accounting integrations: connections to the systems that issue the invoices, and the contacts kept there.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { Authorization, Callback, Choice, connection, Provider } from './integrations.ts'
import {
  anyOf,
  byId,
  changesTo,
  done,
  id,
  ListMeta,
  listOf,
  moment,
  NameRow,
  namesOf,
  nothing,
  page,
  ref,
  text,
} from './shapes.ts'

const { lookup, read, write, removal } = callsOf('accounting_integrations')

/** The word of a provider: one of `meta.providers` of the list. */
const integration_type = text(100)
/** One invoice per property, or one per contact with a line for each of its properties. */
export const invoicePer = ['property', 'contact'] as const

export const AccountingIntegration = z
  .object({
    ...connection,
    integration_type: z.string(),
    organisation_id: z.string().nullable(),
    organisations: z.array(Choice),
    /** Only revenue accounts that are in use. */
    accounts: z.array(Choice),
    tax_types: z.array(Choice),
    account_code: z.string().nullable(),
    /** Null: the provider decides, from its contact and account. */
    tax_type: z.string().nullable(),
    invoice_per: z.enum(invoicePer),
  })
  .meta({ id: 'AccountingIntegration' })

export const AccountingSettings = z.object({
  /** The organisation, one of `organisations`. It cannot be changed once it is chosen. */
  tenant_id: text().nullish(),
  account_code: text(50).nullish(),
  tax_type: text(100).nullish(),
  invoice_per: z.enum(invoicePer).optional(),
})

/** `status` and `type` are the provider's words, in lower case. */
export const AccountingContact = z
  .object({
    id,
    /** The name, else the first name. */
    label: z.string(),
    name: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    email_address: z.string().nullable(),
    status: z.string().nullable(),
    type: z.string().nullable(),
    accounting_integration_id: id,
    /** The first property billed to it. */
    property_id: id.nullable(),
    created_at: moment,
  })
  .meta({ id: 'AccountingContact' })

/** Named by its label. One that the provider no longer uses is disabled. */
export const ContactName = NameRow

export const list = read(
  '/accounting-integrations',
  listOf({ integration_type: anyOf(integration_type) }, {}, ['-created_at', 'created_at']),
  z.object({
    data: z.array(AccountingIntegration),
    meta: ListMeta.extend({ integrations: z.array(AccountingIntegration), providers: z.array(Provider) }),
  }),
)
export const get = read('/accounting-integrations/{id}', byId('accounting_integrations'), AccountingIntegration)
/** With an id: renews that connection after its consent has ended. */
export const authorize = write(
  '/accounting-integrations-authorize',
  z.object({
    /** Absent: that of the connection, else the first of them. */
    integration_type: integration_type.optional(),
    id: ref('accounting_integrations').nullish(),
  }),
  Authorization,
)
export const create = asking(write('/accounting-integrations-create', Callback, AccountingIntegration))
export const update = write(
  '/accounting-integrations-update',
  changesTo('accounting_integrations', AccountingSettings),
  AccountingIntegration,
)
export const remove = removal('/accounting-integrations-delete/{id}', byId('accounting_integrations'), done)

export const contacts = read(
  '/accounting-integrations-contacts',
  listOf(
    { status: anyOf(text(50)), type: anyOf(text(50)) },
    { accounting_integration_id: ref('accounting_integrations').optional(), property_id: ref('properties').optional() },
    ['-created_at', 'created_at'],
  ),
  z.object({ data: z.array(AccountingContact), meta: ListMeta.extend({ contacts: z.array(AccountingContact) }) }),
)
/** For selects. */
export const names = lookup('/accounting-contacts-list', nothing, z.array(ContactName))
export const nameList = read('/accounting-contacts-list', namesOf({}, []), page(ContactName))
