// Make run: the due work that writes a report's file to the storage row by row, then marks the run done and puts its mails in the outbox
// in one transaction. It may be killed at any point: the next node to take the run starts it again and writes no mail twice.
import { sql } from 'kysely'
import { day_ms } from '#contract/days.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { lostSentences, presentOf } from '#server/access/present-rights.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { invalid, Refused } from '#server/errors/refused.ts'
import { oneRow } from '#server/entities/read.ts'
import { keepFiles } from '#server/files/keep.ts'
import { putSealed } from '#server/files/sealed-files.ts'
import { TooManyBytes, type Storage } from '#server/files/storage.ts'
import { doubling, TriedInVain, type DueWork, type Failed, type Held, type Settle } from '#server/due/due-work.ts'
import type { TableFile } from '#server/tables/table.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { now } from '#server/time/clock.ts'
import type { PausedFor } from '#contract/reports.ts'
import { reportQueryOf } from './report-query.ts'
import { look_again_ms } from './completeness.ts'
import { namesGuests, openReport, refuseIdentifiers } from './file.ts'
import { reports } from './record.ts'
import { ownerOfSchedule, pause, pausedSentences, unreachableIn } from './owners.ts'
import { mailRun, type MailOptions } from './run-mails.ts'
import {
  markDone,
  markFailed,
  markQueued,
  recordProgress,
  reportFileKind,
  silent_s,
  takeRun,
  type TakenRun,
} from './runs.ts'

interface MakeOptions extends MailOptions {
  tenancy: Tenancy
  storage: Storage
  seal: Seal
  /** How long files are kept. */
  kept_ms: number
}

/** The schedule rests: its owner may not have it made any more. */
class Rests extends Error {
  readonly why: PausedFor
  constructor(why: PausedFor) {
    super(pausedSentences[why])
    this.why = why
  }
}

/** The run was cancelled, another node has taken it, or it begins anew since guests were erased. */
class RunLost extends Error {}

/** How often progress is recorded, which also finds out whether the run is still wanted. */
const progress_every_ms = 1000
/** A larger file is of no use to anybody: the user has to ask for fewer days. */
const bytes_max = 1_000_000_000
/** So long the storage may be down before a run is given up. A fault of ours is tried a few times only. */
const outage_max_ms = 3 * day_ms
/** Failures in a row before a schedule is paused. */
const failures_max = 5

/** What the run failed by, and the run as it was taken. */
class MakingFailed extends TriedInVain {
  readonly run: TakenRun
  /** @param queued_at since when it has been tried */
  constructor(run: TakenRun, cause: unknown, queued_at: Date) {
    const isRefused = cause instanceof Refused
    const isOutage = isRefused && cause.retry_after_s !== undefined
    super(reasonOf(cause), {
      hopeless: cause instanceof Rests || cause instanceof TooManyBytes || (isRefused && !isOutage),
      goes_on: isOutage && now() - queued_at.getTime() < outage_max_ms,
      cause,
    })
    this.run = run
  }
}

async function makeRun(options: MakeOptions, { about_id, caller, tries, created_at }: Held): Promise<Settle | void> {
  const run = await options.tenancy.enter(caller, 'write', (scope) => takeRun(scope, about_id, tries))
  if (run === 'busy') return () => Promise.resolve({ waits_s: silent_s })
  if (!run) return
  try {
    await make(options, caller, run)
  } catch (error) {
    if (error instanceof RunLost) return () => Promise.resolve({ waits_s: 0 })
    throw new MakingFailed(run, error, created_at)
  }
}

/** The first wait after a failure, and the longest. */
const again_after_s = 20
const again_after_max_s = 900

export const reportFileWork: DueWork<Omit<MakeOptions, 'kept_ms'> & { config: { report_files_kept_ms: number } }> = {
  kind: reportFileKind,
  about: (scope) =>
    sql`(select r.name from report_runs as r where r.id = t.about_id and ${scope.inReach('report_runs', 'r')})`,
  promise: 'repeated',
  at_once: 2,
  of_one_customer: 1,
  tries_max: 4,
  wait_s: doubling(again_after_s, again_after_max_s),
  run: ({ config, ...services }, held) => makeRun({ ...services, kept_ms: config.report_files_kept_ms }, held),
  failed: (scope, _, how, { config: _config, ...services }) => fail(scope, services, how),
}

async function make({ tenancy, storage, seal, kept_ms, ...options }: MakeOptions, caller: Caller, run: TakenRun) {
  const { id, customer_id } = { id: run.id, customer_id: caller.customer_id }
  const owner = await askerOf(tenancy, caller, run)
  const later: Parameters<typeof openReport>[2] = (work) => tenancy.enter(owner, 'report', work)
  const { given, ...as_of } = askedBy(run)
  const opened = await later(async (scope) => {
    const query = await reportQueryOf(scope, given, as_of)
    refuseIdentifiers(scope, query)
    return { ...(await openReport(scope, query, later)), names_guests: namesGuests(query) }
  })
  const counter = counted(opened.rows, (progress) =>
    tenancy.enter(caller, 'write', async (scope) => {
      if (!(await recordProgress(scope, run, progress))) throw new RunLost()
    }),
  )
  const { file_name, content_type, content } = opened.write(run.format, counter.watched)
  const stored = await putSealed({ tenancy, storage, seal }, customer_id, content, bytes_max).catch(
    (error: unknown) => {
      throw counter.failed() ?? error
    },
  )
  // What is mailed is asked for by the same person.
  await tenancy.enter({ ...caller, ...(owner.asked && { asked: owner.asked }) }, 'write', async (scope) => {
    const files = await keepFiles(scope, storage, [{ name: file_name, content_type, ...stored }])
    const file_id = files.get(file_name)
    if (file_id === undefined) throw new Error('the file has no row')
    const made = {
      row_count: counter.count(),
      bytes: stored.byte_size,
      file_id,
      names_guests: opened.names_guests,
      period_start: opened.first,
      period_end: opened.last,
      complete_to: opened.complete_to,
      missing: opened.missing,
      // What a person asked for is as they found it.
      look_again_at: run.due_on !== null && opened.missing.length > 0 ? new Date(now() + look_again_ms) : null,
    }
    if (!(await markDone(scope, run, { ...made, kept_ms }))) throw new RunLost()
    if (!run.mails || run.report_id === null) return
    await scope.change('reports', [run.report_id], { failures: 0 })
    if (isOfSchedule(run) && made.row_count === 0 && (await isOnlyIfRows(scope, run.report_id))) return
    await mailRun(scope, options, { ...run, ...made, id, report_id: run.report_id }, { once: true })
  })
}

const isOfSchedule = ({ due_on, completes_run_id }: TakenRun) => due_on !== null || completes_run_id !== null

/** Whoever asked for the run, with what they may do at present: for one of a schedule, its owner. */
async function askerOf(tenancy: Tenancy, caller: Caller, run: TakenRun): Promise<Caller> {
  const { report_id, user_id, api_key_id: key_id, mails } = run
  if (report_id !== null && isOfSchedule(run)) {
    const owner = await ownerOfSchedule(tenancy, caller.customer_id, report_id)
    if (typeof owner === 'string') throw new Rests(owner)
    return owner
  }
  const right = { user_id, key_id, area: 'reports', action: mails ? 'write' : 'read' } as const
  const asker = await tenancy.enter(caller, 'read', (scope) => presentOf(scope, right))
  if (typeof asker === 'string') throw invalid({ id: [lostSentences[asker]] })
  const beyond =
    report_id === null ? [] : await tenancy.enter(asker, 'read', (scope) => unreachableIn(scope, report_id))
  if (beyond.length > 0) throw invalid({ id: [pausedSentences.owner_reach] })
  return asker
}

async function isOnlyIfRows(scope: Scope, report_id: number): Promise<boolean> {
  const { only_if_rows } = await oneRow(scope, reports, report_id)
  return only_if_rows
}

const askedBy = ({ report_id, asked, name, period_start, period_end, asked_at }: TakenRun) => ({
  given: { ...asked, ...(report_id === null ? { name } : { id: report_id }) },
  days: period_start === null || period_end === null ? undefined : { first: period_start, last: period_end },
  at: asked_at,
})

/** Passes the pages on and reports every now and then how many of their rows have gone by. */
function counted(total: number, report: (progress: number) => Promise<void>) {
  let count = 0
  let failure: unknown
  async function* watched<Row>(all: TableFile<Row>['pages']) {
    let reported_at = Date.now()
    try {
      for await (const page of all) {
        yield page
        count += page.length
        if (Date.now() - reported_at < progress_every_ms) continue
        await report(total === 0 ? 0 : (100 * count) / total)
        reported_at = Date.now()
      }
    } catch (error) {
      failure = error
      throw error
    }
  }
  return { watched, count: () => count, failed: () => failure }
}

/** Stands with the run, which has a button to make it again, and with its schedule. */
async function fail(scope: Scope, options: Omit<MakeOptions, 'kept_ms'>, { as, error, last_error }: Failed) {
  if (!(error instanceof MakingFailed)) return 'forget' as const
  const { run, cause } = error
  if (as === 'again') {
    await markQueued(scope, run, last_error)
    return
  }
  if (!(await markFailed(scope, run, last_error)) || run.report_id === null) return 'forget'
  if (cause instanceof Rests) await pause(scope, options, run.report_id, cause.why)
  else if (run.mails) await countFailure(scope, options, run.report_id, last_error)
  return 'forget'
}

/** A schedule that fails several times in a row is paused. */
async function countFailure(scope: Scope, options: Omit<MakeOptions, 'kept_ms'>, report_id: number, reason: string) {
  const [failed] = await scope.run(sql<ColumnsOf<'reports', 'failures'>>`
    update reports as t set failures = failures + 1
    where t.id = ${report_id} and t.paused_at is null and ${scope.inReach('reports', 't')} returning failures`)
  if (failed && failed.failures >= failures_max)
    await pause(scope, options, report_id, 'failed', `It failed several times. The last time: ${reason}`)
}

/** Why it failed, for the user who asked for it. Errors of our own are explained in the log. */
function reasonOf(error: unknown): string {
  if (error instanceof Rests) return error.message
  if (error instanceof TooManyBytes) return 'The file would be larger than 1 GB. Ask for fewer days.'
  if (!(error instanceof Refused)) return 'Something went wrong while it was made. The server’s log has the details.'
  const first = Object.values(error.errors ?? {}).flat()[0]
  return first ?? error.message
}
