// Scheduled years: scheduled reports over simulated years, in several time zones, with a clock that runs, jumps and is set back, two
// nodes that work at the same time and crash anywhere, and a mail server that refuses one mail in five. Each period of PostgreSQL's
// calendar is reported once and arrives. A mail arrives twice only where SMTP cannot prevent it: accepted, but the answer was lost.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as company from '#contract/company.ts'
import { frequency_once } from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { mailWork, openMailer, type Mailer } from '#server/deliveries/mails.ts'
import { connect } from '#server/db/logins.ts'
import { openNode, type Node } from '#server/node.ts'
import { reportFileWork } from '#server/reports/make-run.ts'
import { startDueReports } from '#server/reports/due-reports.ts'
import { readConfig } from '#server/start/config.ts'
import { setClock } from '#server/time/clock.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, patient, type TestFoyer } from '#test/foyer.ts'
import { openMailServer } from '#test/mail-server.ts'
import { chance, full, seed } from './proof.ts'

const runs_wanted = full ? 30_000 : 120
const schedules = full ? 150 : 15
/** The schedules are spread over these, the same number in each zone; more would exceed the limit of sign-ups. */
const customers = full ? 15 : 6
const begins = Date.parse('2030-01-01T00:00:00Z')
const hour_ms = 3_600_000
/** The clock runs faster in the sample, so that fewer runs cover years as well. */
const pace = full ? 1 : 8
const zones = ['Europe/London', 'America/Los_Angeles', 'Pacific/Auckland']
/** First days, some of them at the end of a month, which shorter months do not have. */
const firsts = ['2030-01-31', '2030-01-01', '2029-11-30', '2030-03-29', '2030-02-28']
const daily = 2
const frequencies = [daily, 3, 4, 5, 6, 7]

const random = chance()
const oneIn = (times: number) => random() < 1 / times
/** Thrown by a node that crashes, and by everything it does afterwards. */
class Crashed extends Error {}

/** How often the mail server accepted each mail, by its id. */
const accepted = new Map<string, number>()
/** How often the answer to each mail was lost. */
const lost = new Map<string, number>()
const timesOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, times) => sum + times, 0)
const refusal = () => Object.assign(new Error('Try again later'), { responseCode: 451 })

let mail_server: Awaited<ReturnType<typeof openMailServer>>
let mailer: Mailer
let foyer: TestFoyer
let second: Node
let admin: Client
beforeAll(async () => {
  mail_server = await openMailServer(({ text }) => {
    if (oneIn(5)) throw refusal()
    const id = /^Message-ID:\s*<(.+?)@/im.exec(text)?.[1] ?? ''
    accepted.set(id, (accepted.get(id) ?? 0) + 1)
    if (!oneIn(40)) return
    lost.set(id, (lost.get(id) ?? 0) + 1)
    throw refusal()
  })
  // Without the role of jobs: only this test runs them.
  const env = { ROLES: 'api', QUOTA_MAILS: '1000000', QUOTA_EXPORTS: '1000000' }
  foyer = await openFoyer({ env })
  const config = readConfig({ ...env, STORAGE_URL: `file://${foyer.storage}`, DATA_DIR: foyer.storage })
  second = await openNode({ config, ...foyer.database, webRoot: null, tenancy: patient })
  admin = await connect(foyer.database.adminUrl)
  mailer = openMailer({ smtp_url: mail_server.url, mail_from: 'wifi@foyer.example', outbox_dir: foyer.storage })
})
afterAll(async () => {
  setClock()
  await admin?.end()
  await second?.close()
  await foyer?.close()
  await mail_server?.close()
})

/** A node's tenancy for one piece of work, during which the node may crash: before or after a commit. */
function crashing(tenancy: Tenancy): Tenancy {
  let crashed = false
  const mayCrash = () => {
    crashed ||= oneIn(30)
    if (crashed) throw new Crashed('the node is gone')
  }
  return {
    ...tenancy,
    async enter(caller, mode, work) {
      if (crashed) throw new Crashed('the node is gone')
      const result = await tenancy.enter(caller, mode, async (scope) => {
        const made = await work(scope)
        mayCrash()
        return made
      })
      mayCrash()
      return result
    },
  }
}
/** Whether the work was completed, without a crash. */
async function completed(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    const causes = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
    const crashes = causes.filter(
      (cause) => cause instanceof Crashed || (cause instanceof Error && cause.cause instanceof Crashed),
    )
    if (crashes.length === 0) throw error
    return false
  }
}

const nodes = () => [foyer.services, second.services]
const inData = async <R extends object>(text: string, values: unknown[] = []) =>
  (await admin.query<R>(text, values)).rows

async function aCustomer(index: number) {
  const editor = await foyer.customer()
  await foyer.get(company.update, { time_zone: zones[index % zones.length] ?? '' }, editor)
  return editor
}

async function aSchedule(index: number, editor: Awaited<ReturnType<typeof aCustomer>> | undefined): Promise<void> {
  const asked = {
    name: `Schedule ${index}`,
    frequency: frequencies[index % frequencies.length] ?? frequency_once,
    start_date: firsts[index % firsts.length] ?? '',
    format: 'csv' as const,
    recipients: [`reader${index}@example.com`],
  }
  await foyer.get(scheduled.create, asked, editor)
}

/** Runs all open report runs until none is left. Both nodes may work on the same one. */
async function finishRuns(): Promise<void> {
  for (;;) {
    const open = await inData<{ customer_id: number; run_id: number }>(
      `select customer_id, id as run_id from report_runs where outcome in ('queued', 'running') order by id`,
    )
    if (open.length === 0) return
    for (const { customer_id, run_id } of open) {
      const making = nodes().map((services) =>
        completed(
          tryDue(
            reportFileWork,
            { ...services, tenancy: crashing(services.tenancy), config: { report_files_kept_ms: 24 * hour_ms } },
            { customer_id, about_id: run_id },
          ),
        ),
      )
      await Promise.all(making)
    }
    // Runs of a crashed node are resumed after a while, which is simulated here.
    await inData(`update report_runs set touched_at = touched_at - interval '1 hour' where outcome = 'running'`)
  }
}

let crashed_after_accepting = 0
/** Mails sent concurrently, as by a node, because a mail server takes a moment to greet. */
const mails_at_once = 16
async function deliverMails(): Promise<void> {
  for (;;) {
    const waiting = await inData<{ customer_id: number; mail_id: number; key: string }>(
      `select customer_id, id as mail_id, message_key as key from outbox_mails
       where sent_at is null and message_key is not null order by id limit $1`,
      [mails_at_once],
    )
    if (waiting.length === 0) return
    await Promise.all(waiting.map((mail) => deliver(mail)))
  }
}
async function deliver({
  key,
  customer_id,
  mail_id,
}: {
  customer_id: number
  mail_id: number
  key: string
}): Promise<void> {
  const before = { accepted: accepted.get(key) ?? 0, lost: lost.get(key) ?? 0 }
  const { tenancy, log, queue, storage, seal } = foyer.services
  const needs = { tenancy: crashing(tenancy), log, queue, mailer, storage, seal }
  const ended = await completed(tryDue(mailWork, needs, { customer_id, about_id: mail_id })).catch(() => true)
  if (ended || (accepted.get(key) ?? 0) === before.accepted || (lost.get(key) ?? 0) > before.lost) return
  // The server has accepted it; if the node crashed before its commit, it is not recorded as sent.
  const [mail] = await inData<{ open: boolean }>(`select sent_at is null as open from outbox_mails where id = $1`, [
    mail_id,
  ])
  if (mail?.open) crashed_after_accepting++
}

test(
  `${runs_wanted} runs over simulated years, from seed ${seed}: none missed, none sent twice except where SMTP leaves it open`,
  { timeout: full ? 7_200_000 : 600_000 },
  async ({ task }) => {
    setClock(begins)
    const editors = []
    for (let index = 0; index < customers; index++) editors.push(await aCustomer(index))
    for (let index = 0; index < schedules; index++) await aSchedule(index, editors[index % customers])
    let clock = begins
    let furthest = begins
    let steps_back = 0
    const count = async () => (await inData<{ runs: number }>('select count(*)::integer as runs from report_runs'))[0]
    while (((await count())?.runs ?? 0) < runs_wanted) {
      // The clock moves on by hours or by up to three weeks, or is set back by up to two hours.
      if (oneIn(12)) {
        clock -= Math.round(random() * 2 * hour_ms)
        steps_back++
      } else clock += Math.round(hour_ms * pace * (oneIn(8) ? random() * 500 : 1 + random() * 40))
      furthest = Math.max(furthest, clock)
      setClock(clock)
      await Promise.all(nodes().map((node) => completed(startDueReports({ ...node, tenancy: crashing(node.tenancy) }))))
      // The next sweep, without a crash.
      await Promise.all(nodes().map((node) => startDueReports(node)))
      await finishRuns()
      await deliverMails()
    }
    await expectEachOnce(new Date(furthest))
    const [mails] = await inData<{ sent: number }>(
      `select count(*)::integer as sent from outbox_mails where message_key is not null and sent_at is not null`,
    )
    const [takes, answers_lost] = [timesOf(accepted), timesOf(lost)]
    expect(accepted.size).toBe(mails?.sent)
    expect(takes - accepted.size).toBe(answers_lost + crashed_after_accepting)
    task.meta.figures =
      `${accepted.size} runs of ${schedules} schedules until ${new Date(furthest).toISOString().slice(0, 10)}, ${steps_back} steps back: ` +
      `none missed; ${takes - accepted.size} mails arrived twice, ${answers_lost} of them because an answer was lost`
    console.log(task.meta.figures)
  },
)

/** Compares with PostgreSQL's calendar: every number of days or months after the first day, at six in the customer's time zone. */
async function expectEachOnce(until: Date): Promise<void> {
  const due = `
    select r.id, r.frequency, d.due_on::date::text as due_on from reports r join customers c on c.id = r.customer_id
    cross join lateral (select n, r.start_date + case r.frequency
        when 2 then make_interval(days => n) when 3 then make_interval(days => 7 * n) when 4 then make_interval(days => 14 * n)
        when 5 then make_interval(months => n) when 6 then make_interval(months => 3 * n) else make_interval(months => 12 * n) end
        as due_on from generate_series(0, 40000) as n) as d
    where r.name like 'Schedule %' and (d.due_on + interval '6 hours') at time zone c.time_zone > $1
      and (d.due_on + interval '6 hours') at time zone c.time_zone <= $2
    order by r.id, d.due_on`
  const expected = Map.groupBy(
    await inData<{ id: number; frequency: number; due_on: string }>(due, [new Date(begins), until]),
    ({ id }) => id,
  )
  const made = Map.groupBy(
    await inData<{ report_id: number; due_on: string; outcome: string }>(
      'select report_id, due_on::text, outcome from report_runs order by report_id, due_on',
    ),
    ({ report_id }) => report_id,
  )
  for (const [id, days] of expected) {
    const runs = made.get(id) ?? []
    expect(runs.every(({ outcome }) => outcome === 'done')).toBe(true)
    const [wanted, had] = [days.map(({ due_on }) => due_on), runs.map(({ due_on }) => due_on)]
    if (days[0]?.frequency !== daily) expect(had, `schedule ${id}`).toEqual(wanted)
    else {
      // Of missed days only the latest is reported.
      expect(new Set(had).size).toBe(had.length)
      expect(wanted).toEqual(expect.arrayContaining(had))
      expect(had.at(-1), `schedule ${id}`).toBe(wanted.at(-1))
    }
  }
}
