// Report kinds: what can be done with a saved report, with a scheduled one, and with the file of one.
import type { RowOf } from '#contract/endpoint.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { call } from '#web/kit/call/call.ts'
import { madeOnce } from '#web/kit/call/idempotency.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { go, linkItem } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import type { MenuItem } from '#web/ui/menu.tsx'
import { kinds } from './kinds.ts'
import { cancelRun, downloadRun, resume, runNow, sendAgain, takeOver, takeStatementOf } from './sending.ts'
import { isUnderWay, type Run } from './words.ts'

export type SavedReport = RowOf<typeof reports.list>
export type ScheduledReport = RowOf<typeof scheduled.listScheduled>

/** The calls of the form. A report and its schedule are one record. */
export const reportRecord = {
  list: reports.list,
  get: reports.get,
  create: scheduled.create,
  update: scheduled.update,
  fields: reports.fields,
}

/** The address at which a report opens: its rows; for a statement, what was sent; for a draft, the wizard. */
export function reportHref({
  id,
  kind,
  status,
  frequency,
}: Pick<SavedReport, 'id' | 'kind' | 'status' | 'frequency'>): string {
  if (status === 'draft') return to.editReport(id)
  return kinds[kind].hrefOf({ id, isSent: isScheduled({ frequency }) })
}

/** The step of the wizard that changes the schedule. */
export const schedule_step = 4

export const isScheduled = ({ frequency }: { frequency: number | null }): boolean =>
  frequency !== null && frequency !== reports.frequency_once

/** Paused because of its owner: somebody else can take it over. */
export const isOrphaned = ({ paused_for }: Pick<SavedReport, 'paused_for'>): boolean =>
  paused_for === 'owner_left' || paused_for === 'owner_lowered'

async function duplicate(id: number) {
  try {
    const made = await madeOnce(`${reports.duplicate.path} ${id}`, (idempotencyKey) =>
      call(reports.duplicate, { id }, { idempotencyKey }),
    )
    forgetLists(reports.list.path)
    invalidateOthers()
    notify.success(`“${made.name}” has been made`, { label: 'Open', onPick: () => go(to.editReport(made.id)) })
  } catch (error) {
    notify.failure(error)
  }
}

const ownItems = ({ id, name, kind, format, status, frequency }: SavedReport): MenuItem[] => [
  ...(kinds[kind].shown === null && status !== 'draft' && mayCall(reports.exportFile)
    ? [{ label: 'Statement', icon: 'download' as const, onPick: () => takeStatementOf({ id, name, format }) }]
    : []),
  ...(mayCall(reports.duplicate) ? [{ label: 'Duplicate', icon: 'copy' as const, onPick: () => duplicate(id) }] : []),
  ...(status === 'active' && isScheduled({ frequency })
    ? [
        linkItem({ label: 'History', icon: 'history', href: to.scheduledReport(id) }),
        ...(mayCall(runs.runNow)
          ? [{ label: 'Run and send now', icon: 'mail' as const, onPick: () => runNow(id) }]
          : []),
      ]
    : []),
]

const consequence = 'It is no longer sent. Its files stay until they expire.'

export const reportKind: RecordKind<SavedReport> = {
  of: { ...reportRecord, activate: reports.activate, deactivate: reports.deactivate, remove: reports.remove },
  noun: 'reports',
  nameOf: (report) => report.name,
  href: reportHref,
  edit: (report) => to.editReport(report.id),
  own: ownItems,
  whenDisabled: 'Disabled reports are no longer sent.',
  consequence,
}

export const scheduledKind: RecordKind<ScheduledReport> = {
  of: {
    ...reportRecord,
    list: scheduled.listScheduled,
    activate: scheduled.activateScheduled,
    deactivate: scheduled.deactivateScheduled,
    remove: reports.remove,
  },
  noun: 'scheduled reports',
  nameOf: (report) => report.name,
  href: (report) => (report.status === 'draft' ? to.editReport(report.id) : to.scheduledReport(report.id)),
  edit: (report) => to.editReport(report.id),
  own: (report) => [
    ...(isOrphaned(report) && mayCall(scheduled.takeOver)
      ? [{ label: 'Take over', icon: 'user' as const, onPick: () => takeOver(report) }]
      : []),
    ...(report.paused_for === 'failed' && mayCall(scheduled.activateScheduled)
      ? [{ label: 'Go on sending', icon: 'refresh' as const, onPick: () => resume(report) }]
      : []),
    ...ownItems(report),
  ],
  whenDisabled: 'Disabled reports are no longer sent.',
  consequence,
}

export const runKind: RecordKind<Run> = {
  of: { list: runs.listRuns },
  noun: 'files',
  nameOf: (run) => run.name,
  live_ms: 4_000,
  consequence: '',
  own: (run) => [
    ...(run.outcome === 'done' && mayCall(runs.downloadRun)
      ? [{ label: 'Download', icon: 'download' as const, onPick: () => downloadRun(run) }]
      : []),
    ...(run.outcome === 'done' && run.report_id !== null && mayCall(runs.sendRun)
      ? [{ label: 'Send again', icon: 'mail' as const, onPick: () => sendAgain(run) }]
      : []),
    ...(isUnderWay(run) && mayCall(runs.cancelRun)
      ? [{ label: 'Cancel', icon: 'close' as const, danger: true, onPick: () => cancelRun(run) }]
      : []),
  ],
}
