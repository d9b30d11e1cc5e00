// Reach: whom each row of the database belongs to, and who inside a customer sees it.
import { sql, type RawBuilder } from 'kysely'
import type { RefTarget } from '#contract/ref-target.ts'
import type { DB } from '#server/db/tables.ts'

/** Tables that are the same for everybody and only ever read. */
export const lookupTables = [
  'account_types', 'auth_methods', 'connectivity_types', 'countries', 'frequency_types', 'gateway_types', 'portal_fonts',
  'portal_layouts', 'portal_types', 'property_interface_types', 'property_types', 'user_types',
] as const // prettier-ignore
export type LookupTable = (typeof lookupTables)[number]

/** Tables that only the functions `door_…` use: they are read before a customer is known. */
type UnscopedTable =
  | 'address_confirmations'
  | 'customers'
  | 'login_addresses'
  | 'login_devices'
  | 'logins'
  | 'mac_category_templates'
  | 'password_resets'
  | 'pseudonym_key'
  | 'searched_tables'
  | 'rate_limits'
  | 'recovery_codes'
  | 'releases'
  | 'second_factors'
  | 'installation'
  | 'sessions'
  | 'sign_in_challenges'
export type TenantTable = Exclude<keyof DB, LookupTable | UnscopedTable>

/** Whom somebody acts for: a customer, one of its groups or one of its properties. */
export interface Owner {
  owner_type: 'Customer' | 'Group' | 'Property'
  owner_id: number
}

export const ownerOf = (placed: { customer_id: number; group_id: number | null; property_id: number | null }): Owner =>
  placed.property_id !== null
    ? { owner_type: 'Property', owner_id: placed.property_id }
    : placed.group_id !== null
      ? { owner_type: 'Group', owner_id: placed.group_id }
      : { owner_type: 'Customer', owner_id: placed.customer_id }

/** What somebody reaches: all of a customer, or what belongs to some of its groups, or to some of its properties. */
export type Reach = { of: 'Customer' } | { of: 'Group' | 'Property'; ids: readonly number[] }

export const reachOf = ({ owner_type, owner_id }: Owner): Reach =>
  owner_type === 'Customer' ? { of: owner_type } : { of: owner_type, ids: [owner_id] }

export type Condition = RawBuilder<boolean>
/** The rows of a table, called `alias`, that belong to the groups (or properties) `ids`. */
type Rule = (ids: readonly number[], alias: string) => Condition
interface Rules {
  Group: Rule
  Property: Rule
}

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`)
/** `= 7` for one, which keeps the order of an index and is planned once; else `= any('{7,9}')`. */
export const among = (ids: readonly number[]) => (ids.length === 1 ? sql`= ${ids[0]}` : sql`= any(${ids})`)

// The vocabulary of the table of rules below.
const all: Rule = () => sql`true`
const nobody: Rule = () => sql`false`
const is =
  (name: string): Rule =>
  (ids, alias) =>
    sql`${column(alias, name)} ${among(ids)}`
const either =
  (...rules: Rule[]): Rule =>
  (ids, alias) =>
    sql`(${sql.join(
      rules.map((rule) => rule(ids, alias)),
      sql` or `,
    )})`
const shared =
  (name: string): Rule =>
  (_, alias) =>
    sql`${column(alias, name)} is null`
/** The row's parent is in reach. */
const through = (name: string, parent: TenantTable): Rules => ({
  Group: inside(name, parent, 'Group'),
  Property: inside(name, parent, 'Property'),
})
const inside =
  (name: string, parent: TenantTable, of: 'Group' | 'Property'): Rule =>
  (ids, alias) =>
    sql`${column(alias, name)} in (select parent.id from ${sql.table(parent)} as parent
      where parent.customer_id = ${column(alias, 'customer_id')} and ${rules[parent][of](ids, 'parent')})`
const ofProperty: Rules = { Group: inside('property_id', 'properties', 'Group'), Property: is('property_id') }
const ownedBelow: Rules = {
  Group: either(is('group_id'), inside('property_id', 'properties', 'Group')),
  Property: is('property_id'),
}

/** Of an import whose rows name their properties: all of them are in reach. */
const ofNamed =
  (inReach: (ids: readonly number[], alias: string) => RawBuilder<unknown>): Rule =>
  (ids, alias) =>
    sql`(${column(alias, 'property_id')} is null and ${column(alias, 'property_ids')} <> '{}'
      and ${column(alias, 'property_ids')} <@ ${inReach(ids, alias)})`

/** The voucher's batch is the property's own, or its group's without being another property's. */
const validIn: Rule = (ids, alias) => sql`
  ${column(alias, 'voucher_batch_id')} in (select parent.id from voucher_batches as parent
    where parent.customer_id = ${column(alias, 'customer_id')} and (parent.property_id ${among(ids)} or parent.property_id is null
      and parent.group_id in (select own.group_id from properties as own
        where own.customer_id = ${column(alias, 'customer_id')} and own.id ${among(ids)})))`

/** A portal that guests of one of the properties see. */
const shownAt: Rule = (ids, alias) => sql`
  ${column(alias, 'id')} in (select portal_of_property(own.customer_id, own.portal_id, own.group_id) from properties as own
    where own.customer_id = ${column(alias, 'customer_id')} and own.id ${among(ids)})`

/** The row's holder is in reach. It is looked up by its id: an `in` inside an `or` would read all holders in reach. */
const heldBy =
  (name: string, parent: TenantTable, of: 'Group' | 'Property'): Rule =>
  (ids, alias) =>
    sql`exists (select from ${sql.table(parent)} as parent where parent.customer_id = ${column(alias, 'customer_id')}
      and parent.id = ${column(alias, name)} and ${rules[parent][of](ids, 'parent')})`
/** What was used is seen by those who see its holder: an account, a voucher, a guest or a device. */
const withHolder = (...holders: [name: string, parent: TenantTable][]): Rules => ({
  Group: either(...holders.map(([name, parent]) => heldBy(name, parent, 'Group'))),
  Property: either(...holders.map(([name, parent]) => heldBy(name, parent, 'Property'))),
})

const customersOnly: Rules = { Group: nobody, Property: nobody }
const everyones: Rules = { Group: all, Property: all }

/**
 * Every rule of who sees what inside one customer. The customer's own users see all of its rows; these rules are for users
 * of a group and of a property. A missing table is a compile error, so no table is readable without a rule.
 */
const rules: Record<TenantTable, Rules> = {
  access_passes: through('gateway_id', 'gateways'),
  account_passwords: through('account_id', 'accounts'),
  accounting_contacts: everyones,
  accounting_integrations: ownedBelow,
  accounts: ofProperty,
  activity: ownedBelow,
  api_key_secrets: through('api_key_id', 'api_keys'),
  // A user's key goes with its user.
  api_keys: {
    Group: either(ownedBelow.Group, inside('user_id', 'users', 'Group')),
    Property: either(ownedBelow.Property, inside('user_id', 'users', 'Property')),
  },
  // A mark says nothing but of which entry; who sees what that is about sees it.
  attention_marks: everyones,
  billing_invoice_lines: customersOnly,
  billing_invoices: customersOnly,
  billing_lines: ofProperty,
  billing_nights: ofProperty,
  billing_runs: customersOnly,
  collection_properties: through('property_id', 'properties'),
  collection_users: through('collection_id', 'collections'),
  collections: { Group: is('group_id'), Property: nobody },
  connection_secrets: through('connection_id', 'connections'),
  connections: ownedBelow,
  consent_records: ofProperty,
  customer_hours: customersOnly,
  devices: ofProperty,
  due_work: customersOnly,
  event_sequences: customersOnly,
  events: ownedBelow,
  failed_jobs: customersOnly,
  files: everyones,
  access_points: through('gateway_id', 'gateways'),
  controller_grants: through('gateway_id', 'gateways'),
  gateway_controllers: through('gateway_id', 'gateways'),
  gateway_addresses: through('gateway_id', 'gateways'),
  gateway_secrets: through('gateway_id', 'gateways'),
  gateway_setting_secrets: through('gateway_id', 'gateways'),
  gateways: ofProperty,
  hour_ledgers: customersOnly,
  groups: { Group: is('id'), Property: nobody },
  guest_day_sums: ofProperty,
  guest_days: ofProperty,
  guest_devices: withHolder(['account_id', 'accounts'], ['voucher_id', 'vouchers'], ['guest_id', 'guests']),
  guest_first_days: ofProperty,
  guests: ofProperty,
  idempotency_keys: everyones,
  import_rows: through('import_id', 'imports'),
  imports: {
    Group: either(
      ofProperty.Group,
      ofNamed(
        (ids, alias) => sql`array(select named.id from properties as named
          where named.customer_id = ${column(alias, 'customer_id')} and named.group_id ${among(ids)})`,
      ),
    ),
    Property: either(
      ofProperty.Property,
      ofNamed((ids) => sql`${ids}::integer[]`),
    ),
  },
  integration_tokens: through('property_interface_id', 'property_interfaces'),
  invitations: through('user_id', 'users'),
  mac_categories: everyones,
  marketing_integrations: ownedBelow,
  marketing_members: customersOnly,
  night_ledgers: ofProperty,
  oauth_states: through('user_id', 'users'),
  occupancy_nights: ofProperty,
  one_time_codes: ofProperty,
  outage_notices: customersOnly,
  outages: ofProperty,
  outbox_mails: customersOnly,
  outbox_texts: customersOnly,
  packages: everyones,
  packed_sessions: ofProperty,
  portal_files: through('portal_id', 'portals'),
  portal_footers: everyones,
  portal_versions: through('portal_id', 'portals'),
  portals: {
    Group: either(is('group_id'), shared('group_id')),
    Property: either(shared('group_id'), shownAt),
  },
  properties: { Group: is('group_id'), Property: is('id') },
  property_holidays: ofProperty,
  property_hours: ofProperty,
  property_interface_secrets: through('property_interface_id', 'property_interfaces'),
  property_interface_setting_secrets: through('property_interface_id', 'property_interfaces'),
  property_interfaces: ownedBelow,
  property_states: ofProperty,
  property_link_records: through('property_interface_id', 'property_interfaces'),
  property_links: through('property_interface_id', 'property_interfaces'),
  radius_authorisations: ofProperty,
  radius_sessions: ofProperty,
  report_receivers: customersOnly,
  report_runs: ownedBelow,
  report_stops: through('report_id', 'reports'),
  reports: ownedBelow,
  roles: everyones,
  room_guests: ofProperty,
  rooms: ofProperty,
  session_addresses: ofProperty,
  session_days: ofProperty,
  shift_notes: ofProperty,
  stay_differences: ofProperty,
  stays: ofProperty,
  team_users: through('team_id', 'teams'),
  teams: ownedBelow,
  told_messages: through('property_interface_id', 'property_interfaces'),
  told_stays: ofProperty,
  trials: ofProperty,
  undelivered: customersOnly,
  unregistered_gateways: ofProperty,
  usage_periods: withHolder(
    ['account_id', 'accounts'],
    ['voucher_id', 'vouchers'],
    ['guest_id', 'guests'],
    ['device_id', 'devices'],
  ),
  used_quotas: everyones,
  users: ownedBelow,
  voucher_batch_passwords: through('voucher_batch_id', 'voucher_batches'),
  voucher_batches: ownedBelow,
  voucher_codes: through('voucher_id', 'vouchers'),
  // A property's desk also tests the codes that are valid in its whole group; the batch itself is the group's.
  webhook_deliveries: through('webhook_id', 'webhooks'),
  webhook_secrets: through('webhook_id', 'webhooks'),
  webhooks: ownedBelow,
  vouchers: { Group: inside('voucher_batch_id', 'voucher_batches', 'Group'), Property: validIn },
}

/** The tables that have a column. */
export type TableWith<C extends string> = { [T in TenantTable]: C extends keyof DB[T] ? T : never }[TenantTable]
/** Tables whose rows are only marked as deleted. The compiler keeps this list equal to the tables that have `deleted_at`. */
const deletable: Record<TableWith<'deleted_at'>, true> = {
  accounting_contacts: true,
  accounting_integrations: true,
  accounts: true,
  api_keys: true,
  billing_runs: true,
  collections: true,
  connections: true,
  devices: true,
  files: true,
  gateways: true,
  groups: true,
  guests: true,
  mac_categories: true,
  marketing_integrations: true,
  packages: true,
  portal_footers: true,
  portals: true,
  properties: true,
  property_holidays: true,
  property_interfaces: true,
  reports: true,
  roles: true,
  room_guests: true,
  rooms: true,
  stays: true,
  teams: true,
  undelivered: true,
  users: true,
  voucher_batches: true,
  webhooks: true,
}
/** The same, indexed by any table. */
const isDeletable: Partial<Record<TenantTable, true>> = deletable

/** The customer's rows of a table that are in reach, including deleted ones. */
export function withinReach(customer_id: number, reach: Reach, table: TenantTable, alias: string): Condition {
  const ofCustomer = sql<boolean>`${column(alias, 'customer_id')} = ${customer_id}`
  return reach.of === 'Customer' ? ofCustomer : sql`(${ofCustomer} and ${rules[table][reach.of](reach.ids, alias)})`
}

/**
 * Rows that go with their property: out of reach as soon as it is removed, while a job (server/entities/removal.ts) still marks
 * them one by one. The list of properties being removed, which each row is checked against, is nearly always empty. With
 * `= any` the planner assumes ten of them, which is every property of a small installation: it expects no row to remain,
 * and sorts the whole table for a page.
 */
const goWithProperty: ReadonlySet<TenantTable> = new Set([
  'accounts',
  'connections',
  'devices',
  'gateways',
  'property_interfaces',
  'room_guests',
  'rooms',
  'stays',
  'voucher_batches',
])
const notBeingRemoved = (customer_id: number, alias: string) => sql`
  (array(select gone.id from properties as gone
    where gone.customer_id = ${customer_id} and gone.deleted_at is not null and gone.dependents_removed_at is null)
    @> array[${column(alias, 'property_id')}]) is not true`

/** The rows that are not deleted. */
export function notDeleted(customer_id: number, table: TenantTable, alias: string): Condition {
  if (!isDeletable[table]) return sql`true`
  const kept = sql<boolean>`${column(alias, 'deleted_at')} is null`
  return goWithProperty.has(table) ? sql`(${kept} and ${notBeingRemoved(customer_id, alias)})` : kept
}

const isLookup = (table: string): table is LookupTable => (lookupTables as readonly string[]).includes(table)
/** Whether the rows of a table belong to customers; those of the other tables are in everybody's reach. */
export const isTenantTable = (target: RefTarget): target is RefTarget & TenantTable => !isLookup(target)
