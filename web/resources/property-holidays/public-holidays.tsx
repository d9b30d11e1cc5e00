// Public holidays: those of a year and a region, from a library.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as suggestions from '#contract/holiday-suggestions.ts'
import { refusals } from '#contract/errors.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Select } from '#web/ui/select.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { Suggestions } from './suggestions.tsx'
import styles from './holidays.module.css'

const years = () => {
  const first = new Date().getFullYear()
  return [first, first + 1, first + 2].map((year) => ({ value: String(year), label: String(year) }))
}
const wholeCountry = 'all'

export function PublicHolidays({ property_id, close }: { property_id: number; close: () => void }) {
  const [year, setYear] = useState(years()[0]?.value ?? '')
  const [region, setRegion] = useState(wholeCountry)
  const asked = { property_id, year: Number(year), ...(region === wholeCountry ? {} : { region }) }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: keys.list(suggestions.suggestHolidays.path, asked),
    queryFn: ({ signal }) => call(suggestions.suggestHolidays, asked, { signal }),
    // Keeps the regions while another year is loaded; the days of the old year are not offered.
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  })
  const regions = data?.meta.regions ?? []
  return (
    <>
      <div className={styles.asked}>
        <Select
          label="Year"
          name="year"
          options={years()}
          value={year}
          onChange={(chosen) => setYear(chosen ?? year)}
        />
        {regions.length > 0 && (
          <Select
            label="Region"
            name="region"
            options={[
              { value: wholeCountry, label: 'Whole country' },
              ...regions.map(({ code, name }) => ({ value: code, label: name })),
            ]}
            value={region}
            onChange={(chosen) => setRegion(chosen ?? wholeCountry)}
          />
        )}
      </div>
      {error instanceof Refused && error.status === refusals.invalid.status ? (
        <Notice>
          {Object.values(error.errors).flat().join(' ')}{' '}
          <Link href={to.property(property_id, 'details')}>Open its details</Link>
        </Notice>
      ) : error ? (
        <LoadFailed error={error} again={() => void refetch()} />
      ) : !data || isPlaceholderData ? (
        <Skeleton height={240} label="The holidays are being looked up" />
      ) : (
        <Suggestions
          key={`${year} ${region}`}
          of={data.data}
          property_id={property_id}
          close={close}
          listed={{ region: region === wholeCountry ? null : region }}
          empty="No public holidays are known for this country and year. Please add them by hand, or read a calendar."
          source={`Days by ${data.meta.source}. Please check them: some are set late, or differ by town.`}
        />
      )}
    </>
  )
}
