// Days chart: sessions or data of the last 30 days, beside the 30 days before.
import { useState } from 'react'
import { BarChart } from '#web/kit/chart/bar-chart.tsx'
import { dayOf } from '#web/kit/display/dates.ts'
import { Panel } from '#web/ui/page.tsx'
import { Segments } from '#web/ui/segments.tsx'
import type { Figures } from './figures.ts'

const measures = {
  sessions: { title: 'Sessions', unit: 'sessions' },
  data_gb: { title: 'Data', unit: 'GB' },
} as const
type Measure = keyof typeof measures

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function DaysChart({ days, before }: { days: Figures['days']; before: Figures['days_before'] }) {
  const [measure, setMeasure] = useState<Measure>('sessions')
  const { title, unit } = measures[measure]
  return (
    <Panel
      title={`${title}, last ${days.length} days`}
      actions={
        <Segments
          label="Measure"
          bare
          value={measure}
          onChange={(value) => setMeasure(value as Measure)}
          options={Object.entries(measures).map(([value, { title: label }]) => ({ value, label }))}
        />
      }
    >
      <BarChart
        label={`${title}, last ${days.length} days`}
        unit={unit}
        bars={days.map((day, index) => ({
          key: day.day,
          label: dayOf(day.day),
          short: short.format(new Date(day.day)),
          value: day[measure],
          before: before[index]?.[measure],
        }))}
        beforeLabel={`${before.length} days before`}
        partial="today so far"
      />
    </Panel>
  )
}
