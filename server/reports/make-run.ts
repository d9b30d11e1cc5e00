// Make run: the job that makes a report's file, row by row into the storage, and puts its mails in the outbox with the line that says
// that it is done. It may be killed anywhere: whoever takes the run next begins it anew, and mails that are written stay written.
import { sql } from 'kysely'
import { callerOfJob, type Caller } from '#server/access/principal.ts'
import { reachOf, type Owner } from '#server/access/reach.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { Refused } from '#server/errors/refused.ts'
import { keepFiles } from '#server/files/keep.ts'
import { TooManyBytes, type Storage } from '#server/files/storage.ts'
import { job } from '#server/jobs/job.ts'
import type { TableFile } from '#server/tables/table.ts'
import { askedOf } from './asked.ts'
import { namesGuests, openReport } from './file.ts'
import { mailPaused, mailRun, type MailOptions } from './run-mails.ts'
import {
  reportRunKind,
  sayDone,
  sayFailed,
  sayProgress,
  sayTriedInVain,
  takeRun,
  tries_max,
  type TakenRun,
} from './runs.ts'

interface MakeOptions extends MailOptions {
  tenancy: Tenancy
  storage: Storage
  /** How long files are kept. */
  kept_ms: number
}

/** It was cancelled, or another has taken it. */
class LetGo extends Error {}

/** How often it is written down how far it is, and asked whether it is still wanted. */
const said_every_ms = 1000
/** A larger one is of no use to anybody: whoever asked asks for fewer days. */
const bytes_max = 1_000_000_000
/** So many fail in a row before a schedule rests. */
const failures_max = 5

export async function makeRun(
  options: MakeOptions,
  { customer_id, run_id }: { customer_id: number; run_id: number },
): Promise<void> {
  const { tenancy } = options
  const caller = callerOfJob(customer_id, 'reports')
  const run = await tenancy.enter(caller, 'write', (scope) => takeRun(scope, run_id))
  if (!run) return
  try {
    await make(options, caller, run)
  } catch (error) {
    if (error instanceof LetGo) return
    await tenancy.enter(caller, 'write', (scope) => fail(scope, options, run, error))
    if (!(error instanceof Refused)) throw error
  }
}

export const makeRunJob = job({
  kind: reportRunKind,
  run: ({ config, ...services }: Omit<MakeOptions, 'kept_ms'> & { config: { report_files_kept_ms: number } }, run) =>
    makeRun({ ...services, kept_ms: config.report_files_kept_ms }, run),
})

async function make({ tenancy, storage, kept_ms, ...options }: MakeOptions, caller: Caller, run: TakenRun) {
  const { id, customer_id } = { id: run.id, customer_id: caller.customer_id }
  const owner = asOwner(caller, run)
  const later: Parameters<typeof openReport>[2] = (work) => tenancy.enter(owner, 'report', work)
  const { given, days } = askedBy(run)
  const opened = await later(async (scope) => {
    const asked = await askedOf(scope, given, days)
    return { ...(await openReport(scope, asked, later)), names_guests: namesGuests(asked) }
  })
  const going = counted(opened.rows, (progress) =>
    tenancy.enter(caller, 'write', async (scope) => {
      if (!(await sayProgress(scope, run, progress))) throw new LetGo()
    }),
  )
  const { file_name, content_type, content } = opened.write(run.format, going.watched)
  const { hash, byte_size } = await storage.putStream(customer_id, content, bytes_max).catch((error: unknown) => {
    throw going.failed() ?? error
  })
  await tenancy.enter(caller, 'write', async (scope) => {
    const files = await keepFiles(scope, storage, [{ name: file_name, content_type, byte_size, hash }])
    const file_id = files.get(file_name)
    if (file_id === undefined) throw new Error('the file has no row')
    const made = {
      row_count: going.count(),
      bytes: byte_size,
      file_id,
      names_guests: opened.names_guests,
      period_start: opened.first,
      period_end: opened.last,
    }
    if (!(await sayDone(scope, run, { ...made, kept_ms }))) throw new LetGo()
    if (!run.mails || run.report_id === null) return
    await scope.change('reports', [run.report_id], { failures: 0 })
    await mailRun(scope, options, { ...run, ...made, id, report_id: run.report_id }, { once: true })
  })
}

/** What its owner reaches, and no more. */
function asOwner(caller: Caller, { group_id, property_id }: TakenRun): Caller {
  const owner: Owner =
    property_id !== null
      ? { owner_type: 'Property', owner_id: property_id }
      : group_id !== null
        ? { owner_type: 'Group', owner_id: group_id }
        : caller.owner
  return { ...caller, owner, reach: reachOf(owner) }
}

const askedBy = ({ report_id, asked, name, period_start, period_end }: TakenRun) => ({
  given: { ...asked, ...(report_id === null ? { name } : { id: report_id }) },
  days: period_start === null || period_end === null ? undefined : { first: period_start, last: period_end },
})

/** The pages, one after the other, while it is said how many of their rows have gone by. */
function counted(total: number, say: (progress: number) => Promise<void>) {
  let count = 0
  let failure: unknown
  async function* watched<Row>(all: TableFile<Row>['pages']) {
    let said_at = Date.now()
    try {
      for await (const page of all) {
        yield page
        count += page.length
        if (Date.now() - said_at < said_every_ms) continue
        await say(total === 0 ? 0 : (100 * count) / total)
        said_at = Date.now()
      }
    } catch (error) {
      failure = error
      throw error
    }
  }
  return { watched, count: () => count, failed: () => failure }
}

async function fail(scope: Scope, { queue, ...options }: MakeOptions, run: TakenRun, error: unknown) {
  const words = inWords(error)
  const is_hopeless = error instanceof TooManyBytes || (error instanceof Refused && error.retry_after_s === undefined)
  if (!is_hopeless && run.attempts < tries_max) return sayTriedInVain(scope, queue, run, words)
  if (!(await sayFailed(scope, run, words)) || !run.mails || run.report_id === null) return
  const [rests] = await scope.run(sql<{ failures: number }>`
    update reports as t set failures = failures + 1,
      paused_at = case when failures + 1 >= ${failures_max} then now() end,
      next_run_at = case when failures + 1 < ${failures_max} then next_run_at end,
      next_due_on = case when failures + 1 < ${failures_max} then next_due_on end
    where t.id = ${run.report_id} and t.paused_at is null and ${scope.inReach('reports', 't')} returning failures`)
  if (rests && rests.failures >= failures_max) await mailPaused(scope, { ...options, queue }, run.report_id, words)
}

/** Why, for whoever asked for it. What broke in us stands in the log. */
function inWords(error: unknown): string {
  if (error instanceof TooManyBytes) return 'The file would be larger than 1 GB. Ask for fewer days.'
  if (!(error instanceof Refused)) return 'Something went wrong while it was made. The log of the server says what.'
  const first = Object.values(error.errors ?? {}).flat()[0]
  return first ?? error.message
}
