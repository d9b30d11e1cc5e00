// Report query: the parameters of a report. They are kept in the address, so that links, Back and reloads keep them; those of a saved
// report apply until something is changed.
import type { Input } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import { go } from '#web/kit/navigation/go.ts'
import { useScreenPath, useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { many, one, stringifySearch, type Search } from '#web/kit/navigation/search-params.ts'
import { kinds, type KindWord } from './kinds.ts'

export const narrowings = [...reports.placeNarrowings, ...reports.guestNarrowings] as const
export type Narrowing = (typeof narrowings)[number]

export type View = (typeof reports.reportViews)[number]

export interface ReportQuery extends Partial<Record<Narrowing, number[]>> {
  date_range: reports.DateRange
  start_date?: string | undefined
  end_date?: string | undefined
  view_as: View
  columns: reports.SessionColumn[]
  sort?: string | undefined
}

const defaults: ReportQuery = { date_range: 'this_month', view_as: 'all_sessions', columns: [...reports.columnsTicked] }

const isRange = (word: unknown): word is reports.DateRange => (reports.dateRanges as readonly unknown[]).includes(word)
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
    date_range,
    ...(date_range === 'custom' ? { start_date: one(search['start_date']), end_date: one(search['end_date']) } : {}),
    view_as: one(search['view_as']) === 'unique' ? 'unique' : 'all_sessions',
    columns: columns.length > 0 ? columns : defaults.columns,
    sort: one(search['sort']),
  }
}

type Saved = Omit<ReportQuery, 'date_range' | 'start_date' | 'end_date'> & {
  date_range: reports.DateRange | null
  start_date: string | null
  end_date: string | null
}
/** The question of a saved report. */
export function reportQueryOf(saved: Saved): ReportQuery {
  const date_range = saved.date_range ?? 'last_30_days'
  const ids = narrowings.map((name) => [name, saved[name] ?? []] as const)
  return {
    ...Object.fromEntries(ids),
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
export const searchOf = ({ view_as, columns, ...rest }: ReportQuery): Record<string, unknown> => ({
  ...rest,
  ...(view_as === 'unique' ? { view_as } : {}),
  ...(areDefault(columns) ? {} : { columns }),
})

/** A custom range has both days, in order. */
export const isWhole = ({ date_range, start_date, end_date }: ReportQuery): boolean =>
  date_range !== 'custom' || (Boolean(start_date && end_date) && String(start_date) <= String(end_date))

/** The question as input for the calls. */
export function askOf(kind: KindWord, question: ReportQuery): Input<typeof reports.exportFile> {
  const { sort: _sort, view_as, columns, ...rest } = question
  return { kind, ...rest, ...(kinds[kind].has_views ? { view_as, columns } : {}) }
}

export function useReportQuery(base?: ReportQuery): {
  question: ReportQuery
  change: (part: Partial<ReportQuery>) => void
} {
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
