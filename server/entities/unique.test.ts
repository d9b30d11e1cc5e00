// Unique indexes: each has a sentence for the person who violates it, or is listed here with the reason why nobody can.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as accounts from '#contract/accounts.ts'
import { connect } from '#server/db/logins.ts'
import { uniqueSentences } from '#server/entities/unique.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

/** Values that the product sets or looks up itself before it writes, and never takes from a form. */
const notFromForms: [RegExp, string][] = [
  [/_pkey$|_customer_id_id_key$/, 'ids are made by the database'],
  [/^(collection_properties|collection_users|team_users)_/, 'linking a member again leaves it linked'],
  [
    /^(account|api_key|gateway|gateway_setting|integration|property_interface|voucher_batch|webhook)_(passwords|secrets|tokens)_/,
    'one secret a record, replaced',
  ],
  [/^connection_secrets_/, 'one secret a record and key, replaced'],
  [
    /token_hash_key$|^(portals|files)_public_id_key$|_uuid_key$|^vouchers_code_unique$|^sessions_handle_key$/,
    'made at random by the server',
  ],
  [/^import_rows_/, 'kept by the import itself, one for each record'],
  [
    /^(voucher_batches_customer_id_batch_number|access_passes_username|access_passes_status)_key$/,
    'numbered and named by the server',
  ],
  [/^portal_versions_/, 'numbered by the server, while it holds the portal'],
  [/^portal_files_/, 'paths of one archive, checked to be different before'],
  [
    /^(billing_(runs|lines|invoices|invoice_lines|nights)|property_holidays|occupancy_nights|night_ledgers|report_runs)_/,
    'kept by jobs, once for each period',
  ],
  [
    // Sums and marks that jobs alone write.
    /^(radius_session|property_hour|customer_hour|hour_ledger|failed_job|usage_period|guest_device)s_/,
    'kept by accounting, one row counted up',
  ],
  [/^(session_days|guest_days|guest_day_sums|guest_first_days)_/, 'kept by accounting, one row counted up'],
  [/^property_states_/, 'one row for each property, made with it'],
  [/^trials_/, 'one row for each property, made if it is not there'],
  [
    /^(unregistered_gateways|gateway_addresses|gateway_controllers|access_points_customer_id)_/,
    'kept by RADIUS, one row for each that asks',
  ],
  [/^connections_customer_id_kind_own_id_key$/, 'noted by the database, one for each'],
  [/^attention_marks_once$/, 'a mark takes the place of the one before'],
  [/^(outages_open|outage_notices_once)$/, 'kept by a job, once for each'],
  [/^guests_(room_guest|waiting)_unique$/, 'made when somebody signs in, once for each guest'],
  [/^marketing_members_/, 'kept by a job, one for each guest'],
  [/^accounting_contacts_/, 'brought over from the other system by its own id'],
  [/^(outbox_mails_customer_id_message_key|report_stops|report_receivers)_/, 'a second time changes nothing'],
  [/^(due_work|webhook_deliveries)_once$/, 'what is queued again is due anew'],
  [
    /^(property_interface_setting_se|property_links|told_stays|told_messages|stay_differences)_/,
    'told by a property’s system, once each',
  ],
  [/^gateways_portal_label_unique$/, 'random, made by the database with each gateway'],
  [/^voucher_codes_/, 'drawn by the server, with its voucher'],
  [/^event_sequences_/, 'one row counted up'],
  [/^used_quotas_/, 'one row counted up'],
  [/^idempotency_keys_/, 'the second one gets the first one’s answer'],
]

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

test('every unique index of a tenant table has a sentence, or a reason to have none', async () => {
  const { rows } = await admin.query<{ name: string; columns: string[] }>(`
    select i.relname as name, array(select attname from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where x.indisunique and t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
      and exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'customer_id') order by 1`)
  const silent = rows.filter(
    ({ name }) => !(name in uniqueSentences) && !notFromForms.some(([known]) => known.test(name)),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
  const names = new Set(rows.map(({ name }) => name))
  expect(Object.keys(uniqueSentences).filter((name) => !names.has(name))).toEqual([])
  const wrongFields = Object.entries(uniqueSentences).filter(
    ([name, sentences]) =>
      !Object.keys(sentences).every((field) => rows.find((row) => row.name === name)?.columns.includes(field)),
  )
  expect(wrongFields).toEqual([])
})

test('a violation is reported at its field', async () => {
  const editor = await foyer.customer()
  const { name, property_id } = await foyer.account(editor)
  const again = await foyer.ask(accounts.create, { name: ` ${name.toUpperCase()}`, property_id }, editor)
  expect([again.status, JSON.parse(again.text)]).toMatchObject([
    422,
    { errors: uniqueSentences['accounts_name_unique'] },
  ])
})
