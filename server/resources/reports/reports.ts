// Reports: listing them, running them, and their files. Saving a report is in scheduled-reports.ts.
import * as contract from '#contract/reports.ts'
import { reading, serve, staged } from '#server/api/serve.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { createRow, deactivateRows, removeRow } from '#server/entities/verbs.ts'
import { StartedRun } from '#server/files/send.ts'
import { openFile, reportFile } from '#server/reports/file.ts'
import { ownedByCaller } from '#server/reports/owners.ts'
import { reports, reportRunEntity } from '#server/reports/record.ts'
import { reschedule } from '#server/reports/schedule.ts'
import { runReport } from '#server/reports/run.ts'
import type { Services } from '#server/services.ts'
import { activated } from './scheduled-reports.ts'

/** A scheduled report is copied as a draft, so that nobody gets both by mistake. */
async function copied(scope: Scope, id: number) {
  const { name, draft, columns, ...original } = await oneRow(scope, reports, id)
  // A report without columns has the default ones.
  const source = columns.length > 0 ? { ...original, columns } : original
  const fields = contract.ReportInput.omit({ name: true, draft: true }).parse(source)
  const isSent = fields.frequency != null && fields.frequency !== contract.frequency_once
  return createRow(scope, reports, {
    ...fields,
    name: `${name} (copy)`.slice(0, 255),
    draft: draft || isSent,
    ...(await ownedByCaller(scope)),
  })
}

export default ({
  report_rows_at_once: rows_at_once,
  ...options
}: Pick<Services, 'fingerprint' | 'queue' | 'portal_url' | 'report_rows_at_once'>) =>
  serve(contract, {
    list: ({ scope, input }) => listRows(scope, reports, input),
    names: ({ scope }) => nameRows(scope, reports, contract.ReportName),
    nameList: ({ scope, input }) => listRows(scope, reports, input, contract.ReportName),
    get: ({ scope, input }) => oneRow(scope, reports, input.id),
    duplicate: ({ scope, input }) => copied(scope, input.id),
    async deactivate({ scope, input }) {
      const done = await deactivateRows(scope, reports, input.ids)
      for (const id of input.ids) await reschedule(scope, id)
      return done
    },
    activate: ({ scope, input }) => activated(scope, options, input.id),
    remove: ({ scope, input }) => removeRow(scope, reports, input.id),
    run: reading(({ scope, input }) => runReport(scope, input)),
    exportFile: staged(openFile, async ({ scope, prepared }) => {
      const made = await reportFile(scope, prepared, { queue: options.queue, rows_at_once })
      return 'id' in made ? new StartedRun(await oneRow(scope, reportRunEntity, made.id)) : made
    }),
  })
