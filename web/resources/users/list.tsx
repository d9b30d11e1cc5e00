// Users list: the operator's own people; all of them, or those of a group or a property.
import * as collections from '#contract/collections.ts'
import type { RowOf } from '#contract/endpoint.ts'
import * as users from '#contract/users.ts'
import { go, here } from '#web/kit/navigation/go.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { StatusBadge, statusBelow, statusOptions } from '#web/kit/display/status-badge.tsx'
import { withModal } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { userKind } from './kind.ts'

const column = fieldColumns(users)

type User = RowOf<typeof users.list>

interface UsersListProps {
  group_id?: number
  property_id?: number
  collection_id?: number
}

/** The invitation was not delivered, so nothing will happen until somebody invites them again. */
const isLost = ({ draft, invitation_undelivered }: User) => draft && invitation_undelivered
const lost = 'Not delivered'

const columnsOf = (ofMany: boolean): Column<typeof users.list>[] => [
  column('name', { title: 'Name', width: 150, priority: 1, sort: 'name' }),
  column('status', {
    cell: (user) => (isLost(user) ? <Badge tone="wrong">{lost}</Badge> : <StatusBadge of={user.status} />),
    below: (user) => (isLost(user) ? lost : statusBelow(user)),
    width: 126,
    priority: 2,
  }),
  column('email', { below: (user) => user.email, width: 200, usual: 250, grow: 2, priority: 3 }),
  column('user_type_id', { width: 150, priority: 4 }),
  ...(ofMany ? [{ title: 'Belongs to', cell: (user: User) => user.owner_name, width: 150, grow: 1, priority: 5 }] : []),
  column('logged_in_at', { width: 126, priority: 6 }),
  column('created_at', { width: 118, priority: 7, sort: 'created_at', extra: true }),
]

export function UsersList({ group_id, property_id, collection_id }: UsersListProps) {
  const mayInvite = useMayCall(users.invite)
  const mayAddToTeam = useMayCall(collections.addTeamMembers)
  const where = {
    ...(group_id ? { group_id } : {}),
    ...(property_id ? { property_id } : {}),
    ...(collection_id ? { collection_id } : {}),
  }
  const invite = collection_id
    ? mayAddToTeam && (
        <Button kind="primary" icon="team" onClick={() => go(withModal(here(), 'collection-team', { collection_id }))}>
          Change the team
        </Button>
      )
    : mayInvite && (
        <Button kind="primary" icon="mail" onClick={() => go(withModal(here(), 'invite-user', where))}>
          Invite user
        </Button>
      )
  return (
    <ListScreen
      of={users.list}
      title="Users"
      where={where}
      kind={userKind}
      columns={columnsOf(!group_id && !property_id)}
      filters={{
        status: { kind: 'checkbox', options: statusOptions },
        user_type_id: { kind: 'checkbox' },
      }}
      actions={invite}
      empty={{
        icon: 'users',
        title: collection_id ? 'No team yet' : 'No users yet',
        children: collection_id
          ? 'The team of a collection is the people who look after its properties.'
          : mayInvite &&
            `Invite the people who ${property_id ? 'work at this property' : 'run this group'}. They see nothing else.`,
        action: invite,
      }}
    />
  )
}
