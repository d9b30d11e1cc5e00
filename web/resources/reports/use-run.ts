// useRun: a report's rows page by page, with its totals and series, which come with the first page.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Reply } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import { callKind } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import type { KindWord } from './kinds.ts'
import { askOf, isWhole, type ReportQuery } from './report-query.ts'

export type RunAnswer = Reply<typeof reports.run>
export type ReportRow = RunAnswer['data'][number]
export type RunMeta = RunAnswer['meta']

export function useRun(kind: KindWord, question: ReportQuery) {
  const ask = { ...askOf(kind, question), sort: question.sort }
  const query = useInfiniteQuery({
    queryKey: keys.list(reports.run.path, ask),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      callKind<RunAnswer>(reports.run, pageParam ? { ...ask, cursor: pageParam } : ask, { signal }),
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    // Keeps the old rows until those of the new question are loaded.
    placeholderData: keepPreviousData,
    enabled: isWhole(question),
  })
  return { ...query, rows: query.data?.pages.flatMap(({ data }) => data) ?? [], first: query.data?.pages[0]?.meta }
}
