// Billing preview: what properties owe for a period, before anything is saved; it can be saved as a draft.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as billing from '#contract/billing-runs.ts'
import * as reports from '#contract/reports.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { NamesSelect } from '#web/kit/form/name-select.tsx'
import { DayInput } from '#web/ui/moment-field.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { EmptyState, Skeleton } from '#web/ui/state.tsx'
import { saveDraft } from './calls.ts'
import { Gaps, hasGaps, NoRate } from './gaps.tsx'
import { LinesTable } from './lines.tsx'
import { lastMonth, monthOf, periodOf, type Period } from '#web/kit/display/months.ts'
import { placeNames, placesIn, type DrawnLine, type Places } from './words.tsx'
import styles from './billing.module.css'

type PreviewQuery = Period & Places

export function BillingPreview({ period }: { period: Period }) {
  const places = placesIn(useScreenSearch())
  const asked = { ...period, ...places }
  const isWhole = period.period_end >= period.period_start
  const mayCreate = useMayCall(billing.createRun)
  const [saving, setSaving] = useState(false)
  const ask = { ...asked, with_nights: false }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: keys.list(billing.previewRun.path, ask),
    queryFn: ({ signal }) => call(billing.previewRun, ask, { signal }),
    placeholderData: keepPreviousData,
    enabled: isWhole,
    staleTime: 0,
  })
  const isEmpty = data?.data.length === 0
  const isCurrent = data !== undefined && isWhole && !isPlaceholderData
  return (
    <>
      <PageHeader
        above={<Link href={to.billing()}>Billing</Link>}
        title="New bill"
        actions={
          mayCreate && (
            <Button
              kind="primary"
              icon="check"
              busy={saving}
              disabled={!isCurrent || isEmpty}
              onClick={() => {
                setSaving(true)
                void saveDraft(asked).finally(() => setSaving(false))
              }}
            >
              Save as draft
            </Button>
          )
        }
      />
      <Choice asked={asked} />
      {error && !isPlaceholderData ? (
        <LoadFailed error={error} again={() => void refetch()} />
      ) : !isWhole ? (
        <EmptyState icon="history" title="Choose the first and the last night">
          The last night cannot be before the first.
        </EmptyState>
      ) : data === undefined ? (
        <Skeleton height={220} label="Working it out" />
      ) : (
        <div className={styles.sheet} aria-busy={isPlaceholderData}>
          <Gaps gaps={data.meta} />
          {data.data.length > 0 ? (
            <>
              <NoRate lines={data.data} />
              <LinesTable
                label={`What is owed for ${periodOf(period.period_start, period.period_end)}`}
                lines={data.data.map((line) => ({ ...line, key: keyOf(line) }))}
                totals={data.meta.totals}
                nights={(line) => ({ drawn: { line, period } })}
              />
            </>
          ) : (
            <NothingToBill hasGaps={hasGaps(data.meta)} />
          )}
        </div>
      )}
    </>
  )
}

const keyOf = ({ property, month, currency, kind }: DrawnLine) => [property.id, month, currency, kind].join()

const other = { value: 'other', label: 'Other nights' }

/** The properties and the nights, which are kept in the address. */
function Choice({ asked }: { asked: PreviewQuery }) {
  const months = [2, 1, 0].map((earlier) => {
    const period = lastMonth(earlier)
    return { period, name: monthOf(period.period_start) }
  })
  const same = months.find(
    ({ period }) => period.period_start === asked.period_start && period.period_end === asked.period_end,
  )
  const chosen = same?.period.period_start ?? other.value
  const change = (part: Partial<PreviewQuery>) => go(to.newBillingRun({ ...asked, ...part }), { replace: true })
  return (
    <div className={styles.choice}>
      <Segments
        label="Period"
        bare
        value={chosen}
        options={[...months.map(({ name, period }) => ({ value: period.period_start, label: name })), other]}
        onChange={(next) => {
          const month = months.find(({ period }) => period.period_start === next)
          if (month) change(month.period)
        }}
      />
      <div className={styles.fields}>
        <DayInput
          label="First night"
          name="period_start"
          value={asked.period_start}
          onChange={(period_start) => period_start && change({ period_start })}
        />
        <DayInput
          label="Last night"
          name="period_end"
          value={asked.period_end}
          min={asked.period_start}
          onChange={(period_end) => change({ period_end })}
        />
        {placeNames.map((name) => (
          <NamesSelect
            key={name}
            name={name}
            field={reports.fields[name]}
            value={asked[name]}
            onChange={(ids) => change({ [name]: ids })}
          />
        ))}
      </div>
    </div>
  )
}

const NothingToBill = ({ hasGaps }: { hasGaps: boolean }) => (
  <EmptyState
    icon="roll"
    title={hasGaps ? 'Nothing in this period can be billed yet' : 'There is nothing to bill'}
    action={<LinkButton href={to.properties()}>Properties</LinkButton>}
  >
    {hasGaps
      ? 'What is missing is listed above.'
      : 'These properties have no nights in this period, or all of them are billed. Foyer records each night of a property ' +
        'once it is over, unless the property is a draft; set its rate, units and percentages in its form.'}
  </EmptyState>
)
