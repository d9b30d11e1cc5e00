// Report runs: each making of a report's file: its progress, its file, cancelling it, and sending its mails again.
import { sql } from 'kysely'
import * as contract from '#contract/report-runs.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { countMailsOfPress } from '#server/deliveries/mails.ts'
import { listRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { searched } from '#server/entities/list-search.ts'
import { clash, invalid, notFound } from '#server/errors/refused.ts'
import { readSealed } from '#server/files/sealed-files.ts'
import type { FileAnswer } from '#server/files/send.ts'
import type { KindWord } from '#server/reports/asked.ts'
import { refuseLeaving, refuseTaking } from '#server/reports/file.ts'
import { reports, reportRunEntity } from '#server/reports/record.ts'
import { mailRun } from '#server/reports/run-mails.ts'
import { cancelRun } from '#server/reports/runs.ts'
import { beginNow } from '#server/reports/schedule.ts'
import type { Services } from '#server/services.ts'

const not_kept = 'Its file has been deleted. Run the report again.'
const without_file = {
  queued: 'There is no file yet: the run has not finished.',
  running: 'There is no file yet: the run has not finished.',
  failed: 'There is no file: the run failed. Run the report again.',
  cancelled: 'There is no file: the run was cancelled. Run the report again.',
}

interface Kept {
  file_id: number
  file_name: string
  content_type: string
  hash: string
  sealed_key: Buffer | null
  names_guests: boolean
  kind: KindWord
}

/** The file of a finished run, as long as it is kept, for somebody who may take it away. */
async function fileOf(scope: Scope, id: number): Promise<Kept> {
  const run = await oneRow(scope, reportRunEntity, id)
  if (run.outcome !== 'done') throw clash(without_file[run.outcome])
  const [file] = await scope.run(sql<Kept>`
    select f.id as file_id, f.name as file_name, f.content_type, encode(f.sha256, 'hex') as hash, f.sealed_key, t.names_guests,
      coalesce(t.asked ->> 'kind', r.kind, 'session') as kind
    from report_runs as t left join reports as r on r.customer_id = t.customer_id and r.id = t.report_id
    join files as f on f.id = t.file_id and ${scope.inReach('files', 'f')}
    where t.id = ${id} and t.kept_until > now() and ${scope.inReach('report_runs', 't')}`)
  if (!file) throw clash(not_kept)
  refuseTaking(scope, file)
  return file
}

export default ({
  queue,
  storage,
  seal,
  ...links
}: Pick<Services, 'fingerprint' | 'queue' | 'storage' | 'seal' | 'public_url' | 'portal_url'>) =>
  serve(contract, {
    listRuns: ({ scope, input }) => listRows(scope, reportRunEntity, searched(input)),
    getRun: ({ scope, input }) => oneRow(scope, reportRunEntity, input.id),
    async downloadRun({ scope, input }): Promise<FileAnswer> {
      const { file_name, content_type, ...file } = await fileOf(scope, input.id)
      const content = await readSealed({ storage, seal }, scope.customer_id, file)
      if (!content) throw clash(not_kept)
      const row = await oneRow(scope, reportRunEntity, input.id)
      await logActivity(scope, {
        action: 'export',
        entity: reportRunEntity,
        row,
        before: null,
        after: { file: file_name },
      })
      return { file_name, content_type, content }
    },
    async cancelRun({ scope, input }) {
      const before = await lockedRow(scope, reportRunEntity, input.id)
      if (before.outcome === 'cancelled') return before
      if (!(await cancelRun(scope, input.id)))
        throw clash('It has already finished, so there is nothing left to cancel.')
      const row = await oneRow(scope, reportRunEntity, input.id)
      const outcomes = { before: { outcome: before.outcome }, after: { outcome: row.outcome } }
      await logActivity(scope, { action: 'update', entity: reportRunEntity, row, ...outcomes })
      return row
    },
    async sendRun({ scope, input }) {
      const row = await lockedRow(scope, reportRunEntity, input.id)
      const { file_id } = await fileOf(scope, input.id)
      const { report_id, bytes } = row
      if (report_id === null || bytes === null)
        throw clash('It was not made from a saved report, so it has no recipients.')
      const mailed = await mailRun(scope, { queue, ...links }, { ...row, report_id, bytes, file_id }, { once: false })
      if (mailed === 0) throw clash('Its report has no recipients who want it.')
      await countMailsOfPress(scope, mailed)
      await logActivity(scope, {
        action: 'export',
        entity: reportRunEntity,
        row,
        before: null,
        after: { mails: mailed },
      })
      return row
    },
    async runNow({ scope, input }) {
      const row = await lockedRow(scope, reports, input.id)
      if (row.draft) throw invalid({ id: ['It is a draft: finish it first.'] })
      if (!row.active) throw invalid({ id: ['It is disabled: enable it first.'] })
      refuseLeaving(scope, row)
      const begun = await beginNow(scope, queue, input.id)
      if (!begun) throw notFound()
      await countMailsOfPress(scope, row.recipients.length)
      await logActivity(scope, { action: 'export', entity: reports, row, before: null, after: { run: begun.id } })
      return oneRow(scope, reportRunEntity, begun.id)
    },
  })
