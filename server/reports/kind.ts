// Report kind: all that is particular to one kind of report, which is one folder here: what it asks, who may read it, and its rows, or
// the file that is made of it. The list is kinds.ts; everything else goes by this interface.
import type { Day } from '#contract/days.ts'
import type { z } from 'zod'
import type { ReportColumn, reportFormats, ReportTotals, run } from '#contract/reports.ts'
import type { Output } from '#contract/endpoint.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { MadeFile, TableFile } from '#server/tables/table.ts'
import type { ReportIds, ReportQuery } from './asked.ts'
import type { FilterKey } from './filters.ts'
import type { Spans } from './spans.ts'
import type { Series } from './sums.ts'

export type ColumnOfReport = z.output<typeof ReportColumn>
export type ReportRow = Output<typeof run>['data'][number]

export interface Summary {
  /** All rows of the report. */
  rows: number
  /** The first day of which every session stands, where the range begins before it. */
  sessions_since: Day | null
  /** The first day of which hours stand, where the report has any and the range begins before it. */
  hours_since: Day | null
  totals: z.output<typeof ReportTotals>
  series: Series[]
}

/** Where a page begins: after the row with this value and id. */
export interface After {
  value: string
  id: number
}
export interface PageRequest {
  sort: string
  rows_max: number
  after: After | null
}
/** A row as it is returned, with the position from which the next page begins and the zone of its moments. */
export interface Placed<R> {
  row: R
  after: After
  zone: string
}

/** A report that is read page by page, on a screen and into a file. */
export interface ReportRows {
  by: 'rows'
  /** What it is, in the head of a file. */
  describe(query: ReportQuery): string
  columns(query: ReportQuery): ColumnOfReport[]
  sorts(query: ReportQuery): readonly string[]
  /** The order unless another is requested. */
  sort(query: ReportQuery): string
  page(scope: Scope, query: ReportQuery, spans: Spans, page: PageRequest): Promise<Placed<ReportRow>[]>
  summary(scope: Scope, query: ReportQuery, spans: Spans): Promise<Summary>
  /** Where both together cost less than one after the other. */
  firstPage?(
    scope: Scope,
    query: ReportQuery,
    spans: Spans,
    page: PageRequest,
  ): Promise<{ summary: Summary; rows: Placed<ReportRow>[] }>
  /** Whether it says who the guests were. */
  namesGuests(query: Pick<ReportQuery, 'view_as' | 'columns'>): boolean
}

export type ReportFormat = (typeof reportFormats)[number]
export type Pages<Row> = TableFile<Row>['pages']

/** A report ready to be written: its number of rows when it was requested, the days it covers, and what is missing of them. */
export interface OpenedReport {
  rows: number
  first: string
  last: string
  complete_to: string
  missing: string[]
  /** `watched` wraps the pages on their way into the file. */
  write(format: ReportFormat, watched?: <Row>(pages: Pages<Row>) => Pages<Row>): MadeFile
}

/** A report that is only ever a file. */
export interface ReportFile {
  by: 'file'
  open(scope: Scope, query: ReportQuery): Promise<OpenedReport>
  /** Where its figures are shown instead. */
  shown_elsewhere: string
}

export interface ReportKind {
  /** What one without a name is called. */
  title: string
  /** The filters that it cannot be narrowed by, and why. */
  not_narrowed: { by: readonly FilterKey[]; message: string }
  /** The sign-in methods that it counts; none: all. */
  methodsOf(ids: ReportIds): number[]
  /** Null: everybody who may read reports. */
  reserved: {
    isOpenTo(scope: Scope): boolean
    /** Refuses whoever asks for it. */
    asking: string
    /** Refuses whoever takes a file of it away. */
    taking: string
  } | null
  /** Whose group it is narrowed by: the one that a session was of then, or the one that its property is in now. */
  group_of: 'then' | 'now'
  /** What its days wait for: reports of gateways, or nights that are written. */
  waits_for: 'reports' | 'nights'
  content: ReportRows | ReportFile
}
