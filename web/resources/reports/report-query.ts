// Report query: the parameters of a report. They are kept in the address, so that links, Back and reloads keep them; those of a saved
// report apply until something is changed.
import type { Input, Output } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import { go } from '#web/kit/navigation/go.ts'
import { useScreenPath, useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { many, one, stringifySearch, type Search } from '#web/kit/navigation/search-params.ts'
import { kinds, type KindWord } from './kinds.ts'
import { isSent } from './rules.ts'

export const narrowings = [...reports.placeNarrowings, ...reports.guestNarrowings] as const
export type Narrowing = (typeof narrowings)[number]

export type View = (typeof reports.reportViews)[number]

/** Those of a schedule without a range: only the server knows when it was last due. */
const since_last = 'since_last'
type Days = reports.DateRange | typeof since_last

export interface ReportQuery extends Partial<Record<Narrowing, number[]>> {
  /** The saved report that it began with. */
  id?: number | undefined
  /** Nothing of it is changed. */
  as_saved?: boolean
  date_range: Days
  start_date?: string | undefined
  end_date?: string | undefined
  view_as: View
  columns: reports.SessionColumn[]
  sort?: string | undefined
}

const defaults: ReportQuery = { date_range: 'this_month', view_as: 'all_sessions', columns: [...reports.columnsTicked] }

const isRange = (word: unknown): word is Days =>
  word === since_last || (reports.dateRanges as readonly unknown[]).includes(word)
const isColumn = (word: string): word is reports.SessionColumn => Object.hasOwn(reports.sessionColumns, word)
const idsIn = (value: string | string[] | undefined) =>
  many(value)
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)

/** The question in an address; `base` if the address has no days. */
export function reportQueryIn(search: Search, base: ReportQuery = defaults): ReportQuery {
  const date_range = one(search['date_range'])
  if (!isRange(date_range)) return { ...base, sort: one(search['sort']) ?? base.sort }
  const columns = many(search['columns']).filter(isColumn)
  const ids = narrowings.flatMap((name) => {
    const chosen = idsIn(search[name])
    return chosen.length > 0 ? [[name, chosen] as const] : []
  })
  return {
    ...Object.fromEntries(ids),
    id: base.id,
    date_range,
    ...(date_range === 'custom' ? { start_date: one(search['start_date']), end_date: one(search['end_date']) } : {}),
    view_as: one(search['view_as']) === 'unique' ? 'unique' : 'all_sessions',
    columns: columns.length > 0 ? columns : defaults.columns,
    sort: one(search['sort']),
  }
}

type Saved = Output<typeof reports.get>
/** The days of a saved report that names none, as the server reads them. */
function daysOf({ frequency, start_date, end_date }: Saved): Days {
  if (isSent({ frequency })) return since_last
  return start_date && end_date ? 'custom' : 'last_30_days'
}
/** The question of a saved report. */
export function reportQueryOf(saved: Saved): ReportQuery {
  const date_range = saved.date_range ?? daysOf(saved)
  const ids = narrowings.map((name) => [name, saved[name] ?? []] as const)
  return {
    ...Object.fromEntries(ids),
    id: saved.id,
    as_saved: true,
    date_range,
    ...(date_range === 'custom'
      ? { start_date: saved.start_date ?? undefined, end_date: saved.end_date ?? undefined }
      : {}),
    view_as: saved.view_as,
    columns: saved.columns,
  }
}

const areDefault = (columns: readonly string[]) => columns.join() === defaults.columns.join()

/** The question as parameters of an address, without default values. */
export const searchOf = ({
  id: _,
  as_saved: _as,
  view_as,
  columns,
  ...rest
}: ReportQuery): Record<string, unknown> => ({
  ...rest,
  ...(view_as === 'unique' ? { view_as } : {}),
  ...(areDefault(columns) ? {} : { columns }),
})

/** A custom range has both days, in order. */
export const isWhole = ({ date_range, start_date, end_date }: ReportQuery): boolean =>
  date_range !== 'custom' || (Boolean(start_date && end_date) && String(start_date) <= String(end_date))

const unnarrowed = Object.fromEntries(narrowings.map((name) => [name, []]))

/** The question as input for the calls: a saved report by its id alone; by its days also where these alone are as they were saved. */
export function askOf(kind: KindWord, question: ReportQuery): Input<typeof reports.exportFile> {
  const { sort: _sort, id, as_saved, date_range, view_as, columns, ...rest } = question
  if (as_saved) return { id }
  const days = date_range === since_last ? { id, ...unnarrowed } : { date_range }
  return { kind, ...days, ...rest, ...(kinds[kind].has_views ? { view_as, columns } : {}) }
}

/** The question of a screen, and how it is changed. */
export interface Asking {
  question: ReportQuery
  change: (part: Partial<ReportQuery>) => void
}

export function useReportQuery(base?: ReportQuery): Asking {
  const search = useScreenSearch()
  const path = useScreenPath()
  const question = reportQueryIn(search, base)
  return {
    question,
    change: (part) => {
      const report_id = one(search['report_id'])
      go(path + stringifySearch({ report_id, ...searchOf({ ...question, ...part }) }))
    },
  }
}
