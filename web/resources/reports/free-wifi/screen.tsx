// Free Wi-Fi report: new and returning guests by property and day, with a chart of the week by hour.
import { WeekChart } from '#web/kit/chart/week-chart.tsx'
import { fractionOf } from '#web/kit/display/numbers.ts'
import { ReportScreen } from '#web/resources/reports/report-screen.tsx'
import type { RunMeta } from '#web/resources/reports/use-run.ts'
import { Panel } from '#web/ui/page.tsx'

export const FreeWifiReport = ({ report_id }: { report_id?: number }) => (
  <ReportScreen kind="free_wifi" report_id={report_id} picture={(meta) => <Week meta={meta} />} />
)

function Week({ meta: { series } }: { meta: RunMeta }) {
  const week = series?.find(({ key }) => key === 'week_hours')
  if (!week || week.points.length === 0) return null
  return (
    <Panel title={week.title}>
      <WeekChart
        label={week.title}
        unit="guests on average"
        // A tenth of a guest says something only where there are few.
        format={(value) => fractionOf(value, value < 10 ? 1 : 0)}
        hours={week.points.map(({ at, value }) => ({
          weekday: Number(at.slice(0, 1)),
          hour: Number(at.slice(2)),
          value,
        }))}
      />
    </Panel>
  )
}
