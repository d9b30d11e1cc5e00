// Report filters: the days and filters of a report, which can be changed in place.
import * as reports from '#contract/reports.ts'
import { useState } from 'react'
import { NamesSelect } from '#web/kit/form/name-select.tsx'
import { Button } from '#web/ui/button.tsx'
import { DayInput } from '#web/ui/moment-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { narrowings, type ReportQuery } from './report-query.ts'
import { optionsOf, rangeNames, since_last } from './words.ts'
import styles from './reports.module.css'

interface ReportFiltersProps {
  question: ReportQuery
  change: (part: Partial<ReportQuery>) => void
}

export function ReportFilters({ question, change }: ReportFiltersProps) {
  const narrowed = narrowings.filter((name) => (question[name]?.length ?? 0) > 0).length
  const [open, setOpen] = useState(narrowed > 0)
  return (
    <div className={styles.asked}>
      <div className={styles.days}>
        <Select
          label={reports.fields.date_range.label}
          name="date_range"
          options={[
            ...(question.date_range === 'since_last' ? [{ value: 'since_last', label: since_last }] : []),
            ...optionsOf(rangeNames),
          ]}
          value={question.date_range}
          clearable={false}
          onChange={(next) => {
            const date_range = reports.dateRanges.find((range) => range === next)
            if (date_range) change({ date_range, start_date: undefined, end_date: undefined })
          }}
        />
        {question.date_range === 'custom' && <OwnDays question={question} change={change} />}
        <div className={styles.more}>
          <Button icon="filter" expanded={open} onClick={() => setOpen(!open)}>
            {narrowed > 0 ? `Filters (${narrowed})` : 'Filters'}
          </Button>
          {narrowed > 0 && (
            <Button kind="quiet" onClick={() => change(Object.fromEntries(narrowings.map((name) => [name, []])))}>
              Clear filters
            </Button>
          )}
        </div>
      </div>
      {open && (
        <div className={styles.filters}>
          {narrowings.map((name) => (
            <NamesSelect
              key={name}
              name={name}
              field={reports.fields[name]}
              value={question[name] ?? none}
              onChange={(ids) => change({ [name]: ids })}
            />
          ))}
        </div>
      )}
    </div>
  )
}

const none: number[] = []

const OwnDays = ({ question: { start_date = '', end_date = '' }, change }: ReportFiltersProps) => (
  <>
    <DayInput
      label={reports.fields.start_date.label}
      name="start_date"
      value={start_date}
      onChange={(day) => change({ start_date: day })}
    />
    <DayInput
      label={reports.fields.end_date.label}
      name="end_date"
      value={end_date}
      min={start_date}
      error={start_date && end_date && end_date < start_date ? 'It ends before it begins' : undefined}
      onChange={(day) => change({ end_date: day })}
    />
  </>
)
