// Sending: making a report's file now, taking it along, mailing it once more, and letting a schedule that rests go on.
import type { Input } from '#contract/endpoint.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { call, fetchFile, fetchMade, save } from '#web/kit/call/call.ts'
import { freshKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, staleOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import type { Run } from './words.ts'

/** What the lists show is not so any more, whether or not it went well: somebody else may have been first. */
function stale() {
  forgetLists(runs.listRuns.path)
  staleOthers()
}

async function telling(work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    notify.failure(error)
  }
}

/** Its file is made, and mailed, at once. */
export const runNow = (id: number) =>
  telling(async () => {
    const run = await call(runs.runNow, { id }, { idempotencyKey: freshKey() }).finally(stale)
    notify.success(`“${run.name}” is being made`, { label: 'Show', onPick: () => go(to.scheduledReport(id)) })
  })

/** A report as a file: saved, or begun where it is long. */
export const takeFile = (ask: Input<typeof reports.exportFile>, file_name: string, onBegun: (run: Run) => void) =>
  telling(async () => {
    const made = await fetchMade<Run>(reports.exportFile, ask, file_name)
    if ('begun' in made) {
      stale()
      onBegun(made.begun)
    } else {
      save(made)
      notify.success(`${made.name} has been saved`)
    }
  })

/** Of a saved report on bills; a long one is found among the files. */
export const takeStatementOf = ({ id, name, format }: { id: number; name: string; format: Run['format'] }) =>
  takeFile({ id, format }, `${name}.${format}`, () =>
    notify.success(`“${name}” is being made`, { label: 'Show', onPick: () => go(to.reportFiles()) }),
  )

export const downloadRun = ({ id, name, format }: Run) =>
  telling(async () => {
    const file = await fetchFile(runs.downloadRun, { id }, `${name}.${format}`)
    save(file)
    notify.success(`${file.name} has been saved`)
  })

export const sendAgain = ({ id, name }: Run) =>
  telling(async () => {
    await call(runs.sendRun, { id }, { idempotencyKey: freshKey() })
    notify.success(`“${name}” is being sent again`)
  })

export const cancelRun = ({ id, name }: Run) =>
  telling(async () => {
    const { outcome } = await call(runs.cancelRun, { id }).finally(stale)
    if (outcome === 'cancelled') notify.success(`“${name}” is not made any more`)
    else notify.error(`“${name}” was over already`)
  })

export const resume = ({ id, name }: { id: number; name: string }) =>
  telling(async () => {
    await call(scheduled.activateScheduled, { id }).finally(() => {
      forgetLists(scheduled.listScheduled.path)
      stale()
    })
    notify.success(`“${name}” is sent again on its days`)
  })
