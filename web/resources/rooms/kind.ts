// Room kind: what can be done with one room, in its row and on its page.
import type { RowOf } from '#contract/endpoint.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { linkItem } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'

type Room = Pick<RowOf<typeof rooms.list>, 'id' | 'number' | 'status'>

export const roomKind: RecordKind<Room> = {
  of: rooms,
  noun: 'rooms',
  nameOf: (room) => `Room ${room.number}`,
  searchKey: 'number',
  sort: 'number',
  href: (room) => to.room(room.id),
  edit: (room) => to.room(room.id, 'details'),
  own: (room) =>
    mayCall(roomGuests.create) && room.status === 'active'
      ? [linkItem({ label: 'Check in', icon: 'checkIn', href: to.newRoomGuest(room.id) })]
      : [],
  consequence: 'Rooms with guests in them cannot be deleted. This cannot be undone.',
}
