// Report kind: what can be done with a saved report.
import type { RowOf } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { call } from '#web/kit/call/call.ts'
import { freshKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, staleOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import type { MenuItem } from '#web/ui/menu.tsx'

export type SavedReport = RowOf<typeof reports.list>

/** The calls of a form: a report and its schedule are one record. */
export const reportRecord = {
  list: reports.list,
  get: reports.get,
  create: scheduled.create,
  update: scheduled.update,
}

/** Where its rows are seen; a draft goes on in its wizard. */
export function reportHref({ id, kind, status }: Pick<SavedReport, 'id' | 'kind' | 'status'>): string {
  if (status === 'draft') return to.editReport(id)
  return kind === 'free_wifi' ? to.freeWifiReport({ report_id: id }) : to.sessionReport({ report_id: id })
}

async function duplicate(id: number) {
  try {
    const made = await call(reports.duplicate, { id }, { idempotencyKey: freshKey() })
    forgetLists(reports.list.path)
    staleOthers()
    notify.success(`“${made.name}” has been made`, { label: 'Open', onPick: () => go(to.editReport(made.id)) })
  } catch (error) {
    notify.failure(error)
  }
}

const ownItems = ({ id }: SavedReport): MenuItem[] =>
  mayCall(reports.duplicate) ? [{ label: 'Duplicate', icon: 'copy', onPick: () => duplicate(id) }] : []

export const reportKind: RecordKind<SavedReport> = {
  of: { ...reportRecord, activate: reports.activate, deactivate: reports.deactivate, remove: reports.remove },
  noun: 'reports',
  nameOf: (report) => report.name,
  href: reportHref,
  edit: (report) => to.editReport(report.id),
  own: ownItems,
  whenDisabled: 'It stays where it is, marked as disabled.',
  consequence: 'This cannot be undone.',
}
