// Rooms list: the rooms of one property, or of all in reach, and which of them are occupied.
import type { z } from 'zod'
import * as imports from '#contract/imports.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import * as differences from '#contract/stay-differences.ts'
import { Badge } from '#web/ui/badge.tsx'
import { occupancyOptions, StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { go, here, linkItem } from '#web/kit/navigation/go.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to, withModal } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import { roomKind } from './kind.ts'

const column = fieldColumns(rooms)

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** By the current day at each property. */
const stayOptions = roomGuests.stays.map((value) => ({ value, label: roomGuests.stayWords[value] }))

/** What there is to do in it comes before that it is occupied. */
const StayBadge = ({ stay, occupancy }: Pick<z.output<typeof rooms.RoomRow>, 'stay' | 'occupancy'>) =>
  stay === null || stay === 'in_house' ? (
    <StatusBadge of={occupancy} />
  ) : (
    <Badge tone={stay === 'overdue' ? 'wrong' : 'waiting'}>{roomGuests.stayWords[stay]}</Badge>
  )

/** For one property, the column with its name is hidden by default. */
const columnsOf = (many: boolean): Column<typeof rooms.list>[] => [
  { title: 'Room', cell: (room) => room.number, width: 96, usual: 96, priority: 1, sort: 'number' },
  column('occupancy', { cell: (room) => <StayBadge {...room} />, width: 112, priority: 2 }),
  column('occupants_string', { below: (room) => room.occupants_string, width: 200, grow: 3, priority: 3 }),
  column('property', {
    below: (room) => many && room.property.name,
    width: 150,
    usual: 220,
    grow: 2,
    priority: many ? 4 : 9,
    ...(many ? {} : { extra: true }),
  }),
  column('arrives_on', { width: 118, priority: 8, sort: 'arrives_on', extra: true }),
  column('departs_on', { width: 118, priority: 5, sort: 'departs_on' }),
  column('package', { width: 130, grow: 1, priority: 6 }),
  column('status', {
    cell: (room) => <StatusBadge of={room.status} />,
    below: (room) => room.status !== 'active' && capital(room.status),
    width: 104,
    priority: 5,
  }),
  column('external_reference', { width: 120, priority: 7, extra: true }),
  column('created_at', { width: 118, priority: 8, sort: 'created_at', extra: true }),
]

export function RoomsList({ property_id }: { property_id?: number }) {
  const mayCreate = useMayCall(rooms.create)
  const mayImport = useMayCall(imports.rooms)
  const mayCheckIn = useMayCall(roomGuests.create)
  const mayCompare = useMayCall(differences.differenceList) && hasScreen(appContext(), 'stay-differences')
  const own_id = useOwnProperty()
  const at_id = property_id ?? own_id
  const many = property_id === undefined && appContext() !== 'property'
  const create = (
    <CreateButton of={rooms.create} href={to.newRooms(property_id)}>
      New rooms
    </CreateButton>
  )
  const checkIn = mayCheckIn && at_id && (
    <LinkButton icon="checkIn" href={to.checkIn(at_id)}>
      Check in
    </LinkButton>
  )
  const openRecent = () => go(withModal(here(), 'recent-imports', property_id ? { property_id } : {}))
  const openImport = () => go(withModal(here(), 'import-rooms', property_id ? { property_id } : {}))
  const more = [
    ...(mayImport
      ? [
          { label: 'Import rooms', icon: 'upload' as const, onPick: openImport },
          { label: 'Recent imports', icon: 'file' as const, onPick: openRecent },
        ]
      : []),
    ...(mayCompare
      ? [
          linkItem({
            label: 'Differences with the system',
            icon: 'integrations',
            href: to.stayDifferences(property_id),
          }),
        ]
      : []),
  ]
  return (
    <ListScreen
      of={rooms.list}
      title="Rooms"
      {...(property_id ? { where: { property_id } } : {})}
      kind={roomKind}
      columns={columnsOf(many)}
      filters={{
        occupancy: { kind: 'checkbox', options: occupancyOptions },
        stay: { kind: 'checkbox', options: stayOptions },
        status: { kind: 'checkbox', options: statusOptions },
        package_id: { kind: 'checkbox', none: true },
        ...(many ? { property_id: { kind: 'checkbox', more: true } } : {}),
      }}
      actions={
        <>
          {more.length > 0 && <MoreMenu framed label="More for rooms" items={more} />}
          {checkIn}
          {create}
        </>
      }
      empty={{
        icon: 'rooms',
        title: 'No rooms yet',
        children:
          (mayCreate || mayImport) &&
          'Create a whole floor at once (101–140 is forty rooms), or import a room list with its guests.',
        action: (mayCreate || mayImport) && (
          <>
            {mayImport && (
              <Button icon="upload" onClick={openImport}>
                Import rooms
              </Button>
            )}
            {create}
          </>
        ),
      }}
    />
  )
}
