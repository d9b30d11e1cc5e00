// Company section of the profile: the time zone by which the customer's reports are sent, and whom front desks call.
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import * as company from '#contract/company.ts'
import * as reference from '#contract/reference.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { useNames } from '#web/kit/call/names.ts'
import { forgetLists, showAnswer, invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { clockIn } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { zoneName, zoneOptions } from '#web/kit/display/time-zones.ts'
import { useTypedState } from '#web/kit/form/typed.ts'
import { OwnPrograms } from '#web/resources/integrations/list.tsx'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import { Section } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { TextField } from '#web/ui/text-field.tsx'
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
    <div>
      <Section
        title={data?.name ?? 'Company'}
        hint="For all its people. Each property has its own time zone for its days and nights."
      >
        {!data ? <Skeleton height={64} /> : mayChange ? <TimeZone {...data} /> : <ZoneFact {...data} />}
      </Section>
      {data && (
        <Section title="Front desks" hint="Who they call when the network does not work: a name and a number.">
          {mayChange ? <DeskContact {...data} /> : <FieldFact label="Call">{data.desk_contact}</FieldFact>}
        </Section>
      )}
      {appContext() !== 'customer' && <OwnPrograms />}
    </div>
  )
}

const scheduleText = (time_zone: string) =>
  `Scheduled reports are sent at six in the morning in this zone. It is ${clockIn(new Date(), time_zone)} there now.`

const ZoneFact = ({ time_zone }: { time_zone: string }) => (
  <FieldFact label="Time zone" reason={scheduleText(time_zone)}>
    {zoneName(time_zone)}
  </FieldFact>
)

function TimeZone({ time_zone }: { time_zone: string }) {
  const [busy, setBusy] = useState(false)
  const options = zoneOptions(useNames(reference.countries), [], time_zone)
  const change = async (chosen: string | null) => {
    if (chosen === null || chosen === time_zone) return
    const sure = await confirm({
      title: `Send reports in the time of ${zoneName(chosen)}?`,
      description: `It is ${clockIn(new Date(), chosen)} there. From now on scheduled reports are sent at six in the morning there.`,
      accept: 'Change time zone',
    })
    if (!sure) return
    setBusy(true)
    try {
      const answer = await call(company.update, { time_zone: chosen })
      showAnswer(key, () => answer)
      forgetLists(scheduled.listScheduled.path)
      invalidateOthers()
      notify.success(`Reports are sent in the time of ${zoneName(answer.time_zone)}`)
    } catch (error) {
      notify.failure(error)
    }
    setBusy(false)
  }
  return (
    <Select
      label="Time zone"
      name="time_zone"
      hint={scheduleText(time_zone)}
      options={options}
      value={time_zone}
      clearable={false}
      disabled={busy}
      onChange={(chosen) => void change(chosen)}
    />
  )
}

function DeskContact({ desk_contact }: { desk_contact: string | null }) {
  const [typed, setTyped] = useTypedState('desk contact', desk_contact ?? '')
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const next = typed.trim() === '' ? null : typed.trim()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const answer = await call(company.update, { desk_contact: next })
      showAnswer(key, () => answer)
      invalidateOthers()
      notify.success(next === null ? 'Front desks no longer see who to call' : `Front desks call ${next}`)
    } catch (error) {
      setWrong(sentenceOf(error))
    }
    setBusy(false)
  }
  return (
    <form noValidate onSubmit={(event) => void save(event)} className={styles.contact}>
      <TextField
        label="Call"
        name="desk_contact"
        placeholder="Quay IT, +44 1947 555010"
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setWrong(undefined)
        }}
        error={wrong}
      />
      <Button submit busy={busy} disabled={next === desk_contact}>
        Save
      </Button>
    </form>
  )
}
