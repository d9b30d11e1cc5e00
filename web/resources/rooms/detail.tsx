// Room detail: one room: who is in it, its details, and the accounts that live in it.
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { AccountsList } from '#web/resources/accounts/list.tsx'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { RoomForm } from './form.tsx'
import { roomKind } from './kind.ts'
import { RoomOverview } from './overview.tsx'

export function RoomDetail({ id }: { id: number }) {
  const room = useRecord(rooms, id)
  const mayCheckIn = useMayCall(roomGuests.create)
  const back = to.roomsOf(room?.property_id)
  // Several properties may have a room 204, so the link names the property.
  const above = appContext() === 'property' ? 'Rooms' : (room?.property.name ?? 'Rooms')
  return (
    <DetailTabs
      of="Room"
      name={room && `Room ${room.number}`}
      status={room && (room.status === 'active' ? room.occupancy : room.status)}
      back={{ title: above, href: back }}
      actions={
        <>
          {mayCheckIn && room?.status === 'active' && (
            <LinkButton kind="primary" icon="checkIn" href={to.newRoomGuest(id)}>
              Check in
            </LinkButton>
          )}
          <RecordActions kind={roomKind} record={room} back={back} />
        </>
      }
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={rooms} id={id}>
              {(record) => <RoomOverview room={record} />}
            </WhenLoaded>
          ),
        },
        details: { title: 'Details', body: () => <RoomForm id={id} back={back} /> },
        accounts: {
          title: 'Accounts',
          body: () => room && <AccountsList property_id={room.property_id} room_id={id} />,
        },
      }}
    />
  )
}
