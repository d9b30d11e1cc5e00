// Sending: makes the file of a report now, downloads it, mails it again, and resumes a paused schedule.
import type { Input } from '#contract/endpoint.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { call, fetchFile, fetchMade, save } from '#web/kit/call/call.ts'
import { freshKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import type { Run } from './words.ts'

/** Reloads the lists, even after a failure, as somebody else may have been faster. */
function stale() {
  forgetLists(runs.listRuns.path)
  invalidateOthers()
}

async function attempt(work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    notify.failure(error)
  }
}

/** Makes and mails the file at once. */
export const runNow = (id: number) =>
  attempt(async () => {
    const run = await call(runs.runNow, { id }, { idempotencyKey: freshKey() }).finally(stale)
    notify.success(`“${run.name}” is being made`, { label: 'Show', onPick: () => go(to.scheduledReport(id)) })
  })

/** A report as a file: downloaded, or, if it is long, made in the background. */
export const takeFile = (ask: Input<typeof reports.exportFile>, file_name: string, onBegun: (run: Run) => void) =>
  attempt(async () => {
    const made = await fetchMade<Run>(reports.exportFile, ask, file_name)
    if ('begun' in made) {
      stale()
      onBegun(made.begun)
    } else {
      save(made)
      notify.success(`${made.name} has been saved`)
    }
  })

/** The statement of a saved billing report; a long one appears among the files. */
export const takeStatementOf = ({ id, name, format }: { id: number; name: string; format: Run['format'] }) =>
  takeFile({ id, format }, `${name}.${format}`, () =>
    notify.success(`“${name}” is being made`, { label: 'Show', onPick: () => go(to.reportFiles()) }),
  )

export const downloadRun = ({ id, name, format }: Run) =>
  attempt(async () => {
    const file = await fetchFile(runs.downloadRun, { id }, `${name}.${format}`)
    save(file)
    notify.success(`${file.name} has been saved`)
  })

export const sendAgain = ({ id, name }: Run) =>
  attempt(async () => {
    await call(runs.sendRun, { id }, { idempotencyKey: freshKey() })
    notify.success(`“${name}” is being sent again`)
  })

export const cancelRun = ({ id, name }: Run) =>
  attempt(async () => {
    const { outcome } = await call(runs.cancelRun, { id }).finally(stale)
    if (outcome === 'cancelled') notify.success(`“${name}” was cancelled`)
    else notify.error(`“${name}” had already finished`)
  })

/** Makes whoever presses the owner of a schedule whose owner is gone. */
export const takeOver = ({ id, name }: { id: number; name: string }) =>
  attempt(async () => {
    await call(scheduled.takeOver, { id }).finally(() => {
      forgetLists(scheduled.listScheduled.path)
      stale()
    })
    notify.success(`“${name}” is yours now, and will be sent on its days again`)
  })

export const resume = ({ id, name }: { id: number; name: string }) =>
  attempt(async () => {
    await call(scheduled.activateScheduled, { id }).finally(() => {
      forgetLists(scheduled.listScheduled.path)
      stale()
    })
    notify.success(`“${name}” will be sent on its days again`)
  })
