// Groups list: properties that are run together, newest first.
import * as groups from '#contract/groups.ts'
import { disable, remove } from '#web/kit/list/bulk.ts'
import { dateOf } from '#web/kit/display/dates.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import { StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'

export function GroupsList() {
  const mayCreate = useMayCall(groups.create)
  const create = mayCreate && (
    <LinkButton kind="primary" icon="add" href={to.newGroup()}>
      New group
    </LinkButton>
  )
  return (
    <ListScreen
      of={groups.list}
      title="Groups"
      columns={[
        { title: 'Name', cell: (group) => group.name, sort: 'name' },
        { title: 'Status', cell: (group) => <StatusBadge of={group.status} />, width: '120px' },
        {
          title: 'Properties',
          cell: (group) => group.number_of_properties,
          width: '104px',
          align: 'end',
          hideBelow: 479,
        },
        { title: 'Contact e-mail', cell: (group) => group.contact_email, hideBelow: 839 },
        { title: 'Portal', cell: (group) => group.portal?.name, width: '18%', hideBelow: 959 },
        {
          title: 'Created',
          cell: (group) => dateOf(group.created_at),
          width: '124px',
          sort: 'created_at',
          hideBelow: 839,
        },
      ]}
      filters={{ status: { title: 'Status', kind: 'checkbox', options: statusOptions } }}
      bulk={[disable(groups.deactivate, groups.activate), remove(groups.remove)]}
      row={(group) => to.group(group.id)}
      actions={create}
      empty={{
        icon: 'groups',
        title: 'No groups yet',
        children: 'A group holds properties that are run together, such as the hotels of one brand or region.',
        action: create,
      }}
    />
  )
}
