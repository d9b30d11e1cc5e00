// Company section of the profile: the clock by which the customer's reports are sent.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as company from '#contract/company.ts'
import * as reference from '#contract/reference.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { call } from '#web/kit/call/call.ts'
import { useNames } from '#web/kit/call/names.ts'
import { forgetLists, showAnswer, staleOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { clockIn } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { zoneName, zoneOptions } from '#web/kit/display/time-zones.ts'
import { useMayCall } from '#web/session/may.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { Section } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './user-profile.module.css'

const key = [company.get.path]

export function Company() {
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(company.get, {}, { signal }),
  })
  const mayChange = useMayCall(company.update)
  if (error && !data) return <LoadFailed error={error} again={() => void refetch()} />
  return (
    <div className={styles.company}>
      <Section
        title={data?.name ?? 'Company'}
        hint="For all its people. Each property has a clock of its own, which its days and nights go by."
      >
        {!data ? <Skeleton height={64} /> : mayChange ? <TimeZone {...data} /> : <ZoneFact {...data} />}
      </Section>
    </div>
  )
}

const saysWhen = (time_zone: string) =>
  `Scheduled reports are sent at six in the morning by this clock. It is ${clockIn(new Date(), time_zone)} there now.`

const ZoneFact = ({ time_zone }: { time_zone: string }) => (
  <FieldFact label="Time zone" reason={saysWhen(time_zone)}>
    {zoneName(time_zone)}
  </FieldFact>
)

function TimeZone({ time_zone }: { time_zone: string }) {
  const [busy, setBusy] = useState(false)
  const options = zoneOptions(useNames(reference.countries), [], time_zone)
  const change = async (chosen: string | null) => {
    if (chosen === null || chosen === time_zone) return
    const sure = await confirm({
      title: `Send reports by the clock of ${zoneName(chosen)}?`,
      description: `It is ${clockIn(new Date(), chosen)} there. Every scheduled report is next sent at six in the morning by that clock.`,
      accept: 'Change time zone',
    })
    if (!sure) return
    setBusy(true)
    try {
      const answer = await call(company.update, { time_zone: chosen })
      showAnswer(key, () => answer)
      forgetLists(scheduled.listScheduled.path)
      staleOthers()
      notify.success(`Reports are sent by the clock of ${zoneName(answer.time_zone)}`)
    } catch (error) {
      notify.failure(error)
    }
    setBusy(false)
  }
  return (
    <Select
      label="Time zone"
      name="time_zone"
      hint={saysWhen(time_zone)}
      options={options}
      value={time_zone}
      clearable={false}
      disabled={busy}
      onChange={(chosen) => void change(chosen)}
    />
  )
}
