// Reach: who inside a customer sees a row of each table, written down a second time and checked against the database.
import type { Client } from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysOf } from '#contract/keys.ts'
import { compiler } from '#server/access/doors.ts'
import {
  isTenantTable,
  lookupTables,
  notDeleted,
  reachOf,
  withinReach,
  type Reach,
  type TenantTable,
} from '#server/access/reach.ts'
import { connect } from '#server/db/logins.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { fillTables } from '#test/records.ts'

/** A row in every table, all of one property of one group; rows that may belong to something higher belong to `level`. */
interface Place {
  group: string
  level: 'Property' | 'Group' | 'Customer'
}
const places = {
  harbour: { group: 'north', level: 'Property' },
  station: { group: 'north', level: 'Property' },
  airport: { group: 'south', level: 'Property' },
  'the whole group': { group: 'north', level: 'Group' },
  'the whole customer': { group: 'north', level: 'Customer' },
  // Removed, while a job still marks its dependents; and removed long ago.
  leaving: { group: 'south', level: 'Property' },
  left: { group: 'south', level: 'Property' },
} satisfies Record<string, Place>
type PlaceName = keyof typeof places
const placeNames = keysOf(places)
const placesOf = (holds: (place: Place, name: PlaceName) => boolean) =>
  placeNames.filter((name) => holds(places[name], name))

/** The places whose rows a user of these groups, or properties, sees. */
interface Seen {
  Group: (groups: string[]) => PlaceName[]
  Property: (properties: PlaceName[]) => PlaceName[]
}
const all = () => placeNames
const none = () => []
const everyone: Seen = { Group: all, Property: all }
const customer: Seen = { Group: none, Property: none }
const itsProperty: Seen = {
  Group: (groups) => placesOf(({ group }) => groups.includes(group)),
  Property: (properties) => properties,
}
const itsGroup: Seen = {
  Group: (groups) => placesOf(({ group, level }) => level !== 'Customer' && groups.includes(group)),
  Property: none,
}
const itsOwner: Seen = {
  Group: itsGroup.Group,
  Property: (properties) => properties.filter((name) => places[name].level === 'Property'),
}
/** The customer's portals are for all; the station shows the harbour's. */
const itsPortal: Seen = {
  Group: (groups) => placesOf(({ group, level }) => level === 'Customer' || groups.includes(group)),
  Property: (properties) =>
    placesOf(({ level }, name) => level === 'Customer' || (name === 'harbour' && properties.includes('station'))),
}
/** No batch belongs to the whole customer: in that place it belongs to the property. */
const itsBatch: Seen = {
  Group: itsProperty.Group,
  Property: (properties) => properties.filter((name) => places[name].level !== 'Group'),
}
/** The codes of a group are valid at each of its properties. */
const itsVouchers: Seen = {
  Group: itsProperty.Group,
  Property: (properties) =>
    placesOf(({ group, level }, name) =>
      level === 'Group' ? properties.some((own) => places[own].group === group) : properties.includes(name),
    ),
}
/** The airport's key is one of its group, not of the property. */
const itsKeys: Seen = {
  Group: itsOwner.Group,
  Property: (properties) => itsOwner.Property(properties).filter((name) => name !== 'airport'),
}

const seen: Record<TenantTable, Seen> = {
  access_passes: itsProperty,
  account_passwords: itsProperty,
  accounting_contacts: everyone,
  accounting_integrations: itsOwner,
  accounts: itsProperty,
  activity: itsOwner,
  api_key_secrets: itsKeys,
  api_keys: itsKeys,
  attention_marks: everyone,
  billing_invoice_lines: customer,
  billing_invoices: customer,
  billing_lines: itsProperty,
  billing_nights: itsProperty,
  billing_runs: customer,
  collection_properties: itsProperty,
  collection_users: itsGroup,
  collections: itsGroup,
  connection_secrets: itsOwner,
  connections: itsOwner,
  consent_records: itsProperty,
  customer_hours: customer,
  devices: itsProperty,
  due_work: customer,
  event_sequences: customer,
  events: itsOwner,
  failed_jobs: customer,
  files: everyone,
  access_points: itsProperty,
  controller_grants: itsProperty,
  gateway_controllers: itsProperty,
  gateway_addresses: itsProperty,
  gateway_secrets: itsProperty,
  gateway_setting_secrets: itsProperty,
  gateways: itsProperty,
  hour_ledgers: customer,
  groups: { Group: itsProperty.Group, Property: none },
  guest_day_sums: itsProperty,
  guest_days: itsProperty,
  guest_devices: itsProperty,
  guest_first_days: itsProperty,
  guests: itsProperty,
  idempotency_keys: everyone,
  import_rows: itsProperty,
  imports: itsProperty,
  integration_tokens: customer,
  invitations: itsOwner,
  mac_categories: everyone,
  marketing_integrations: itsOwner,
  marketing_members: customer,
  night_ledgers: itsProperty,
  oauth_states: itsOwner,
  occupancy_nights: itsProperty,
  one_time_codes: itsProperty,
  outage_notices: customer,
  outages: itsProperty,
  outbox_mails: customer,
  outbox_texts: customer,
  packages: everyone,
  packed_sessions: itsProperty,
  portal_files: itsPortal,
  portal_footers: everyone,
  portal_versions: itsPortal,
  portals: itsPortal,
  properties: itsProperty,
  property_holidays: itsProperty,
  property_hours: itsProperty,
  property_states: itsProperty,
  property_interface_secrets: itsOwner,
  property_interface_setting_secrets: itsOwner,
  property_interfaces: itsOwner,
  property_link_records: itsOwner,
  property_links: itsOwner,
  radius_authorisations: itsProperty,
  radius_sessions: itsProperty,
  report_receivers: customer,
  report_runs: itsOwner,
  report_stops: itsOwner,
  reports: itsOwner,
  roles: everyone,
  room_guests: itsProperty,
  rooms: itsProperty,
  session_addresses: itsProperty,
  session_days: itsProperty,
  shift_notes: itsProperty,
  stay_differences: itsProperty,
  stays: itsProperty,
  team_users: itsOwner,
  teams: itsOwner,
  told_messages: itsOwner,
  told_stays: itsProperty,
  trials: itsProperty,
  undelivered: customer,
  unregistered_gateways: itsProperty,
  usage_periods: itsProperty,
  used_quotas: everyone,
  users: itsOwner,
  voucher_batch_passwords: itsBatch,
  voucher_batches: itsBatch,
  voucher_codes: itsVouchers,
  webhook_deliveries: itsOwner,
  webhook_secrets: itsOwner,
  webhooks: itsOwner,
  vouchers: itsVouchers,
}
const tables = keysOf(seen)
/** Tables of which all places share one row. */
const shared = ['accounting_contacts', 'files', 'mac_categories', 'packages', 'portal_footers', 'roles']

let database: TestDatabase
let admin: Client
let customer_id: number
/** The ids of a place's rows, by table. */
const rowsOf = {} as Record<PlaceName, Map<string, number>>
const idsOf = (name: PlaceName, table: string) => rowsOf[name].get(table) ?? 0
const groupOf = (group: string) => idsOf(group === 'north' ? 'harbour' : 'airport', 'groups')

beforeAll(async () => {
  database = await freshDatabase()
  admin = await connect(database.adminUrl)
  customer_id = await aCustomer()
  for (const name of placeNames) {
    const first = placeNames.find((other) => rowsOf[other] && places[other].group === places[name].group)
    const group = first && { groups: idsOf(first, 'groups') }
    const known = rowsOf.harbour && Object.fromEntries(shared.map((table) => [table, idsOf('harbour', table)]))
    rowsOf[name] = await fillTables(admin, { customer_id, mark: name, known: { ...known, ...group } })
  }
  await fillTables(admin, { customer_id: await aCustomer(), mark: 'neighbour' })
  for (const name of placeNames) await addOauthState(name)
  // What the rows above have caused by themselves.
  for (const table of ['connections', 'events', 'event_sequences'] as const)
    await admin.query(`delete from ${table} where customer_id = $1 and id <> all ($2)`, [
      customer_id,
      placeNames.map((name) => idsOf(name, table)),
    ])
  // Without triggers, log lines can be moved, too.
  await admin.query('set session_replication_role = replica')
  const owned = [
    'accounting_integrations',
    'activity',
    'connections',
    'marketing_integrations',
    'property_interfaces',
    'report_runs',
    'reports',
    'teams',
    'users',
    'webhooks',
    'events',
  ]
  for (const table of owned) {
    await move(table, 'the whole group', { property_id: null, group_id: groupOf('north') })
    await move(table, 'the whole customer', { property_id: null, group_id: null })
  }
  for (const table of ['activity', 'radius_authorisations'])
    for (const name of placesOf(({ level }) => table !== 'activity' || level === 'Property'))
      await move(table, name, { property_id: idsOf(name, 'properties') })
  for (const table of ['collections', 'portals']) await move(table, 'the whole customer', { group_id: null })
  for (const name of placeNames)
    await move('voucher_batches', name, {
      group_id: groupOf(places[name].group),
      ...(places[name].level === 'Group' && { property_id: null }),
    })
  for (const name of ['station', 'the whole group', 'the whole customer'] as const)
    await move('api_keys', name, { property_id: null, user_id: idsOf(name, 'users') })
  await move('api_keys', 'airport', { property_id: null, group_id: groupOf('south') })
  await move('properties', 'station', { portal_id: idsOf('harbour', 'portals') })
  const holders = [
    ['station', 'voucher_id', 'vouchers'],
    ['airport', 'guest_id', 'guests'],
  ] as const
  for (const [name, holder, table] of holders)
    for (const used of ['guest_devices', 'usage_periods'])
      await move(used, name, { account_id: null, [holder]: idsOf(name, table) })
  await move('usage_periods', 'the whole group', { account_id: null, device_id: idsOf('the whole group', 'devices') })
  await move('properties', 'leaving', { deleted_at: new Date(), dependents_removed_at: null })
  await move('properties', 'left', { deleted_at: new Date(), dependents_removed_at: new Date() })
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

async function aCustomer(): Promise<number> {
  const { rows } = await admin.query<{ id: number }>(`insert into customers (name) values ('Operator') returning id`)
  return rows[0]?.id ?? 0
}

/** The one table without ids: its row is identified by its user. */
async function addOauthState(name: PlaceName) {
  const user_id = idsOf(name, 'users')
  rowsOf[name].set('oauth_states', user_id)
  await admin.query(
    `insert into oauth_states (state_hash, customer_id, user_id, kind, integration_type, expires_at)
    values (sha256($3), $1, $2, 'accounting', 'xero', now())`,
    [customer_id, user_id, Buffer.from(name)],
  )
}

async function move(table: string, name: PlaceName, changes: Record<string, unknown>) {
  const columns = Object.keys(changes).map((column, index) => `${column} = $${index + 2}`)
  const text = `update ${table} set ${columns.join(', ')} where id = $1`
  const { rowCount } = await admin.query(text, [idsOf(name, table), ...Object.values(changes)])
  expect(rowCount).toBe(1)
}

/** The places of the rows for which a condition on `t` holds; for rows of another customer, their ids. */
async function placesWhere(table: TenantTable, condition: ReturnType<typeof withinReach>): Promise<string[]> {
  const id = sql.ref(table === 'oauth_states' ? 't.user_id' : 't.id')
  const query = sql`select ${id} as id from ${sql.table(table)} as t where ${condition}`.compile(compiler)
  const { rows } = await admin.query<{ id: number | string }>(query.sql, [...query.parameters])
  return rows.flatMap(({ id }) => placeOf(table, Number(id)) ?? `of ${id}`).toSorted()
}
/** The first place, where several share the row. */
const placeOf = (table: TenantTable, id: number) => placeNames.find((name) => idsOf(name, table) === id)
const rowsAt = (names: PlaceName[], table: TenantTable) =>
  [...new Set(names.flatMap((name) => placeOf(table, idsOf(name, table)) ?? []))].toSorted()

const viewers: { reach: () => Reach; sees: (table: Seen) => PlaceName[] }[] = [
  { reach: () => reachOf({ owner_type: 'Customer', owner_id: customer_id }), sees: all },
  ...[['north'], ['south'], ['north', 'south'], []].map((groups) => ({
    reach: () => ({ of: 'Group' as const, ids: groups.map(groupOf) }),
    sees: ({ Group }: Seen) => Group(groups),
  })),
  ...([['harbour'], ['station'], ['the whole group'], ['harbour', 'airport'], []] satisfies PlaceName[][]).map(
    (names) => ({
      reach: () => ({ of: 'Property' as const, ids: names.map((name) => idsOf(name, 'properties')) }),
      sees: ({ Property }: Seen) => Property(names),
    }),
  ),
]

describe('who sees the rows of', () => {
  test.each(tables)('%s', async (table) => {
    for (const { reach, sees } of viewers) {
      const found = await placesWhere(table, withinReach(customer_id, reach(), table, 't'))
      expect(found, JSON.stringify(reach())).toEqual(rowsAt(sees(seen[table]), table))
    }
  })
})

test('a caller that acts for a customer reaches all of it, one that acts for a group or property just that', () => {
  expect(reachOf({ owner_type: 'Customer', owner_id: 7 })).toEqual({ of: 'Customer' })
  expect(reachOf({ owner_type: 'Group', owner_id: 7 })).toEqual({ of: 'Group', ids: [7] })
  expect(reachOf({ owner_type: 'Property', owner_id: 7 })).toEqual({ of: 'Property', ids: [7] })
})

describe('rows that are deleted, or go with a property that is being removed, are not seen', () => {
  const goWithProperty: TenantTable[] = [
    'accounts',
    'connections',
    'devices',
    'gateways',
    'property_interfaces',
    'room_guests',
    'rooms',
    'stays',
    'voucher_batches',
  ]
  const there = (table: TenantTable) => {
    const ofCustomer = withinReach(customer_id, { of: 'Customer' }, table, 't')
    return placesWhere(table, sql<boolean>`${ofCustomer} and ${notDeleted(customer_id, table, 't')}`)
  }
  test.each(tables)('%s', async (table) => {
    const isGone = (name: PlaceName) =>
      table === 'properties' ? ['leaving', 'left'].includes(name) : goWithProperty.includes(table) && name === 'leaving'
    const kept = placeNames.filter((name) => !isGone(name))
    expect(await there(table)).toEqual(rowsAt(kept, table))

    const { rows: marked } = await admin.query(
      `select from information_schema.columns where table_name = $1 and column_name = 'deleted_at'`,
      [table],
    )
    if (marked.length === 0) return
    await admin.query('begin')
    try {
      await move(table, 'harbour', { deleted_at: new Date() })
      const rest = kept.filter((name) => idsOf(name, table) !== idsOf('harbour', table))
      expect(await there(table)).toEqual(rowsAt(rest, table))
    } finally {
      await admin.query('rollback')
    }
  })
})

test('what is the same for everybody belongs to no customer', async () => {
  const { rows } = await admin.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not relrowsecurity and has_table_privilege('foyer_app', oid, 'select') and relname <> 'mac_category_templates'
    order by 1`,
  )
  expect([...lookupTables]).toEqual(rows.map(({ name }) => name))
  for (const table of lookupTables) expect(isTenantTable(table)).toBe(false)
  for (const table of ['properties', 'users'] as const) expect(isTenantTable(table)).toBe(true)
})
