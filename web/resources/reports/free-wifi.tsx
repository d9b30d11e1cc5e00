// Free Wi-Fi report: new and returning guests by property and day, with a chart of the week by hour.
import * as reports from '#contract/reports.ts'
import { WeekChart } from '#web/kit/chart/week-chart.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { PageHeader, Panel } from '#web/ui/page.tsx'
import { reportQueryOf, useReportQuery, type ReportQuery } from './report-query.ts'
import { ReportScreen } from './report-screen.tsx'
import type { RunMeta } from './use-run.ts'

export const FreeWifiReport = ({ report_id }: { report_id?: number }) =>
  report_id === undefined ? <Open /> : <SavedReport id={report_id} />

function SavedReport({ id }: { id: number }) {
  const record = useRecord(reports, id)
  return record ? <Open name={record.name} base={reportQueryOf(record)} /> : <PageHeader title={undefined} />
}

function Open({ name = 'Free Wi-Fi report', base }: { name?: string; base?: ReportQuery }) {
  const { question, change } = useReportQuery(base)
  return (
    <ReportScreen
      kind="free_wifi"
      title={name}
      question={question}
      change={change}
      picture={(meta) => <Week meta={meta} />}
    />
  )
}

function Week({ meta: { series } }: { meta: RunMeta }) {
  const week = series?.find(({ key }) => key === 'week_hours')
  if (!week || week.points.length === 0) return null
  return (
    <Panel title={week.title}>
      <WeekChart
        label={week.title}
        unit="guests on average"
        hours={week.points.map(({ at, value }) => ({
          weekday: Number(at.slice(0, 1)),
          hour: Number(at.slice(2)),
          value,
        }))}
      />
    </Panel>
  )
}
