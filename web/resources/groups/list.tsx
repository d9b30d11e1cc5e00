// Groups list: properties that are run together, newest first.
import * as groups from '#contract/groups.ts'
import { dateOf } from '#web/kit/display/dates.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { groupKind } from './kind.ts'

const columns: Column<typeof groups.list>[] = [
  { title: 'Name', cell: (group) => group.name, width: 150, priority: 1, sort: 'name' },
  { title: 'Status', cell: (group) => <StatusBadge of={group.status} />, width: 104, priority: 2 },
  {
    title: 'Properties',
    cell: (group) => group.number_of_properties,
    below: (group) => `${group.number_of_properties} ${group.number_of_properties === 1 ? 'property' : 'properties'}`,
    width: 104,
    priority: 3,
    align: 'end',
  },
  { title: 'Contact e-mail', cell: (group) => group.contact_email, width: 196, usual: 220, grow: 1, priority: 4 },
  { title: 'Portal', cell: (group) => group.portal?.name, width: 130, usual: 190, grow: 1, priority: 6 },
  { title: 'Created', cell: (group) => dateOf(group.created_at), width: 120, priority: 5, sort: 'created_at' },
]

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
      kind={groupKind}
      columns={columns}
      filters={{ status: { title: 'Status', kind: 'checkbox', options: statusOptions } }}
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
