// Report filters: the days and filters of a report, which can be changed in place.
import * as collections from '#contract/collections.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import * as macCategories from '#contract/mac-categories.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import * as reports from '#contract/reports.ts'
import { useState } from 'react'
import { useNamesOf, useOffered } from '#web/kit/call/options.ts'
import { optionsOf as nameOptions } from '#web/kit/form/name-options.ts'
import { Button } from '#web/ui/button.tsx'
import { DayInput } from '#web/ui/moment-field.tsx'
import { MultiSelect, Select } from '#web/ui/select.tsx'
import { narrowings, type Narrowing, type ReportQuery } from './report-query.ts'
import { optionsOf, rangeNames } from './words.ts'
import styles from './reports.module.css'

/** The filters of a report, each with the call that lists its names. */
export const narrowingSources: Record<Narrowing, { from: Endpoint; all: string }> = {
  property_ids: { from: properties.names, all: 'All properties' },
  group_ids: { from: groups.names, all: 'All groups' },
  collection_ids: { from: collections.names, all: 'All collections' },
  package_ids: { from: packages.names, all: 'All packages' },
  auth_method_ids: { from: reference.authMethods, all: 'All ways' },
  mac_category_ids: { from: macCategories.names, all: 'All categories' },
  property_type_ids: { from: reference.propertyTypes, all: 'All types' },
  connectivity_type_ids: { from: reference.connectivityTypes, all: 'All kinds' },
}

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
          options={optionsOf(rangeNames)}
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
            <ManyOf key={name} name={name} value={question[name] ?? none} onChange={(ids) => change({ [name]: ids })} />
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

export function ManyOf({
  name,
  value,
  onChange,
}: {
  name: Narrowing
  value: number[]
  onChange: (ids: number[]) => void
}) {
  const { from, all } = narrowingSources[name]
  const offered = useOffered(from)
  const { names, loading } = useNamesOf(from, value)
  const chosen = value.map((id) => ({ id, name: names.get(id) }))
  return (
    <MultiSelect
      label={reports.fields[name].label}
      name={name}
      placeholder={value.length === 0 ? all : ''}
      options={nameOptions(offered.rows, chosen, offered.loading || loading)}
      loaded={offered}
      value={value.map(String)}
      onChange={(next) => onChange(next.map(Number))}
    />
  )
}
