// Stay actions: for a room guest: the length of the stay, a night more or less, another room, check-in and check-out, what is given
// for the stay; and what was just done, which can be taken back.
import { nightsBetween } from '#contract/days.ts'
import { useState } from 'react'
import type { HelpSubject } from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { useTypedState } from '#web/kit/form/typed.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { checkIn, checkOut, extend, nextDeparture, noShow, outcomeOf, useOutcomes } from '#web/stays/acts.ts'
import { GiveMenus } from '#web/stays/give.tsx'
import { Given, mayGive, Noticed } from '#web/stays/given.tsx'
import { MoveGuest } from '#web/stays/move.tsx'
import { OutcomeLine } from '#web/stays/outcome.tsx'
import { sourceOf } from '#web/stays/source.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/page.tsx'
import { say } from '#web/words/desk.ts'
import styles from './guest-help.module.css'

type Stay = NonNullable<HelpSubject['stay']>

function howLong({ arrives_on, departs_on, today, checked_in_at }: Stay): string {
  if (checked_in_at === null && arrives_on !== null) return say('stay.expected-on', { day: dayOf(arrives_on) })
  if (departs_on === null)
    return arrives_on === null ? say('stay.without-departure') : say('stay.since', { day: dayOf(arrives_on) })
  if (departs_on === today) return say('stay.leaves-today')
  const until = say(departs_on < today ? 'stay.was-to-leave' : 'stay.until', { day: dayOf(departs_on) })
  return arrives_on === null ? until : `${until} · ${say('nights', { count: nightsBetween(arrives_on, departs_on) })}`
}

interface StayActionsProps {
  subject: HelpSubject
  stay: Stay
  reload: () => Promise<unknown>
}

export function StayActions({ subject, stay, reload }: StayActionsProps) {
  const mayChange = useMayCall(roomGuests.update)
  const outcome = outcomeOf(useOutcomes(), stay.id)
  if (stay.checked_out && !outcome) return null
  return (
    <Panel title={say('stay.title')}>
      {!stay.checked_out && (
        <p className={styles.howLong}>
          {howLong(stay)} · {sourceOf(stay)}
        </p>
      )}
      {!stay.checked_out &&
        stay.stay_id !== null &&
        (mayGive() ? <Noticed stay_id={stay.stay_id} /> : <Given stay_id={stay.stay_id} />)}
      {outcome && <OutcomeLine outcome={outcome} onChanged={reload} />}
      {!stay.checked_out &&
        (mayChange ? <Acts subject={subject} stay={stay} reload={reload} /> : <Pages stay={stay} />)}
    </Panel>
  )
}

const Pages = ({ stay: { id, room_id } }: { stay: Stay }) => (
  <div className={styles.hands}>
    <LinkButton kind="quiet" icon="rooms" href={to.room(room_id)}>
      {say('stay.the-room')}
    </LinkButton>
    <LinkButton kind="quiet" href={to.roomGuest(id)}>
      {say('stay.all-details')}
    </LinkButton>
  </div>
)

function Acts({ subject: { name, property, room }, stay, reload }: StayActionsProps) {
  const [busy, setBusy] = useState<string>()
  const { id, departs_on, today, checked_in_at } = stay
  const [moving, setMoving] = useTypedState(`move ${id}`, false)
  const staying = { id, name, departs_on, property }
  // One at a time, until what it came to is shown: the next one starts from there. A disabled button would lose the focus.
  const press = async (name: string, work: () => Promise<unknown>) => {
    if (busy !== undefined) return
    setBusy(name)
    await work().catch(notify.failure)
    await reload()
    setBusy(undefined)
  }
  const pressing = (name: string, work: () => Promise<unknown>) => ({
    busy: busy === name,
    onClick: () => void press(name, work),
  })
  const leaves = departs_on !== null && departs_on <= today
  const hasShorter = departs_on !== null && departs_on > today && nextDeparture(departs_on, today, -1) >= today
  const out = (
    <Button icon="checkOut" kind={leaves ? 'primary' : 'plain'} {...pressing('out', () => checkOut([staying]))}>
      {say('check-out')}
    </Button>
  )
  return (
    <>
      <div className={styles.hands}>
        {checked_in_at === null && (
          <Button kind="primary" icon="checkIn" {...pressing('in', () => checkIn([staying]))}>
            {say('check-in')}
          </Button>
        )}
        {checked_in_at === null && (
          <Button {...pressing('no show', () => noShow([staying]))}>{say('act.no-show')}</Button>
        )}
        {leaves && out}
        {/* A stay without an end has no night more or less. */}
        {departs_on !== null && (
          <Button icon="add" {...pressing('more', () => extend({ ...staying, departs_on }, today, 1))}>
            {say('act.night-more')}
          </Button>
        )}
        {departs_on !== null && hasShorter && (
          <Button {...pressing('less', () => extend({ ...staying, departs_on }, today, -1))}>
            {say('act.night-less')}
          </Button>
        )}
        <Button icon="move" onClick={() => setMoving(true)}>
          {say('act.move')}
        </Button>
        {!leaves && out}
        <LinkButton kind="quiet" icon="rooms" href={to.room(stay.room_id)}>
          {say('stay.the-room')}
        </LinkButton>
        <LinkButton kind="quiet" icon="edit" href={to.roomGuest(id)}>
          {say('stay.change-details')}
        </LinkButton>
      </div>
      {stay.stay_id !== null && <GiveMenus stay_id={stay.stay_id} name={name} onChanged={reload} />}
      {moving && property && (
        <MoveGuest
          guest={staying}
          property_id={property.id}
          room={{ id: stay.room_id, name: room ?? '' }}
          close={() => {
            setMoving(false)
            void reload()
          }}
        />
      )}
    </>
  )
}
