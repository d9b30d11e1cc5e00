// Properties: the buildings whose guests get Wi-Fi.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import {
  anyOf,
  anyOrNone,
  byId,
  changesTo,
  count,
  currency,
  done,
  email,
  id,
  byIds,
  listOf,
  mailedName,
  moment,
  money,
  named,
  no,
  nothing,
  page,
  percentage,
  ref,
  text,
  timeZone,
  yes,
  namesOf,
} from './shapes.ts'
import { constants } from './constants.ts'
import { Honours } from './gateway-kinds.ts'
import { ofCustomer } from './reserved.ts'
import { propertyState, status } from './status.ts'

const { lookup, read, write, listFile, removal } = callsOf('properties')

/** What an operator fills in. The wizard's steps, the form and the server all use this list. */
export const PropertyInput = z.object({
  name: mailedName(),
  external_reference: text().nullish(),
  address: text().nullish(),
  city: text().nullish(),
  postal_code: text(20).nullish(),
  country_id: ref('countries').nullish(),
  /** Its country's, if it is not given. */
  time_zone: timeZone.nullish(),
  email: email.nullish(),
  group_id: ref('groups').nullish(),
  /** All of its collections. */
  collection_ids: z.array(ref('collections')).max(constants.list.names_max).default([]),
  /** Adds one collection. As it was read, beside `collection_ids`, it adds none. */
  collection_id: ref('collections').nullish(),
  property_type_id: ref('property_types').nullish(),
  connectivity_type_id: ref('connectivity_types').nullish(),
  portal_id: ref('portals').nullish(),
  package_id: ref('packages').nullish(),
  accounting_contact_id: ofCustomer(ref('accounting_contacts', 'Nobody yet')).nullish(),
  total_units: ofCustomer(count).default(0),
  minimum_billable_percentage: ofCustomer(percentage).default(constants.defaults.billable_percentage),
  holiday_billable_percentage: ofCustomer(percentage).default(constants.defaults.billable_percentage),
  rate_per_unit: ofCustomer(money).prefault(0),
  /** ISO 4217. Its country's, if it is not set. */
  currency: ofCustomer(currency).nullish(),
  max_accounts: ofCustomer(count).default(0),
  /** The name of the guest Wi-Fi, as devices list it. */
  network_name: text(32).nullish(),
  send_email: no,
  send_sms: no,
  mri_enabled: no,
  sync_rooms_and_devices: no,
  mri_communication: no,
  draft: no,
  active: yes,
})

/** What a property needs before it leaves `draft`: its country, which decides the time zone of its nights and allowances. */
export const requiredUnlessDraft = ['country_id'] as const satisfies readonly (keyof typeof PropertyInput.shape)[]

/** `sentence`: what is wrong and what to do about it, for people. */
export const PropertyState = z.object({ word: propertyState, since: moment, sentence: z.string() })

export const PropertyRow = z.object({
  id,
  name: z.string(),
  external_reference: z.string().nullable(),
  city: z.string().nullable(),
  group: named.nullable(),
  portal: named.nullable(),
  package: named.nullable(),
  property_type_id: id.nullable(),
  connectivity_type_id: id.nullable(),
  total_units: count,
  /** Null: it is a draft or disabled. */
  state: PropertyState.nullable(),
  /** Guests online, counted each minute. */
  guests_online: count,
  status,
  draft: z.boolean(),
  active: z.boolean(),
  created_at: moment,
})
export const Property = z
  .object({
    ...PropertyRow.shape,
    address: z.string().nullable(),
    postal_code: z.string().nullable(),
    country_id: id.nullable(),
    /** Its days, nights and renewals are in this time zone. */
    time_zone: z.string(),
    /** The zone was not given, and its country has several. */
    time_zone_assumed: z.boolean(),
    email: z.string().nullable(),
    group_id: id.nullable(),
    collection_ids: z.array(id),
    /** The first of them that the caller reaches. */
    collection_id: id.nullable(),
    portal_id: id.nullable(),
    /** What its guests see: its own, else its group's. */
    shown_portal: named.nullable(),
    package_id: id.nullable(),
    accounting_contact_id: id.nullable(),
    accounting_contact: named.nullable(),
    minimum_billable_percentage: z.number(),
    holiday_billable_percentage: z.number(),
    rate_per_unit: z.number(),
    currency: z.string(),
    /** Its origin: chosen, or that of its country, or the customer's. */
    currency_from: z.enum(['property', 'country', 'customer']),
    max_accounts: count,
    network_name: z.string().nullable(),
    send_email: z.boolean(),
    send_sms: z.boolean(),
    mri_enabled: z.boolean(),
    sync_rooms_and_devices: z.boolean(),
    mri_communication: z.boolean(),
  })
  .meta({ id: 'Property' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [PropertyInput, Property, PropertyRow],
  {
    property_type_id: 'Type',
    collection_ids: 'Collections',
    email: 'Contact e-mail',
    address: 'Street and number',
    connectivity_type_id: 'Connectivity',
    max_accounts: 'Accounts at most',
    send_email: 'E-mail new accounts',
    send_sms: 'Text new accounts',
    total_units: 'Units',
    guests_online: 'Online',
    minimum_billable_percentage: 'Billed at least',
    holiday_billable_percentage: 'Billed on holidays',
    mri_enabled: 'Connected to MRI',
    sync_rooms_and_devices: 'Take over rooms and devices',
    mri_communication: 'Let MRI write to residents',
  },
  {
    property: ['name', 'property_type_id', 'external_reference', 'group_id', 'collection_ids', 'email'],
    address: ['address', 'postal_code', 'city', 'country_id', 'time_zone'],
    wifi: ['connectivity_type_id', 'portal_id', 'package_id', 'network_name', 'max_accounts', 'send_email', 'send_sms'],
    billing: [
      'total_units',
      'rate_per_unit',
      'currency',
      'minimum_billable_percentage',
      'holiday_billable_percentage',
      'accounting_contact_id',
    ],
    mri: ['mri_enabled', 'sync_rooms_and_devices', 'mri_communication'],
  },
)

export const PropertyFilters = {
  status: anyOf(status),
  state: anyOf(propertyState),
  group_id: anyOrNone(id),
  property_type_id: anyOrNone(id),
  connectivity_type_id: anyOrNone(id),
  portal_id: anyOrNone(id),
}
const PropertyParams = { group_id: ref('groups').optional(), collection_id: ref('collections').optional() }
export const PropertyName = named.extend({ status, group_id: id.nullable() })

export const list = read(
  '/properties',
  listOf(PropertyFilters, PropertyParams, ['-created_at', 'created_at', 'name', '-name', 'state', '-state']),
  page(PropertyRow),
)
export const exportList = listFile('/properties-list-export', list)
export const names = lookup('/properties-list', nothing, z.array(PropertyName))
export const nameList = read('/properties-list', namesOf(PropertyParams), page(PropertyName))
export const groupNames = lookup(
  '/properties-group-list',
  z.object({ group_id: z.coerce.number().pipe(ref('groups')) }),
  z.array(PropertyName),
)
export const groupNameList = read('/properties-group-list', namesOf({ group_id: ref('groups') }), page(PropertyName))
export const get = read('/properties/{id}', byId('properties'), Property)
/** A gateway that does not keep to all of a package's limits, or does not end a guest's session at once. */
export const LimitsKept = z
  .object({
    property: named,
    gateway: named,
    /** What its kind is called. */
    make: z.string(),
    honours: Honours,
    /** The most seconds that it is granted at once. Null: all that the guest may use. */
    lasts_max_s: z.int().nullable(),
  })
  .meta({ id: 'LimitsKept' })
/** Of these properties, of a group's, or of all: the first 500 gateways that do not keep everything. */
export const limits = read(
  '/properties-limits',
  z.object({ property_ids: z.array(ref('properties')).max(200).optional(), group_id: ref('groups').optional() }),
  z.array(LimitsKept),
)
export const create = write('/properties-create', PropertyInput, Property)
export const update = write('/properties-update', changesTo('properties', PropertyInput), Property)
export const deactivate = write('/properties-deactivate', byIds('properties'), done)
export const activate = write('/properties-activate/{id}', byId('properties'), Property)
export const remove = removal('/properties-delete/{id}', byId('properties'), done)
export const assignPortal = write(
  '/properties-bulk-assign-portal',
  byIds('properties').extend({ portal_id: ref('portals') }),
  done,
)
