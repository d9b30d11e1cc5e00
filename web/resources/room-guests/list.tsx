// Guests of a room: who is checked in and how to reach them; with edit, move and check-out, which can be taken back.
import { Fragment, useState, type ReactNode } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { search } from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import type * as rooms from '#contract/rooms.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { linkItem } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { mayCall, useMayCall } from '#web/session/may.ts'
import { checkOut, outcomeOf, useOutcomes, type Outcome } from '#web/stays/acts.ts'
import { Given, mayGive, toStay } from '#web/stays/given.tsx'
import { MoveGuest } from '#web/stays/move.tsx'
import { OutcomeLine } from '#web/stays/outcome.tsx'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import { Panel } from '#web/ui/page.tsx'
import { say } from '#web/words/desk.ts'
import { useDayAt } from './today.ts'
import styles from './room-guests.module.css'

type Room = Output<typeof rooms.get>
export type GuestInRoom = Room['guests'][number]

/** Guests whose day of departure has passed, by the property's clock. */
export function useOverdue({ property_id, guests }: Room): GuestInRoom[] {
  const day = useDayAt(property_id)
  return guests.filter(({ departs_on }) => departs_on !== null && day !== undefined && departs_on < day)
}

export function GuestsOfRoom({ room }: { room: Room }) {
  const mayChange = useMayCall(roomGuests.update)
  const [moving, setMoving] = useState<GuestInRoom>()
  const overdue = useOverdue(room)
  const outcomes = useOutcomes()
  // Also of those who have just left it.
  const [acted, setActed] = useState<readonly number[]>([])
  const gone = acted.filter((id) => room.guests.every((guest) => guest.id !== id))
  return (
    <Panel title={say('guests.title')}>
      {room.guests.length === 0 ? (
        <p className={styles.none}>{say('day.none-in_house')}</p>
      ) : (
        <ul className={styles.guests}>
          {room.guests.map((guest) => (
            <Guest
              key={guest.id}
              guest={guest}
              isOverdue={overdue.includes(guest)}
              outcome={outcomeOf(outcomes, guest.id)}
              menu={
                mayChange && (
                  <MoreMenu
                    label={say('guests.actions', { name: guest.name })}
                    items={[
                      linkItem({ label: say('guests.edit'), icon: 'edit', href: to.roomGuest(guest.id) }),
                      ...(guest.stay_id !== null && mayGive()
                        ? [linkItem({ label: say('guests.give'), icon: 'calendar', href: toStay(guest.stay_id) })]
                        : []),
                      {
                        label: say('guests.move'),
                        icon: 'move',
                        onPick: () => (setActed([...acted, guest.id]), setMoving(guest)),
                      },
                      {
                        label: say('check-out'),
                        icon: 'checkOut',
                        apart: true,
                        onPick: () => {
                          setActed([...acted, guest.id])
                          void checkOut([guest]).catch(notify.failure)
                        },
                      },
                    ]}
                  />
                )
              }
            />
          ))}
        </ul>
      )}
      {gone.map((id) => {
        const outcome = outcomeOf(outcomes, id)
        return outcome && <OutcomeLine key={id} outcome={outcome} onChanged={invalidateOthers} />
      })}
      {moving && (
        <MoveGuest
          guest={moving}
          property_id={room.property_id}
          room={{ id: room.id, name: room.number }}
          close={() => setMoving(undefined)}
        />
      )}
    </Panel>
  )
}

interface GuestProps {
  guest: GuestInRoom
  isOverdue: boolean
  outcome: Outcome | undefined
  menu: ReactNode
}

const Guest = ({ guest, isOverdue, outcome, menu }: GuestProps) => (
  <li>
    <div>
      <strong>
        <Link href={mayCall(search) ? to.guestHelp({ kind: 'stay', id: guest.id }) : to.roomGuest(guest.id)}>
          {guest.name}
        </Link>
      </strong>
      <p>
        {[stayOf(guest, isOverdue), guest.email, guest.mobile_number].filter(Boolean).map((fact, index) => (
          <Fragment key={fact}>
            {index > 0 && ' · '}
            <span>{fact}</span>
          </Fragment>
        ))}
      </p>
      {guest.stay_id !== null && <Given stay_id={guest.stay_id} />}
      {outcome && <OutcomeLine outcome={outcome} onChanged={invalidateOthers} />}
    </div>
    {menu}
  </li>
)

function stayOf({ arrives_on, departs_on }: GuestInRoom, isOverdue: boolean): string {
  if (departs_on !== null) return say(isOverdue ? 'stay.was-to-leave' : 'stay.until', { day: dayOf(departs_on) })
  return arrives_on === null ? '' : say('stay.since', { day: dayOf(arrives_on) })
}
