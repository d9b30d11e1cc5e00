// Scheduled reports: each time one is due it is made once and arrives once, with two nodes running; recipients stop it by a link, it
// is paused after failures, and runs that were killed, cancelled or finished show it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Input } from '#contract/endpoint.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { openNode, type Node } from '#server/node.ts'
import { startDueReports } from '#server/reports/due-reports.ts'
import { beginDue } from '#server/reports/schedule.ts'
import { readConfig } from '#server/start/config.ts'
import { clash, forbidden, notFound } from '#server/errors/refused.ts'
import { openFoyer, patient, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMailServer, type TakenMail } from '#test/mail-server.ts'
import { expectRefused, nothingHere } from '#test/refused.ts'

const received: TakenMail[] = []
/** Without the soft line breaks of quoted-printable. */
const mailsTo = (address: string) =>
  received.filter(({ to }) => to.includes(address)).map(({ text }) => text.replaceAll('=\r\n', ''))
const wait = { timeout: 120_000, interval: 200 }

let mail_server: Awaited<ReturnType<typeof openMailServer>>
let foyer: TestFoyer
let second: Node
let editor: Person
beforeAll(async () => {
  mail_server = await openMailServer((mail) => void received.push(mail))
  const env = { ROLES: 'all', SMTP_URL: mail_server.url, MAIL_FROM: 'Foyer <wifi@foyer.example>' }
  foyer = await openFoyer({ env })
  const config = readConfig({ ...env, PUBLIC_URL: 'http://foyer.test', STORAGE_URL: `file://${foyer.storage}` })
  second = await openNode({ config, ...foyer.database, webRoot: null, tenancy: patient })
  editor = await foyer.customer()
  await foyer.query(`update logins set email = replace(email, '@example.com', '@schedules.example') where email = $1`, [
    editor.user.email,
  ])
})
afterAll(async () => {
  await second?.close()
  await foyer?.close()
  await mail_server?.close()
})

let serial = 0
/** In the domain of the editor's confirmed address, so that nobody is asked. */
const someone = () => `reader${++serial}@schedules.example`
const weekly = 3

const aSchedule = async (recipients: string[], values: Partial<Input<typeof scheduled.create>> = {}) =>
  (
    await foyer.get(
      scheduled.create,
      { name: unique('Usage'), frequency: weekly, start_date: '2026-01-05', format: 'csv', recipients, ...values },
      editor,
    )
  ).data

/** As if it had been due that many days ago, and no node had run since. */
const away = (report_id: number, days: number) =>
  query(
    `update reports set next_due_on = next_due_on - $2::integer, next_run_at = next_run_at - make_interval(days => $2)
    where id = $1`,
    [report_id, days],
  )
/** Straight from the database. */
async function query<R extends object>(text: string, values: unknown[]): Promise<R[]> {
  const admin = await connect(foyer.database.adminUrl)
  try {
    return (await admin.query<R>(text, values)).rows
  } finally {
    await admin.end()
  }
}
const sweepOnBoth = () => Promise.all([foyer, second].map(({ services }) => startDueReports(services)))
const runsOf = async (report_id: number) => (await foyer.get(runs.listRuns, { params: { report_id } }, editor)).data
async function over(report_id: number, outcome: string, count = 1) {
  const ended = async () => (await runsOf(report_id)).filter((run) => run.outcome === outcome).length
  await expect.poll(ended, wait).toBe(count)
}

test('a report that is due arrives once, as a file, even if two nodes sweep at the same time', async () => {
  const reader = someone()
  const { id, next_run_at } = await aSchedule([reader])
  expect(new Date(next_run_at ?? 0).getTime()).toBeGreaterThan(Date.now())
  await away(id, 7)
  await Promise.all([sweepOnBoth(), sweepOnBoth()])
  await over(id, 'done')
  await expect.poll(() => mailsTo(reader).length, wait).toBe(1)
  await sweepOnBoth()
  const [run, ...others] = await runsOf(id)
  expect(others).toEqual([])
  expect(run).toMatchObject({ report_id: id, format: 'csv', row_count: 0, progress: 100, error: null })
  // The week before the day on which it was due; its next time has not changed.
  const { data } = await foyer.get(reports.get, { id }, editor)
  expect(data.next_run_at).toBe(next_run_at)
  const days = (Date.parse(run?.period_end ?? '') - Date.parse(run?.period_start ?? '')) / 86_400_000
  expect(days).toBe(6)
  const [mail = ''] = mailsTo(reader)
  expect(mail).toMatch(new RegExp(`^Message-ID: <report-run-${run?.id}-`, 'im'))
  expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/im)
  const attached = /Content-Disposition: attachment[\s\S]*?\r?\n\r?\n([\s\S]*?)\r?\n--/i.exec(mail)?.[1] ?? ''
  const { bytes } = await foyer.file(runs.downloadRun, { id: run?.id ?? 0 }, editor)
  expect(bytes.toString()).toContain('Identifier')
  expect(Buffer.from(attached, 'base64').equals(bytes)).toBe(true)
  expect(mailsTo(reader)).toHaveLength(1)
})

test('after an outage each missed weekly report is made, and only the newest of a daily one', async () => {
  const [every_week, every_day] = [await aSchedule([]), await aSchedule([], { frequency: 2 })]
  await away(every_week.id, 21)
  await away(every_day.id, 5)
  await sweepOnBoth()
  await over(every_week.id, 'done', 3)
  await over(every_day.id, 'done', 1)
  const periods = (await runsOf(every_week.id)).map(({ period_start }) => period_start)
  expect(new Set(periods).size).toBe(3)
})

test('a report that is changed after it was found to be due is asked again before it is made', async () => {
  const changed: [string, (id: number) => Promise<unknown>, number][] = [
    ['renamed', (id) => foyer.get(scheduled.update, { id, name: unique('Renamed') }, editor), 1],
    ['begun anew', (id) => foyer.get(scheduled.update, { id, frequency: 5 }, editor), 0],
    ['disabled', (id) => foyer.get(scheduled.deactivateScheduled, { id }, editor), 0],
    ['deleted', (id) => foyer.get(reports.remove, { id }, editor), 0],
    // By a node that found its owner gone, at the same minute.
    ['paused', (id) => query(`update reports set paused_at = now(), paused_for = 'owner_left' where id = $1`, [id]), 0],
  ]
  const { services } = foyer
  for (const [how, change, runs_made] of changed) {
    const { id } = await aSchedule([])
    await away(id, 7)
    await change(id)
    const caller = callerOfJob(editor.user.customer.id, 'reports')
    await services.tenancy.enter(caller, 'write', (scope) => beginDue(scope, services.queue, id))
    const made = await query('select id from report_runs where report_id = $1', [id])
    expect(made.length, how).toBe(runs_made)
  }
})

/** What the link in a mail opens, on the guests' origin. */
const stopPath = (mail: string) => /\/stop-reports\/[\w.-]+/.exec(mail.replace(/=\r?\n/g, ''))?.[0] ?? ''
const onGuestsOrigin = (method: 'GET' | 'POST', url: string, body?: string, type?: string) => {
  if (!foyer.guest) throw new Error('the guests have no pages')
  return foyer.guest.inject({
    method,
    url,
    ...(body !== undefined && {
      payload: body,
      headers: { 'content-type': type ?? 'application/x-www-form-urlencoded' },
    }),
  })
}

test('a recipient stops the mails by the button behind the link, and other recipients still get them', async () => {
  const [reader, other] = [someone(), someone()]
  const { id } = await aSchedule([reader, other], { name: 'Usage of all' })
  await foyer.get(runs.runNow, { id }, editor)
  await expect.poll(() => [mailsTo(reader).length, mailsTo(other).length], wait).toEqual([1, 1])
  const stop = stopPath(mailsTo(reader)[0] ?? '')

  const asked = await onGuestsOrigin('GET', stop)
  expect(asked.statusCode).toBe(200)
  expect(asked.body).toContain('Send no more')
  expect(await query('select from report_receivers where email = $1', [reader])).toHaveLength(0)

  const forged = await onGuestsOrigin(
    'POST',
    stop.replace(/\w$/, (last) => (last === 'A' ? 'Q' : 'A')),
    '',
  )
  const malformed = await onGuestsOrigin('POST', '/stop-reports/e30.abc', '')
  for (const page of [forged, malformed]) expectRefused(page, nothingHere)

  const pressed = await onGuestsOrigin('POST', stop, '')
  expect(pressed.body).toContain('No more reports')
  await foyer.get(runs.runNow, { id }, editor)
  await expect.poll(() => mailsTo(other).length, wait).toBe(2)
  await over(id, 'done', 2)
  expect(mailsTo(reader)).toHaveLength(1)

  // A mail program's own button, which does not open the page.
  const boundary = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
  const own = stopPath(mailsTo(other)[0] ?? '')
  expect((await onGuestsOrigin('POST', own, boundary, 'multipart/form-data; boundary=x')).statusCode).toBe(200)
  const [run] = await runsOf(id)
  const again = await foyer.ask(runs.sendRun, { id: run?.id ?? 0 }, editor)
  expectRefused(again, clash('Its report has no recipients who want it.'))
  expect(mailsTo(other)).toHaveLength(2)
})

test('what is sent again arrives again', async () => {
  const reader = someone()
  const { id } = await aSchedule([reader])
  const { data } = await foyer.get(runs.runNow, { id }, editor)
  await expect.poll(() => mailsTo(reader).length, wait).toBe(1)
  await foyer.get(runs.sendRun, { id: data.id }, editor)
  await expect.poll(() => mailsTo(reader).length, wait).toBe(2)
})

test('a node that is killed between making a report and the end of its run sends nothing twice', async () => {
  const reader = someone()
  const { id } = await aSchedule([reader])
  const { data } = await foyer.get(runs.runNow, { id }, editor)
  await expect.poll(() => mailsTo(reader).length, wait).toBe(1)
  // As if the end of the run had been lost, but not what was written with it.
  const lost = `update report_runs set outcome = 'running', touched_at = now() - interval '1 hour' where id = $1`
  await query(lost, [data.id])
  await sweepOnBoth()
  await expect
    .poll(
      async () => (await query<{ attempts: number }>('select attempts from report_runs where id = $1', [data.id]))[0],
      wait,
    )
    .toEqual({ attempts: 2 })
  await over(id, 'done')
  expect(mailsTo(reader)).toHaveLength(1)
  const kept = await query('select from outbox_mails where message_key like $1', [`report-run-${data.id}-%`])
  expect(kept).toHaveLength(1)
})

test('after the fifth failure it is paused and its owner is notified why; activating it resumes it', async () => {
  const { id } = await aSchedule([])
  await query('update reports set failures = 4 where id = $1', [id])
  // An invalid report is not tried again.
  await query(`update reports set kind = 'free_wifi', package_ids = '{1}' where id = $1`, [id])
  await foyer.get(runs.runNow, { id }, editor)
  await over(id, 'failed')
  expect((await runsOf(id))[0]?.error).toBe('The free Wi-Fi report cannot be narrowed by this')
  const notices = () => mailsTo(editor.user.email).filter((text) => text.includes('is paused'))
  await expect.poll(() => notices().length, wait).toBe(1)
  expect(notices()[0]).toContain('The free Wi-Fi report cannot be narrowed by this')
  const [paused] = (await foyer.get(scheduled.listScheduled, { filters: {} }, editor)).data.filter(
    (one) => one.id === id,
  )
  expect(paused).toMatchObject({ failures: 5, next_run_at: null })
  expect(paused?.paused_at).not.toBeNull()
  await query(`update reports set package_ids = '{}' where id = $1`, [id])
  // Another name does not resume it: it did not rest for what it names.
  await foyer.get(scheduled.update, { id, name: 'Renamed' }, editor)
  expect((await foyer.get(reports.get, { id }, editor)).data.next_run_at).toBeNull()
  await foyer.get(scheduled.activateScheduled, { id }, editor)
  expect((await foyer.get(reports.get, { id }, editor)).data.next_run_at).not.toBeNull()
})

test('a cancelled run is not made and has no file', async () => {
  const { id } = await aSchedule([])
  const [row] = await query<{ id: number }>(
    `insert into report_runs (customer_id, report_id, name, format) select customer_id, id, name, format from reports
    where id = $1 returning id`,
    [id],
  )
  const run = { id: row?.id ?? 0 }
  expect((await foyer.get(runs.cancelRun, run, editor)).data.outcome).toBe('cancelled')
  expectRefused(
    await foyer.ask(runs.downloadRun, run, editor),
    clash('There is no file: the run was cancelled. Run the report again.'),
  )
  const stranger = await foyer.customer()
  expectRefused(await foyer.ask(runs.getRun, run, stranger), notFound())
  expectRefused(await foyer.ask(runs.cancelRun, run, await foyer.viewer(editor)), forbidden())
})
