// Stay actions: for a room guest: the length of the stay, a night more or less, another room, check-in and check-out.
import { useState } from 'react'
import type { HelpSubject } from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { useOffered } from '#web/kit/call/options.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { optionsOf } from '#web/kit/form/name-options.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { checkIn, checkOut, extend, moveTo, nextDeparture, type Staying } from './stay-calls.ts'
import { useFocusedInput } from './focused-input.ts'
import styles from './guest-help.module.css'

type Stay = NonNullable<HelpSubject['stay']>

const nightsBetween = (from: string, until: string) => Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000)
export const nightsOf = (nights: number) => (nights === 1 ? '1 night' : `${nights} nights`)

function howLong({ arrives_on, departs_on, today, checked_in_at }: Stay): string {
  if (checked_in_at === null && arrives_on !== null) return `Expected on ${dayOf(arrives_on)}`
  if (departs_on === null) return arrives_on === null ? 'Without a day of departure' : `Since ${dayOf(arrives_on)}`
  if (departs_on === today) return 'Leaves today'
  const until = `${departs_on < today ? 'Was to leave on' : 'Until'} ${dayOf(departs_on)}`
  return arrives_on === null ? until : `${until} · ${nightsOf(nightsBetween(arrives_on, departs_on))}`
}

interface StayActionsProps {
  subject: HelpSubject
  stay: Stay
  reload: () => void
}

export function StayActions({ subject, stay, reload }: StayActionsProps) {
  const mayChange = useMayCall(roomGuests.update)
  const [busy, setBusy] = useState(false)
  const [moving, setMoving] = useState(false)
  const { id, departs_on, today, checked_in_at } = stay
  const staying: Staying = { id, name: subject.name, departs_on }
  const run = (work: () => Promise<unknown>) => () => {
    setBusy(true)
    work()
      .catch(notify.failure)
      .finally(() => {
        setBusy(false)
        reload()
      })
  }
  if (stay.checked_out) return null
  if (!mayChange)
    return (
      <Panel title="Stay">
        <p className={styles.howLong}>{howLong(stay)}</p>
        <div className={styles.hands}>
          <LinkButton kind="quiet" icon="rooms" href={to.room(stay.room_id)}>
            The room
          </LinkButton>
          <LinkButton kind="quiet" href={to.roomGuest(id)}>
            All details
          </LinkButton>
        </div>
      </Panel>
    )
  const leaves = departs_on !== null && departs_on <= today
  const hasShorter = departs_on !== null && nextDeparture(staying, today, -1) >= today && departs_on > today
  const out = (
    <Button
      icon="checkOut"
      disabled={busy}
      kind={leaves ? 'primary' : 'plain'}
      onClick={run(() => checkOut([staying]))}
    >
      Check out
    </Button>
  )
  return (
    <Panel title="Stay">
      <p className={styles.howLong}>{howLong(stay)}</p>
      <div className={styles.hands}>
        {checked_in_at === null && (
          <Button kind="primary" icon="checkIn" disabled={busy} onClick={run(() => checkIn([staying]))}>
            Check in
          </Button>
        )}
        {leaves && out}
        <Button icon="add" disabled={busy} onClick={run(() => extend(staying, today, 1))}>
          A night more
        </Button>
        {hasShorter && (
          <Button disabled={busy} onClick={run(() => extend(staying, today, -1))}>
            A night less
          </Button>
        )}
        <Button icon="move" expanded={moving} disabled={busy} onClick={() => setMoving(!moving)}>
          Move
        </Button>
        {!leaves && out}
        <LinkButton kind="quiet" icon="rooms" href={to.room(stay.room_id)}>
          The room
        </LinkButton>
        <LinkButton kind="quiet" icon="edit" href={to.roomGuest(id)}>
          Change details
        </LinkButton>
      </div>
      {moving && subject.property && (
        <ChooseRoom
          property_id={subject.property.id}
          from={stay.room_id}
          onChoose={(room_id) => {
            setMoving(false)
            run(() => moveTo(id, subject.name, stay.room_id, room_id))()
          }}
        />
      )}
    </Panel>
  )
}

/** Moves the guest as soon as a room is chosen; the message then offers an undo. */
function ChooseRoom({
  property_id,
  from,
  onChoose,
}: {
  property_id: number
  from: number
  onChoose: (id: number) => void
}) {
  const focused = useFocusedInput()
  const offered = useOffered(rooms.names, { property_id }, 'number')
  const free = offered.rows.filter(({ id, status }) => id !== from && status === 'active')
  return (
    <div className={styles.chooseRoom} ref={focused}>
      <Select
        label="To room"
        name="move_to"
        placeholder="Type its number"
        options={optionsOf(free, [], offered.loading)}
        loaded={offered}
        value={null}
        byTyping
        onChange={(id) => id !== null && onChoose(Number(id))}
      />
    </div>
  )
}
