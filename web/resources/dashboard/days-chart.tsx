// Days chart: guests online by hour this week compared with last week, or sessions or data of the last 4 weeks compared with the 4
// weeks before.
import { useState } from 'react'
import { BarChart, type Bar } from '#web/kit/chart/bar-chart.tsx'
import { dayOf, timeOf, shortDayOf, weekdayOf } from '#web/kit/display/dates.ts'
import { fractionOf } from '#web/kit/display/numbers.ts'
import { Panel } from '#web/ui/page.tsx'
import { Segments } from '#web/ui/segments.tsx'
import type { Figures } from './figures.ts'

interface Measure {
  title: string
  name: string
  unit: string
  heading?: string
  bars: (figures: Figures) => Bar[]
  before: string
  partial: string
  whole?: 'most'
}

const daily = (field: 'sessions' | 'data_gb') => ({
  bars: ({ days, days_before }: Figures): Bar[] =>
    days.map((day, index) => ({
      key: day.day,
      label: dayOf(day.day),
      short: shortDayOf(day.day),
      value: day[field],
      before: days_before[index]?.[field],
    })),
  before: '4 weeks before',
  partial: 'today so far',
})

const measures = {
  online: {
    title: 'Online',
    name: 'Guests online, last 7 days',
    whole: 'most',
    unit: 'guests',
    heading: 'Hour',
    bars: ({ hours }) =>
      hours.map(({ hour, online, before }) => ({
        key: hour,
        label: timeOf(hour),
        // Labels the first hour of each day, by the reader's clock.
        short: new Date(hour).getHours() === 0 ? weekdayOf(hour) : '',
        value: online,
        before,
      })),
    before: 'a week before',
    partial: 'this hour so far',
  },
  sessions: { title: 'Sessions', name: 'Sessions, last 4 weeks', unit: 'sessions', ...daily('sessions') },
  data_gb: { title: 'Data', name: 'Data, last 4 weeks', unit: 'GB', ...daily('data_gb') },
} as const satisfies Record<string, Measure>
type MeasureName = keyof typeof measures

export function DaysChart({ figures }: { figures: Figures }) {
  const [chosen, setChosen] = useState<MeasureName>('online')
  const { name, unit, heading = 'Day', bars, before, partial, whole }: Measure = measures[chosen]
  return (
    <Panel
      title={name}
      actions={
        <Segments
          label="Measure"
          bare
          value={chosen}
          onChange={(value) => setChosen(value as MeasureName)}
          options={Object.entries(measures).map(([value, { title: label }]) => ({ value, label }))}
        />
      }
    >
      <BarChart
        label={name}
        unit={unit}
        format={(value) => fractionOf(value)}
        heading={heading}
        bars={bars(figures)}
        beforeLabel={before}
        partial={partial}
        {...(whole ? { whole } : {})}
      />
    </Panel>
  )
}
