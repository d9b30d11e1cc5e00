// Report screen: a report with its days and filters, totals, charts and rows; it can be exported as a file, and saved.
import type { ReactNode } from 'react'
import { useState } from 'react'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { periodOf } from '#web/kit/display/months.ts'
import { BarChart } from '#web/kit/chart/bar-chart.tsx'
import { dayOf, shortDayOf } from '#web/kit/display/dates.ts'
import { LoadFailed, NotOpen } from '#web/kit/display/load-failed.tsx'
import { lengthOf, wholeOf, fractionOf } from '#web/kit/display/numbers.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Facts, type Fact } from '#web/ui/facts.tsx'
import { PageHeader, Panel } from '#web/ui/page.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Select, type Option } from '#web/ui/select.tsx'
import { EmptyState, Skeleton } from '#web/ui/state.tsx'
import { ReportFilters } from './report-filters.tsx'
import { ExportReport } from './export-report.tsx'
import { kinds, type KindWord } from './kinds.ts'
import {
  askOf,
  isWhole,
  reportQueryOf,
  searchOf,
  useReportQuery,
  type Asking,
  type ReportQuery,
} from './report-query.ts'
import { ReportTable } from './report-table.tsx'
import { ReportsNav } from '#web/frame/reports-nav.tsx'
import { RunProgress } from './run-progress.tsx'
import { useRun, type RunMeta } from './use-run.ts'
import styles from './reports.module.css'

interface ReportScreenProps {
  kind: KindWord
  /** A saved report whose parameters it has. */
  report_id: number | undefined
  /** Further choices about its rows. */
  controls?: (asking: Asking) => ReactNode
  /** Shown next to the chart. */
  picture?: (meta: RunMeta) => ReactNode
}
type Parts = Omit<ReportScreenProps, 'report_id'>

export const ReportScreen = ({ report_id, ...parts }: ReportScreenProps) =>
  report_id === undefined ? (
    <NamedReport title={kinds[parts.kind].screen.title} {...parts} />
  ) : (
    <SavedReport id={report_id} {...parts} />
  )

function SavedReport({ id, ...parts }: Parts & { id: number }) {
  const record = useRecord(reports, id)
  return record ? (
    <NamedReport title={record.name} base={reportQueryOf(record)} {...parts} />
  ) : (
    <PageHeader title={undefined} />
  )
}

function NamedReport({ base, ...props }: Parts & { title: string; base?: ReportQuery }) {
  const asking = useReportQuery(base)
  const mayRun = useMayCall(reports.run)
  return (
    <>
      <ReportsNav />
      {mayRun ? (
        <OpenReport {...props} asking={asking} />
      ) : (
        <>
          <PageHeader title={props.title} />
          <NotOpen />
        </>
      )}
    </>
  )
}

function OpenReport({ kind, title, asking, controls, picture }: Parts & { title: string; asking: Asking }) {
  const { question, change } = asking
  const maySave = useMayCall(scheduled.create)
  const run = useRun(kind, question)
  const meta = run.first
  const [begun, setBegun] = useState<number>()
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            {isWhole(question) && <ExportReport ask={askOf(kind, question)} onBegun={({ id }) => setBegun(id)} />}
            {maySave && (
              <LinkButton kind="primary" icon="add" href={to.newReport({ kind, ...searchOf(question) })}>
                Save as report
              </LinkButton>
            )}
          </>
        }
      />
      {begun !== undefined && <RunProgress key={begun} id={begun} />}
      <ReportFilters question={question} change={change} />
      {!isWhole(question) ? (
        <EmptyState icon="reports" title="Choose the days">
          The report needs a first and a last day.
        </EmptyState>
      ) : run.error && !meta ? (
        <LoadFailed error={run.error} again={() => void run.refetch()} />
      ) : !meta ? (
        <Waiting />
      ) : (
        <div className={styles.report} aria-busy={run.isPlaceholderData}>
          <Totals kind={kind} meta={meta} />
          <div className={styles.pictures}>
            <Days meta={meta} />
            {picture?.(meta)}
          </div>
          {controls?.(asking)}
          {meta.total === 0 ? (
            <NoRows meta={meta} />
          ) : (
            <ReportTable
              label={title}
              rows={run.rows}
              meta={meta}
              sorts={kinds[kind].shown?.sorts(question.view_as) ?? []}
              sort={question.sort}
              onSort={(sort) => change({ sort })}
              onMore={run.hasNextPage ? () => void run.fetchNextPage() : undefined}
              busy={run.isFetchingNextPage}
            />
          )}
        </div>
      )}
    </>
  )
}

/** Sums are kept longer than what they were added up from. */
const NoRows = ({ meta: { totals, sessions_since } }: { meta: RunMeta }) =>
  totals.sessions > 0 && sessions_since !== null ? (
    <EmptyState icon="reports" title="Single sessions of these days are no longer kept">
      They are kept since {dayOf(sessions_since)}. What they add up to is above.
    </EmptyState>
  ) : (
    <EmptyState icon="reports" title="Nobody was online on these days">
      Choose other days, or clear the filters.
    </EmptyState>
  )

const Waiting = () => (
  <div className={styles.report} role="status" aria-busy="true" aria-label="Loading">
    <Skeleton height={72} />
    <Skeleton height={240} />
    <Skeleton height={320} />
  </div>
)

function Totals({
  kind,
  meta: { totals, range, complete_to, sessions_since, sums_since, hours_since },
}: {
  kind: KindWord
  meta: RunMeta
}) {
  const { sessions, identifiers, usage_gb, new_guests, returning_guests, consents } = totals
  const { shown } = kinds[kind]
  const since = sessions_since === null ? '' : ` since ${dayOf(sessions_since)}`
  const count = (label: string, value: number | undefined): Fact[] =>
    value === undefined ? [] : [[label, wholeOf(value)]]
  return (
    <Facts
      inColumns
      facts={[
        ['Days', periodOf(range.start_date, range.end_date)],
        ...(complete_to !== null && complete_to < range.end_date ? [['Complete to', dayOf(complete_to)] as Fact] : []),
        ...(sessions_since === null ? [] : [['Single sessions', `Kept since ${dayOf(sessions_since)}`] as Fact]),
        ...(sums_since === null ? [] : [['Sums', `Kept since ${dayOf(sums_since)}`] as Fact]),
        ...(hours_since ? [['Hours', `Kept since ${dayOf(hours_since)}`] as Fact] : []),
        ...count('Sessions', sessions),
        ...(shown ? count(`${shown.identifiers}${since}`, identifiers) : []),
        ...count(`New guests${since}`, new_guests),
        ...count(`Returning guests${since}`, returning_guests),
        ...count('Agreed to marketing', consents),
        ['Data', `${fractionOf(usage_gb, 3)} GB`],
        ...(shown ? [[shown.duration, lengthOf(shown.durationOf(totals))] as Fact] : []),
      ]}
    />
  )
}

const isDays = (key: string) => key !== 'hours' && key !== 'week_hours'

/** One series at a time, a bar for each day. */
function Days({ meta: { series } }: { meta: RunMeta }) {
  const daily = (series ?? []).filter(({ key, points }) => isDays(key) && points.length > 0)
  const [chosen, setChosen] = useState<string>()
  const shown = daily.find(({ key }) => key === chosen) ?? daily[0]
  if (!shown) return null
  const isData = shown.key === 'usage_gb'
  return (
    <Panel
      title={`${shown.title} by day`}
      actions={
        daily.length > 1 && (
          <Measure
            value={shown.key}
            onChange={setChosen}
            options={daily.map(({ key, title }) => ({ value: key, label: title }))}
          />
        )
      }
    >
      <BarChart
        label={`${shown.title} by day`}
        unit={isData ? 'GB' : shown.title.toLowerCase()}
        format={(value) => fractionOf(value)}
        // A guest who comes on two days is one guest, so the days do not add up.
        whole={shown.key === 'unique_guests' ? 'most' : 'sum'}
        bars={shown.points.map(({ at, value }) => ({
          key: at,
          label: dayOf(at),
          short: shortDayOf(at),
          value,
        }))}
      />
    </Panel>
  )
}

interface MeasureProps {
  value: string
  options: Option[]
  onChange: (value: string) => void
}

/** Side by side, as long as there is room for them on a phone. */
const Measure = ({ value, options, onChange }: MeasureProps) =>
  options.length <= 3 ? (
    <Segments label="Measure" bare value={value} options={options} onChange={onChange} />
  ) : (
    <Select
      label="Measure"
      unseenLabel
      name="measure"
      value={value}
      options={options}
      clearable={false}
      onChange={(next) => next !== null && onChange(next)}
    />
  )
