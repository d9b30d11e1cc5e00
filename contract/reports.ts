// Reports: what was used, by whom, where and when. A report and its schedule are one record; it is saved by the calls in
// scheduled-reports.ts, and run from its record or directly from fields.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { keysOf } from './keys.ts'
import type { RefTarget } from './ref-target.ts'
import { gigabytes, seconds } from './report-kind.ts'
import { kinds } from './report-kinds.ts'
import {
  anyOf,
  anyOrNone,
  byId,
  byIds,
  changesTo,
  count,
  day,
  done,
  email,
  fileContent,
  id,
  listOf,
  moment,
  named,
  namesOf,
  no,
  nothing,
  page,
  ref,
  rowOf,
  text,
  yes,
  storedDay,
} from './shapes.ts'
import { status } from './status.ts'

const { lookup, read, write, removal, produced } = callsOf('reports')

export const reportKinds = kinds.map(({ word }) => word)
export const reportViews = ['all_sessions', 'unique'] as const
export const reportFormats = ['xls', 'xlsx', 'csv', 'pdf'] as const
/** In each property's own local days; weeks begin on Monday. */
export const dateRanges = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'this_year',
  'custom',
] as const
export type DateRange = (typeof dateRanges)[number]
/** A paused schedule is not sent. */
export const scheduleStates = ['active', 'paused'] as const
/** Why it is paused: its owner (or the key it was saved with) is gone, may not send reports any more, or does not reach what it names. */
export const pausedFor = ['owner_left', 'owner_lowered', 'owner_reach', 'failed'] as const
export type PausedFor = (typeof pausedFor)[number]
/** The entry of `frequency_types` without a schedule. */
export const frequency_once = 1

/** The kind of a value, for displaying it. Durations are in seconds, and a gigabyte is 10⁹ bytes. */
export const columnKinds = ['text', 'number', 'gigabytes', 'duration', 'moment', 'date'] as const

/** The columns of the session report: whether each is ticked by default, and in which views it appears. */
export const sessionColumns = {
  auth_method: { title: 'Authentication method', kind: 'text', ticked: false, views: ['all_sessions'] },
  identifier: { title: 'Identifier', kind: 'text', ticked: true, views: ['all_sessions', 'unique'] },
  package: { title: 'Package', kind: 'text', ticked: true, views: ['all_sessions'] },
  category: { title: 'Category', kind: 'text', ticked: false, views: ['all_sessions', 'unique'] },
  start: { title: 'Start', kind: 'moment', ticked: true, views: ['all_sessions'] },
  end: { title: 'End', kind: 'moment', ticked: true, views: ['all_sessions'] },
  termination_reason: { title: 'Termination reason', kind: 'text', ticked: true, views: ['all_sessions'] },
  usage_gb: { title: 'Usage (GB)', kind: 'gigabytes', ticked: true, views: ['all_sessions', 'unique'] },
  group: { title: 'Group', kind: 'text', ticked: true, views: ['all_sessions'] },
  property: { title: 'Property', kind: 'text', ticked: true, views: ['all_sessions'] },
  property_type: { title: 'Property type', kind: 'text', ticked: false, views: ['all_sessions'] },
  duration: { title: 'Duration', kind: 'duration', ticked: true, views: ['all_sessions', 'unique'] },
} as const satisfies Record<
  string,
  {
    title: string
    kind: (typeof columnKinds)[number]
    ticked: boolean
    views: readonly (typeof reportViews)[number][]
  }
>
export type SessionColumn = keyof typeof sessionColumns
export const sessionColumnKeys = keysOf(sessionColumns)
export const columnsTicked = sessionColumnKeys.filter((key) => sessionColumns[key].ticked)

/** The filters of every report, by field. */
export const placeNarrowings = ['property_ids', 'group_ids', 'collection_ids'] as const
/** Additional filters of reports on sessions. */
export const guestNarrowings = [
  'package_ids',
  'auth_method_ids',
  'mac_category_ids',
  'property_type_ids',
  'connectivity_type_ids',
] as const

const names_max = 5000
const refs = (target: RefTarget, all: string) => z.array(ref(target, all)).max(names_max)

/** The query for sessions. The places are combined (union); filters of different kinds must all match. */
const asked = {
  property_ids: refs('properties', 'All properties'),
  group_ids: refs('groups', 'All groups'),
  collection_ids: refs('collections', 'All collections'),
  package_ids: refs('packages', 'All packages'),
  auth_method_ids: refs('auth_methods', 'All ways'),
  mac_category_ids: refs('mac_categories', 'All categories'),
  property_type_ids: refs('property_types', 'All types'),
  connectivity_type_ids: refs('connectivity_types', 'All kinds'),
}
const kind = z.enum(reportKinds)
const view_as = z.enum(reportViews)
const format = z.enum(reportFormats)
const date_range = z.enum(dateRanges)
const columns = z.array(z.enum(sessionColumnKeys)).min(1).max(sessionColumnKeys.length)
/** The fields of the wizard: what, where and about whom, which days and columns, how often and to whom. */
const wizard_step = z.int().min(1).max(10)

export const ReportInput = z.object({
  name: text(),
  kind: kind.default('session'),
  property_ids: asked.property_ids.default([]),
  group_ids: asked.group_ids.default([]),
  collection_ids: asked.collection_ids.default([]),
  package_ids: asked.package_ids.default([]),
  auth_method_ids: asked.auth_method_ids.default([]),
  mac_category_ids: asked.mac_category_ids.default([]),
  property_type_ids: asked.property_type_ids.default([]),
  connectivity_type_ids: asked.connectivity_type_ids.default([]),
  recipients: z.array(email).max(50).default([]),
  /** Absent: `custom` if there are start and end; with a frequency, the days since it was last due; else the last 30 days. */
  date_range: date_range.nullish(),
  /** For a custom range, its first day; for a schedule, the day on which it is first due. */
  start_date: storedDay.nullish(),
  /** For a custom range, its last day. */
  end_date: storedDay.nullish(),
  /** Any but *Once* makes it a scheduled report. */
  frequency: ref('frequency_types', 'Not scheduled').nullish(),
  /** A schedule sends nothing when there are no rows. */
  only_if_rows: no,
  view_as: view_as.default('all_sessions'),
  format: format.default('xls'),
  columns: columns.default([...columnsTicked]),
  wizard_step: wizard_step.default(1),
  draft: no,
  active: yes,
})
export const ReportChanges = changesTo('reports', ReportInput)

/** The outcome of its newest run. */
const LastRun = z.object({
  id,
  outcome: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  created_at: moment,
  /** Why it failed, as a sentence. */
  error: z.string().nullable(),
})

export const ReportRow = z.object({
  id,
  name: z.string(),
  kind,
  view_as,
  date_range: date_range.nullable(),
  frequency: id.nullable(),
  format,
  recipients: z.array(z.string()),
  /** The user within whose present rights its schedule runs. */
  owner: named.nullable(),
  state: z.enum(scheduleStates),
  paused_for: z.enum(pausedFor).nullable(),
  only_if_rows: z.boolean(),
  /** Recipients who have been asked and have not confirmed yet. */
  unconfirmed: count,
  status,
  draft: z.boolean(),
  active: z.boolean(),
  /** When it is sent next. Null if it has no schedule, or is suspended. */
  next_run_at: moment.nullable(),
  last_run: LastRun.nullable(),
  created_at: moment,
})
/** A recipient who is no user of the customer confirms once; who has stopped reports, or said no, gets none. */
export const receiverStates = ['confirmed', 'unconfirmed', 'stopped'] as const
const Receiver = z.object({
  email: z.string(),
  state: z.enum(receiverStates),
  /** Of one who has not confirmed and was named before that was asked: until when reports are sent all the same. */
  until: moment.nullable(),
})
/** A filter as text, for the screen and for a file's first sheet. */
const FilterApplied = z.object({ key: z.string(), title: z.string(), values: z.array(z.string()) })
export const Report = z
  .object({
    ...ReportRow.shape,
    property_ids: z.array(id),
    group_ids: z.array(id),
    collection_ids: z.array(id),
    package_ids: z.array(id),
    auth_method_ids: z.array(id),
    mac_category_ids: z.array(id),
    property_type_ids: z.array(id),
    connectivity_type_ids: z.array(id),
    start_date: day.nullable(),
    end_date: day.nullable(),
    columns: z.array(z.enum(sessionColumnKeys)),
    receivers: z.array(Receiver),
    filters_applied: z.array(FilterApplied),
    wizard_step,
  })
  .meta({ id: 'Report' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [ReportInput, Report, ReportRow],
  {
    kind: 'About',
    view_as: 'Rows',
    group_ids: 'Groups',
    collection_ids: 'Collections',
    package_ids: 'Packages',
    auth_method_ids: 'Signed in by',
    mac_category_ids: 'MAC categories',
    property_type_ids: 'Property types',
    connectivity_type_ids: 'Connectivity',
    date_range: 'Days',
    start_date: 'From',
    end_date: 'To',
    frequency: 'How often',
    next_run_at: 'Next',
    only_if_rows: 'Only if there is something to report',
    paused_for: 'Paused',
  },
  {
    report: ['name', 'kind', 'view_as'],
    places: placeNarrowings,
    guests: guestNarrowings,
    days: ['date_range', 'start_date', 'end_date'],
    file: ['format', 'columns'],
    schedule: ['frequency', 'recipients', 'only_if_rows'],
  },
)

export const ReportName = named.extend({ status })
export const reportFilters = {
  status: anyOf(status),
  kind: anyOf(kind),
  view_as: anyOf(view_as),
  format: anyOf(format),
  frequency: anyOrNone(id),
  state: anyOf(z.enum(scheduleStates)),
}
export const reportSorts = ['-created_at', 'created_at', 'name', '-name'] as const

export const list = read('/reports', listOf(reportFilters, {}, reportSorts), page(ReportRow))
export const names = lookup('/reports-list', nothing, z.array(ReportName))
export const nameList = read('/reports-list', namesOf(), page(ReportName))
export const get = read('/reports/{id}', byId('reports'), Report)
export const duplicate = write('/reports-duplicate', byId('reports'), Report)
export const deactivate = write('/reports-deactivate', byIds('reports'), done)
export const activate = write('/reports-activate/{id}', byId('reports'), Report)
export const remove = removal('/reports-delete/{id}', byId('reports'), done)

// Running

/** A report's fields, or its id; fields given with an id replace those of its record. */
const RunInput = z.object({
  id: rowOf('reports').nullish(),
  name: text().nullish(),
  kind: kind.nullish(),
  property_ids: asked.property_ids.nullish(),
  group_ids: asked.group_ids.nullish(),
  collection_ids: asked.collection_ids.nullish(),
  package_ids: asked.package_ids.nullish(),
  auth_method_ids: asked.auth_method_ids.nullish(),
  mac_category_ids: asked.mac_category_ids.nullish(),
  property_type_ids: asked.property_type_ids.nullish(),
  connectivity_type_ids: asked.connectivity_type_ids.nullish(),
  date_range: date_range.nullish(),
  start_date: storedDay.nullish(),
  end_date: storedDay.nullish(),
  view_as: view_as.nullish(),
  columns: columns.nullish(),
})

/** A leading minus reverses the order. Which of them a report has depends on its kind and view. */
const sortWords = [...new Set(kinds.flatMap(({ sorts }) => sorts))].flatMap((word) => [word, `-${word}` as const])

export const ReportColumn = z.object({ key: z.string(), title: z.string(), kind: z.enum(columnKinds) })
/** `identifiers`: the number of distinct ones; for free Wi-Fi, of distinct guests. The last three are for free Wi-Fi only. */
export const ReportTotals = z.object({
  sessions: count,
  identifiers: count,
  usage_gb: gigabytes,
  seconds,
  new_guests: count.optional(),
  returning_guests: count.optional(),
  consents: count.optional(),
})
/**
 * A line or the bars of a chart. `at` is a local date; for `hours` an hour of the day (`00` to `23`), for `week_hours` a
 * weekday and an hour (`1-00`, Monday at midnight, to `7-23`), both without points where no hour of the range is kept.
 */
export const ReportSeries = z.object({
  key: z.string(),
  title: z.string(),
  points: z.array(z.object({ at: z.string(), value: z.number() })),
})
export const RunMeta = z.object({
  /** All rows of the report. */
  total: count,
  /** The range these rows cover; with `total === to` they are the last. */
  from: count,
  to: count,
  per_page: count,
  next_cursor: z.string().nullable(),
  columns: z.array(ReportColumn),
  /** Of all rows, the same on each page. */
  totals: ReportTotals,
  /** Null on later pages: the first page has them. */
  series: z.array(ReportSeries).nullable(),
  /** From the earliest first day of any property to the latest last day. */
  range: z.object({ start_date: day, end_date: day }),
  /**
   * The last day that is over, and of which everything is there, at every property asked for. It may come before the range; null
   * on later pages.
   */
  complete_to: day.nullable(),
  /**
   * The first day of which every session and guest stands, where the range begins before it. Days before are counted by their sums;
   * they have no rows of sessions, and `identifiers` leaves them out. Null on later pages.
   */
  sessions_since: day.nullable(),
  /** The first day of which sums stand, where the range begins before it: the days before are empty. Null on later pages. */
  sums_since: day.nullable(),
  /**
   * For free Wi-Fi, the first day of which hours stand, where the range begins before it: of the days before it is not known how many
   * were online at once. Null on later pages.
   */
  hours_since: day.nullable(),
})

const rowShapes = kinds.flatMap(({ rows }): readonly (typeof kinds)[number]['rows'][number][] => rows)
export const run = read(
  '/reports-run',
  RunInput.extend({
    sort: z.enum(sortWords).nullish(),
    per_page: z.int().min(1).max(200).default(50),
    cursor: z.string().max(1000).nullish(),
  }),
  z.object({ data: z.array(z.union(rowShapes)), meta: RunMeta }),
)
/** Answers the file or, if it is long, the run that makes it. Viewers get no identifiers. */
export const exportFile = produced('/reports-export', RunInput.extend({ format: format.nullish() }), fileContent)
