// Users list: the operator's own people; all of them, or those of a group or a property.
import * as reference from '#contract/reference.ts'
import * as users from '#contract/users.ts'
import { disable, remove } from '#web/kit/list/bulk.ts'
import { go, here } from '#web/kit/navigation/go.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { useNames } from '#web/kit/call/names.ts'
import { StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { to, withModal } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'

interface UsersListProps {
  group_id?: number
  property_id?: number
}

const owner: Column<typeof users.list> = {
  title: 'Belongs to',
  cell: (user) => user.owner_name,
  width: '20%',
  hideBelow: 959,
}
const consequence = 'They can no longer sign in here. What they did stays in the activity log.'

export function UsersList({ group_id, property_id }: UsersListProps) {
  const mayInvite = useMayCall(users.invite)
  const types = useNames(reference.userTypes)
  const where = { ...(group_id ? { group_id } : {}), ...(property_id ? { property_id } : {}) }
  const ofMany = !group_id && !property_id
  const invite = mayInvite && (
    <Button kind="primary" icon="mail" onClick={() => go(withModal(here(), 'invite-user', where))}>
      Invite user
    </Button>
  )
  return (
    <ListScreen
      of={users.list}
      title="Users"
      where={where}
      columns={[
        { title: 'Name', cell: (user) => user.name, sort: 'name' },
        { title: 'Status', cell: (user) => <StatusBadge of={user.status} />, width: '104px' },
        { title: 'E-mail', cell: (user) => user.email, width: '26%', hideBelow: 839 },
        {
          title: 'Permission',
          cell: (user) => types.find(({ id }) => id === user.user_type_id)?.name,
          width: '112px',
          hideBelow: 479,
        },
        ...(ofMany ? [owner] : []),
      ]}
      filters={{
        status: { title: 'Status', kind: 'checkbox', options: statusOptions },
        user_type_id: { title: 'Permission', kind: 'checkbox', options: reference.userTypes },
      }}
      bulk={[disable(users.deactivate, users.activate), remove(users.remove, consequence)]}
      row={(user) => to.user(user.id)}
      actions={invite}
      empty={{
        icon: 'users',
        title: 'No users yet',
        children:
          mayInvite &&
          `Invite the people who ${property_id ? 'work at this property' : 'run this group'}. They see nothing else.`,
        action: invite,
      }}
    />
  )
}
