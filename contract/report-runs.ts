// Report runs: each time a report was made into a file, by a person or by its schedule.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { reportFormats } from './reports.ts'
import { anyOf, byId, day, fileContent, id, listOf, moment, page, ref } from './shapes.ts'

const { read, write, produced } = callsOf('reports')

export const runOutcomes = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
const outcome = z.enum(runOutcomes)
export const ReportRun = z
  .object({
    id,
    /** Null if it was run from fields alone. */
    report_id: id.nullable(),
    name: z.string(),
    outcome,
    /** In per cent. Null until it has begun. */
    progress: z.number().min(0).max(100).nullable(),
    format: z.enum(reportFormats),
    row_count: z.int().min(0).nullable(),
    bytes: z.int().min(0).nullable(),
    period_start: day.nullable(),
    period_end: day.nullable(),
    /** The last day of which everything was there. Null until it is made. */
    complete_to: day.nullable(),
    /** What was missing of its days, as sentences. Where a schedule made it, it is sent again once this has come. */
    missing: z.array(z.string()),
    created_at: moment,
    finished_at: moment.nullable(),
    /** Why it failed, as a sentence. */
    error: z.string().nullable(),
  })
  .meta({ id: 'ReportRun' })

export const listRuns = read(
  '/report-runs',
  listOf({ outcome: anyOf(outcome) }, { report_id: ref('reports').optional() }),
  page(ReportRun),
)
export const getRun = read('/report-runs/{id}', byId('report_runs'), ReportRun)
export const downloadRun = produced('/report-runs-download', byId('report_runs'), fileContent)
export const cancelRun = write('/report-runs-cancel', byId('report_runs'), ReportRun)
/** Mails its file to the recipients again. */
export const sendRun = write('/report-runs-send', byId('report_runs'), ReportRun)
/** Runs a scheduled report now. */
export const runNow = write('/scheduled-reports-run', byId('reports'), ReportRun)
