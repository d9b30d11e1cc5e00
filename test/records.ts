// Records: one row in every tenant table, made from the catalogue, so that a new table cannot be forgotten.
import type { Client } from 'pg'
import { reportKinds } from '#contract/reports.ts'
import { openSeal } from '#server/secrets/seal.ts'
import { placeIn, type SealedColumnName } from '#server/secrets/sealed-columns.ts'
import { secretKey } from '#test/database.ts'

interface Column {
  table: string
  name: string
  type: string
  optional: boolean
  /** The table it refers to, together with `customer_id`, or a look-up. */
  target: string | null
  /** The first value that its check constraint allows, if that is a list of words. */
  word: string | null
  once: boolean
}

/** The id of the row in each table. */
export type Records = Map<string, number>

export interface Place {
  customer_id: number
  /** Part of every text in the rows, so that it is recognised wherever it appears. */
  mark: string
  /** Existing rows, to which all others belong. */
  known?: Record<string, number | undefined>
}

/** Values that the catalogue does not reveal. */
const values: Record<string, unknown> = {
  'guest_devices.account_id': true,
  'portal_footers.image_file_id': true,
  'room_guests.stay_id': true,
  'portals.slug': null,
  'portals.logo_file_id': true,
  'portal_versions.number': 1,
  'portal_versions.logo_file_id': true,
  'portal_versions.design': JSON.stringify({ headline: 'Welcome back' }),
  'usage_periods.account_id': true,
  'undelivered.mail_id': true,
  'reports.kind': reportKinds[0],
  'marketing_integrations.integration_type': 'mailchimp',
  'accounting_integrations.integration_type': 'xero',
  'events.type': 'account.created',
  'webhooks.events': ['account.created'],
  'webhooks.url': 'https://crm.example/foyer',
  'webhooks.personal_data': true,
  'radius_authorisations.account_id': true,
  'access_passes.account_id': true,
  'integration_tokens.accounting_integration_id': true,
  'billing_lines.month': '2026-01-01',
  'vouchers.code': null,
}
/** Sealed values that the product can open: they are bound to the record that the row belongs to. */
const sealed: Record<string, { column: SealedColumnName; of: string }> = {
  'voucher_batch_passwords.sealed_password': {
    column: 'voucher_batch_passwords.sealed_password',
    of: 'voucher_batches',
  },
  'webhook_secrets.sealed_secret': { column: 'webhook_secrets.sealed_secret', of: 'webhooks' },
  'account_passwords.sealed_password': { column: 'account_passwords.sealed_password', of: 'accounts' },
}
const seal = openSeal(() => [secretKey])

const catalogue = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
    not a.attnotnull or a.atthasdef as optional,
    (select k.confrelid::regclass::text from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'f' and a.attnum = k.conkey[cardinality(k.conkey)]) as target,
    (select (regexp_match(pg_get_constraintdef(k.oid), '= (?:ANY \\(\\(?ARRAY\\[)?''([^'']+)''::text'))[1] from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as word,
    exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any (i.indkey)) as once
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and a.attidentity = '' and a.attname <> 'customer_id'
    and exists (select from pg_attribute x where x.attrelid = c.oid and x.attname = 'customer_id')
    and exists (select from pg_attribute x where x.attrelid = c.oid and x.attname = 'id')
  order by c.relname, a.attnum`

/** When everything in them happened. */
export const day_of_records = '2026-01-01'

/** What there is one of: the ledger and the state of a property, which are made with it, and the count of a customer's hours. */
const made_before: Record<string, string> = {
  night_ledgers: 'on conflict (customer_id, property_id) do update set begins_on = excluded.begins_on',
  property_states: 'on conflict (customer_id, property_id) do update set sentence = excluded.sentence',
  hour_ledgers: 'on conflict (customer_id) do update set counted_until = excluded.counted_until',
}

let serial = 0

/** Adds one row of this place to every tenant table, and returns the ids. */
export async function fillTables(admin: Client, { customer_id, mark, known = {} }: Place): Promise<Records> {
  const { rows } = await admin.query<Column>(catalogue)
  const tables = Map.groupBy(rows, (column) => column.table)
  const records: Records = new Map(
    Object.entries(known).filter((entry): entry is [string, number] => entry[1] !== undefined),
  )
  const making = new Set<string>()

  async function idOf(table: string): Promise<number | null> {
    const made = records.get(table)
    if (made !== undefined) return made
    const columns = tables.get(table)
    // A look-up has its first row; a circular reference stays empty if it may.
    if (!columns) return table === 'logins' ? null : 1
    if (making.has(table)) return null
    making.add(table)
    const entries: [string, unknown][] = [['customer_id', customer_id]]
    for (const column of columns) {
      const value = await valueOf(column, columns)
      if (value !== undefined && value !== null) entries.push([column.name, value])
    }
    const names = entries.map(([name]) => name).join(', ')
    const holes = entries.map((_, index) => `$${index + 1}`).join(', ')
    const given = entries.map(([, value]) => value)
    const {
      rows: [row],
    } = await admin
      .query<{ id: number }>(
        `insert into ${table} (${names}) values (${holes}) ${made_before[table] ?? ''} returning id`,
        given,
      )
      .catch((error: Error) => {
        throw new Error(`${table} (${names}): ${error.message}`)
      })
    const id = Number(row?.id)
    records.set(table, id)
    return id
  }

  /** Of the voucher's code, to which its sealed text is bound. */
  const markOfVoucher = async () => Buffer.from(String(await idOf('vouchers')).padStart(32, '0'))

  async function valueOf(column: Column, columns: Column[]): Promise<unknown> {
    if (column.table === 'voucher_codes' && column.name === 'fingerprint') return markOfVoucher()
    if (column.table === 'voucher_codes' && column.name === 'sealed_code') {
      const place = placeIn('voucher_codes.sealed_code', { customer_id }, (await markOfVoucher()).toString('hex'))
      return seal.close(String(await idOf('vouchers')).padStart(12, 'A'), place)
    }
    const closed = sealed[`${column.table}.${column.name}`]
    if (closed) return seal.close('sealed', placeIn(closed.column, { customer_id }, (await idOf(closed.of)) ?? 0))
    const special = values[`${column.table}.${column.name}`]
    if (column.target) {
      // Rows belong to the property if they can, else to the group; optional references to anything else stay empty.
      const has = (name: string) => columns.some((other) => other.name === name)
      const owner = column.name === 'property_id' || (column.name === 'group_id' && !has('property_id'))
      return owner || !column.optional || special ? idOf(column.target) : undefined
    }
    if (column.word && !column.optional) return column.word
    const number = ++serial
    if (column.type === 'text' && typeof special === 'string') return special
    if (
      column.type === 'text' &&
      (!column.optional || special === undefined) &&
      !column.word &&
      !/^(time_zone)$/.test(column.name)
    ) {
      if (column.name === 'code') return String(number).padStart(12, 'A')
      return /email/.test(column.name) ? `${mark}${number}@example.com`.toLowerCase() : `${mark} ${number}`
    }
    if (column.optional && !(special && column.type === 'boolean')) return undefined
    if (special) return special
    switch (column.type) {
      case 'bytea':
        return Buffer.from(String(number).padStart(32, '0'))
      case 'boolean':
        return true
      case 'date':
      case 'timestamp with time zone':
        return new Date(Date.UTC(2026, 0, column.once ? number : 1))
      case 'macaddr':
        return `02:00:00:00:${(number >> 8).toString(16).padStart(2, '0')}:${(number & 255).toString(16).padStart(2, '0')}`
      case 'inet':
        return '192.0.2.1'
      case 'character':
        return 'GBP'
      case 'jsonb':
        return '{}'
      case 'uuid':
        return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
      case 'integer[]':
        return [1]
      case 'text[]':
        return [mark]
      default:
        return column.type.endsWith('[]') ? [] : column.once ? number : 1
    }
  }

  for (const table of tables.keys()) await idOf(table)
  return records
}
