// Session report: the rows of sessions one by one, or one row for each identifier.
import { z } from 'zod'
import { gigabytes, seconds, type ReportContract } from './report-kind.ts'
import { count, id, moment } from './shapes.ts'

/** By view. */
export const sessionSorts = {
  all_sessions: ['start', 'usage_gb', 'duration', 'identifier', 'property'],
  unique: ['usage_gb', 'duration', 'sessions', 'identifier'],
} as const

export const SessionReportRow = z
  .object({
    /** The id of the session, for `/sessions/{id}`. */
    id,
    auth_method: z.string().nullable(),
    identifier: z.string().nullable(),
    package: z.string().nullable(),
    category: z.string().nullable(),
    /** With the property's own offset, like all moments here. */
    start: moment,
    /** Null while it is open. */
    end: moment.nullable(),
    /** In plain words; `Online` while it is open. */
    termination_reason: z.string(),
    /** The part within the range's days. */
    usage_gb: gigabytes,
    group: z.string().nullable(),
    property: z.string(),
    property_type: z.string().nullable(),
    /** Whole seconds within the range's days; for an open session, up to its last report. */
    duration: seconds,
  })
  .meta({ id: 'SessionReportRow' })
export const UniqueReportRow = z
  .object({
    identifier: z.string().nullable(),
    category: z.string().nullable(),
    usage_gb: gigabytes,
    duration: seconds,
    sessions: count,
  })
  .meta({ id: 'UniqueReportRow' })

export const session = {
  word: 'session',
  sorts: [...sessionSorts.all_sessions, ...sessionSorts.unique],
  rows: [SessionReportRow, UniqueReportRow],
} as const satisfies ReportContract
