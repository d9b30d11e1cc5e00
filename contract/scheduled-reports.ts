// Scheduled reports: reports that are made and sent automatically. These calls save every report, scheduled or not: a report and its
// schedule are one record with one id.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { Report, ReportChanges, reportFilters, ReportInput, ReportName, ReportRow, reportSorts } from './reports.ts'
import { byId, count, day, listOf, moment, namesOf, nothing, page } from './shapes.ts'

const { lookup, read, write } = callsOf('reports')

/** Before which they are not made, in the customer's time zone: nobody is at work yet. Later where a property's day is not over. */
export const due_hour = 6

export const ScheduledReportRow = z
  .object({
    ...ReportRow.shape,
    /** The day on which it is first due. */
    start_date: day.nullable(),
    /** Runs that failed since the last success. */
    failures: count,
    /** Since when it is paused. */
    paused_at: moment.nullable(),
  })
  .meta({ id: 'ScheduledReport' })

export const listScheduled = read(
  '/scheduled-reports',
  listOf(reportFilters, {}, reportSorts),
  page(ScheduledReportRow),
)
export const namesScheduled = lookup('/scheduled-reports-list', nothing, z.array(ReportName))
export const nameListScheduled = read('/scheduled-reports-list', namesOf(), page(ReportName))
export const create = asking(write('/scheduled-reports-create', ReportInput, Report))
export const update = asking(write('/scheduled-reports-update', ReportChanges, Report))
export const deactivateScheduled = write('/scheduled-reports-deactivate', byId('reports'), Report)
/** Makes the caller its owner, and lets it go on. */
export const takeOver = write('/scheduled-reports-take-over', byId('reports'), Report)
export const activateScheduled = write('/scheduled-reports-activate/{id}', byId('reports'), Report)
