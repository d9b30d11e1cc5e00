// Files of reports and erased guests: a file that names one is deleted, and goes with no mail; one that is being made begins anew.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as guests from '#contract/guests.ts'
import * as runs from '#contract/report-runs.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { mailWork, type OutgoingMail } from '#server/deliveries/mails.ts'
import { reportFileWork } from '#server/reports/make-run.ts'
import { takeRun } from '#server/reports/runs.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let editor: Person
let customer_id: number
let place: { gateway_id: number; property_id: number }
// This node runs no jobs: the tests do what is due.
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  customer_id = editor.user.customer.id
  const { id: property_id } = await foyer.property(editor)
  place = { property_id, gateway_id: (await foyer.gateway(editor, { property_id })).id }
})
afterAll(() => foyer.close())

const day_s = 86_400

/** Online for an hour, so many days ago. */
async function aGuest({ days_ago = 3 } = {}) {
  const email = `${unique('guest').replaceAll(' ', '-')}@guests.example`
  const [guest] = await foyer.query<{ id: number }>(
    'insert into guests (customer_id, property_id, email) values ($1, $2, $3) returning id::integer',
    [customer_id, place.property_id, email],
  )
  await foyer.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, guest_id, session_key, acct_session_id, identifier, started_at,
       last_seen_at, stopped_at)
     select $1, $2, $3, $4, $5, $5, $5, t.began, t.began + interval '1 hour', t.began + interval '1 hour'
     from (select now() - make_interval(secs => $6) as began) as t`,
    [customer_id, place.gateway_id, place.property_id, guest?.id, email, days_ago * day_s],
  )
  return { id: guest?.id ?? 0, email }
}

/** A run of a weekly report, of the seven days before today. */
async function aRun(columns: ('identifier' | 'start')[] = ['start', 'identifier'], recipients: string[] = []) {
  const weekly = {
    name: unique('Usage'),
    frequency: 3,
    start_date: '2026-01-05',
    format: 'csv',
    columns,
    recipients,
  } as const
  const { data: report } = await foyer.get(scheduled.create, weekly, editor)
  return (await foyer.get(runs.runNow, { id: report.id }, editor)).data.id
}

const erase = (...some: { id: number }[]) => foyer.get(guests.erase, { ids: some.map(({ id }) => id) }, editor)
const needs = () => ({ ...foyer.services, config: { report_files_kept_ms: day_s * 1000 } })
const make = (id: number, given = needs()) => tryDue(reportFileWork, given, { customer_id, about_id: id })
const fileOf = async (id: number) => (await foyer.file(runs.downloadRun, { id }, editor)).bytes.toString()
const gone = { status: 409, body: { message: 'Its file has been deleted. Run the report again.' } }

test('a file that names an erased guest is deleted, and neither a mail that waits nor a new one takes it along', async () => {
  const guest = await aGuest()
  const reader = editor.user.email
  const [naming, plain] = [await aRun(undefined, [reader]), await aRun(['start'])]
  for (const id of [naming, plain]) expect(await make(id)).toBe('done')
  expect(await fileOf(naming)).toContain(guest.email)
  const [file] = await foyer.query<{ file_id: number }>('select file_id from report_runs where id = $1', [naming])
  const mails = `select id from outbox_mails where customer_id = $1 and kind = 'report'`
  const [mail] = await foyer.query<{ id: number }>(`${mails} and file_id = $2`, [customer_id, file?.file_id])

  await erase(guest)
  expect(await foyer.ask(runs.downloadRun, { id: naming }, editor)).toMatchObject(gone)
  expect(await foyer.ask(runs.sendRun, { id: naming }, editor)).toMatchObject(gone)
  expect(await foyer.query('select from files where id = $1', [file?.file_id])).toEqual([])
  const delivered: OutgoingMail[] = []
  const mailer = { deliver: (one: OutgoingMail) => Promise.resolve(void delivered.push(one)) }
  await tryDue(mailWork, { ...foyer.services, mailer }, { customer_id, about_id: mail?.id ?? 0 })
  expect(delivered).toEqual([])
  // What names nobody stays.
  expect(await fileOf(plain)).toContain('Start')
})

test('files of days on which the guest was not online stay, unless some of these days are no longer kept', async () => {
  const [guest, former] = [await aGuest({ days_ago: 30 }), await aGuest({ days_ago: 31 })]
  const id = await aRun()
  await make(id)
  await erase(guest)
  expect(await fileOf(id)).toContain('Identifier')
  await foyer.query('update customers set sessions_kept_since = now() where id = $1', [customer_id])
  await erase(former)
  expect(await foyer.ask(runs.downloadRun, { id }, editor)).toMatchObject(gone)
  await foyer.query('update customers set sessions_kept_since = null where id = $1', [customer_id])
})

test('a report that is being made while a guest is erased begins anew, and names nobody', async () => {
  const guest = await aGuest()
  const id = await aRun()
  const { storage } = foyer.services
  const putStream: typeof storage.putStream = async (...file) => {
    const put = await storage.putStream(...file)
    await erase(guest)
    return put
  }
  expect(await make(id, { ...needs(), storage: { ...storage, putStream } })).toBe('waits')
  expect(await foyer.query('select outcome, file_id from report_runs where id = $1', [id])).toEqual([
    { outcome: 'queued', file_id: null },
  ])
  expect(await make(id)).toBe('done')
  const file = await fileOf(id)
  expect(file).toContain('Identifier')
  expect(file).not.toContain(guest.email)
})

test('no report is begun between the beginning of an erasure and its end', async () => {
  const guest = await aGuest()
  const id = await aRun()
  const eraser = await connect(foyer.database.ownerUrl)
  try {
    await eraser.query('begin')
    await eraser.query(`select set_config('app.customer_id', $1, true)`, [String(customer_id)])
    await eraser.query('select erase_guests(array[$1::bigint])', [guest.id])
    const taking = foyer.services.tenancy.enter(callerOfJob(customer_id, 'test'), 'write', (scope) =>
      takeRun(scope, id, 1),
    )
    const waiting = `select from pg_locks as l join pg_stat_activity as a on a.pid = l.pid
      where l.locktype = 'advisory' and not l.granted and a.datname = current_database()`
    await expect.poll(() => foyer.query(waiting, []), { timeout: 60_000 }).not.toEqual([])
    await eraser.query('commit')
    expect(await taking).toMatchObject({ id })
  } finally {
    await eraser.end()
  }
})
