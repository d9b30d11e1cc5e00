// Room overview: who is in the room, what they get, and what needs doing about them.
import { useQuery } from '@tanstack/react-query'
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import type { Output } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as rooms from '#contract/rooms.ts'
import { call } from '#web/kit/call/call.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { Overview } from '#web/kit/detail/overview.tsx'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { GuestsOfRoom, useOverdue } from '#web/resources/room-guests/list.tsx'
import { Panel } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './rooms.module.css'

type Room = Output<typeof rooms.get>

export function RoomOverview({ room }: { room: Room }) {
  const { id } = room
  const overdue = useOverdue(room)
  return (
    <Overview
      log={{ of: activity.list, object_type: 'rooms', object_id: id }}
      todo={[
        room.draft && { title: 'This room is a draft', text: 'Activate it to check guests in.' },
        !room.draft &&
          !room.active && { title: 'This room is disabled', text: 'Nobody can be checked in until it is activated.' },
        overdue.length > 0 && {
          title: overdue.length === 1 ? 'One guest was to leave' : `${overdue.length} guests were to leave`,
          text: `${overdue.map(({ name }) => name).join(', ')}: check them out, or change the day of departure.`,
        },
      ]}
    >
      <GuestsOfRoom room={room} />
      {room.occupants > room.guests.length && <AccountsOfRoom room={room} />}
      <Panel title="Room">
        <FieldFacts
          fields={rooms.fields}
          of={room}
          first={[['occupancy', [<StatusBadge key="occupancy" of={room.occupancy} />]], ['property_id']]}
          sections={['room', 'service']}
          own={{ number: null }}
          last={[
            ...(room.do_not_disturb ? [['do_not_disturb', ['Yes']] as const] : []),
            ...(room.barred ? [['barred', ['By the hotel’s system']] as const] : []),
            ['created_at'],
          ]}
        />
      </Panel>
    </Overview>
  )
}

const shown_max = 5

/** Guests who live here with an account of their own, and therefore also count as occupants. */
function AccountsOfRoom({ room }: { room: Room }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['accounts of room', room.id],
    queryFn: ({ signal }) => call(accounts.list, { params: { room_id: room.id }, per_page: shown_max }, { signal }),
  })
  const { id, occupants, guests } = room
  const more = occupants - guests.length - shown_max
  return (
    <Panel title="Accounts">
      {error && !data && <LoadFailed error={error} again={() => void refetch()} />}
      {!error && !data && <Skeleton height={48} />}
      {data && (
        <ul className={styles.accounts}>
          {data.data.map((account) => (
            <li key={account.id}>
              <Link href={to.account(account.id)}>{account.name}</Link>
              {account.status !== 'active' && <p>{messages.status[account.status]}</p>}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <Link href={to.room(id, 'accounts')}>And {more} more</Link>}
    </Panel>
  )
}
