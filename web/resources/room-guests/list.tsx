// Guests of a room: who is checked in and how to reach them; with edit, move and check-out.
import { Fragment, useState, type ReactNode } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { search } from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import type * as rooms from '#contract/rooms.ts'
import { call } from '#web/kit/call/call.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { linkItem } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { mayCall, useMayCall } from '#web/session/may.ts'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import { Panel } from '#web/ui/page.tsx'
import { MoveGuest } from './move.tsx'
import { useDayAt } from './today.ts'
import styles from './room-guests.module.css'

type Room = Output<typeof rooms.get>
export type GuestInRoom = Room['guests'][number]

/** Guests whose day of departure has passed, by the property's clock. */
export function useOverdue({ property_id, guests }: Room): GuestInRoom[] {
  const day = useDayAt(property_id)
  return guests.filter(({ departs_on }) => departs_on !== null && day !== undefined && departs_on < day)
}

async function checkOut(guest: GuestInRoom, room: Room) {
  const last = room.occupants === 1
  const yes = await confirm({
    title: `Check out ${guest.name}?`,
    description: last
      ? `Room ${room.number} becomes vacant. The guest can no longer sign in with it.`
      : `The guest can no longer sign in with room ${room.number}.`,
    accept: 'Check out',
  })
  if (!yes) return
  await call(roomGuests.remove, { id: guest.id, roomId: room.id })
  invalidateOthers()
  notify.success(`${guest.name} has been checked out`)
}

export function GuestsOfRoom({ room }: { room: Room }) {
  const mayChange = useMayCall(roomGuests.update)
  const [moving, setMoving] = useState<GuestInRoom>()
  const overdue = useOverdue(room)
  return (
    <Panel title="Guests">
      {room.guests.length === 0 ? (
        <p className={styles.none}>Nobody is checked in.</p>
      ) : (
        <ul className={styles.guests}>
          {room.guests.map((guest) => (
            <Guest
              key={guest.id}
              guest={guest}
              isOverdue={overdue.includes(guest)}
              menu={
                mayChange && (
                  <MoreMenu
                    label={`Actions for ${guest.name}`}
                    items={[
                      linkItem({ label: 'Edit', icon: 'edit', href: to.roomGuest(guest.id) }),
                      { label: 'Move to another room', icon: 'move', onPick: () => setMoving(guest) },
                      {
                        label: 'Check out',
                        icon: 'checkOut',
                        apart: true,
                        onPick: () => void checkOut(guest, room).catch(notify.failure),
                      },
                    ]}
                  />
                )
              }
            />
          ))}
        </ul>
      )}
      {moving && <MoveGuest guest={moving} room={room} close={() => setMoving(undefined)} />}
    </Panel>
  )
}

const Guest = ({ guest, isOverdue, menu }: { guest: GuestInRoom; isOverdue: boolean; menu: ReactNode }) => (
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
    </div>
    {menu}
  </li>
)

function stayOf({ arrives_on, departs_on }: GuestInRoom, isOverdue: boolean): string {
  if (departs_on !== null) return `${isOverdue ? 'Was to leave on' : 'Until'} ${dayOf(departs_on)}`
  return arrives_on === null ? '' : `Since ${dayOf(arrives_on)}`
}
