// Today: the front desk's home: one field to find the guest at the desk, with the verdict while one types; who arrives, leaves and
// stays; who was just refused; what the shift hands over; and the state of the network as a sentence.
import { useState } from 'react'
import * as properties from '#contract/properties.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { ofProperty } from '#contract/today.ts'
import * as batches from '#contract/voucher-batches.ts'
import { useNamesLoaded } from '#web/kit/call/names.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { here } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to, withModal } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'
import { AtTheDesk } from './at-the-desk.tsx'
import { DifferencesLine } from './differences.tsx'
import { Network, RefusedLately } from './refused.tsx'
import { ShiftOfDesk } from './shift.tsx'
import { StaysOfToday } from './stays.tsx'
import styles from './today.module.css'

/** How often the day is fetched again while the page is open. */
const refresh_ms = 20_000
const property_key = 'foyer-desk-property'

/** A property's users have no other; all others pick one, which is remembered in this browser. */
function useDeskProperty() {
  const own = useOwnProperty()
  const { names: places, error, again } = useNamesLoaded(own === undefined ? properties.names : undefined)
  const [picked, setPicked] = useState(() => Number(localStorage.getItem(property_key)))
  const pick = (id: number | undefined) => {
    localStorage.setItem(property_key, String(id ?? ''))
    setPicked(id ?? 0)
  }
  const known = places.find(({ id }) => id === picked)?.id ?? (places.length === 1 ? places[0]?.id : undefined)
  return { own, property_id: own ?? known, pick, failed: error && { error, again } }
}

export function Today() {
  return <Desk />
}
/** For the start page for phones, which has its own heading; the field is not focused, as the keyboard would cover the page. */
export function TodayOnPhone() {
  return <Desk onPhone />
}

function Desk({ onPhone = false }: { onPhone?: boolean }) {
  const { own, property_id, pick, failed } = useDeskProperty()
  const choose = own === undefined && (
    <NameSelect label={say('property')} name="property_id" to="properties" value={property_id} onChange={pick} />
  )
  return (
    <>
      {!onPhone && <PageHeader title={say('today')} actions={property_id && <Actions property_id={property_id} />} />}
      <div className={styles.today}>
        {failed ? <LoadFailed {...failed} /> : choose && <div className={styles.property}>{choose}</div>}
        {onPhone && property_id && (
          <div className={styles.actions}>
            <Actions property_id={property_id} />
          </div>
        )}
        {property_id && <Day key={property_id} property_id={property_id} onPhone={onPhone} />}
      </div>
    </>
  )
}

function Actions({ property_id }: { property_id: number }) {
  const mayMake = useMayCall(batches.create)
  const mayCheckIn = useMayCall(roomGuests.create)
  return (
    <>
      {mayCheckIn && (
        <LinkButton icon="checkIn" href={to.checkIn(property_id)}>
          {say('check-in')}
        </LinkButton>
      )}
      {mayMake && (
        <LinkButton kind="primary" icon="vouchers" href={withModal(here(), 'one-voucher', { property_id })}>
          {say('give-out-a-code')}
        </LinkButton>
      )}
    </>
  )
}

function Day({ property_id, onPhone }: { property_id: number; onPhone: boolean }) {
  const { data, error, refetch } = useLiveQuery(
    ofProperty,
    { property_id },
    { key: ['today', property_id], every_ms: refresh_ms },
  )
  const reload = () => refetch()
  return (
    <AtTheDesk property_id={property_id} takesFocus={!onPhone} onChanged={() => void reload()}>
      {error && !data && <LoadFailed error={error} again={() => void reload()} />}
      {!error && !data && <Skeleton height={320} label={say('loading-the-day')} />}
      {data && (
        <div className={styles.day}>
          <p className={styles.date}>
            {dayOf(data.day)} · {data.property.name}
          </p>
          <div className={styles.stays}>
            <StaysOfToday today={data} reload={reload} />
          </div>
          <div className={styles.beside}>
            <DifferencesLine property_id={property_id} count={data.differences} />
            <Network network={data.network} />
            <ShiftOfDesk property_id={property_id} />
            <RefusedLately refused={data.refused} property_id={property_id} reload={reload} />
          </div>
        </div>
      )}
    </AtTheDesk>
  )
}
