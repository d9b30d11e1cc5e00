// Groups list: properties that are run together, newest first.
import * as groups from '#contract/groups.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { to } from '#web/paths.ts'
import { groupKind } from './kind.ts'

const column = fieldColumns(groups)

const columns: Column<typeof groups.list>[] = [
  column('name', { width: 150, priority: 1, sort: 'name' }),
  column('status', { cell: (group) => <StatusBadge of={group.status} />, width: 104, priority: 2 }),
  column('number_of_properties', {
    below: (group) => `${group.number_of_properties} ${group.number_of_properties === 1 ? 'property' : 'properties'}`,
    width: 104,
    priority: 3,
    align: 'end',
  }),
  column('contact_email', { width: 196, usual: 220, grow: 1, priority: 4 }),
  column('portal', { width: 130, usual: 190, grow: 1, priority: 6 }),
  column('created_at', { width: 120, priority: 5, sort: 'created_at' }),
]

export function GroupsList() {
  return (
    <ListScreen
      of={groups.list}
      title="Groups"
      kind={groupKind}
      columns={columns}
      filters={{ status: { kind: 'checkbox', options: statusOptions } }}
      actions={
        <CreateButton of={groups.create} href={to.newGroup()}>
          New group
        </CreateButton>
      }
      empty={{
        icon: 'groups',
        title: 'No groups yet',
        children: 'A group holds properties that are run together, such as the hotels of one brand or region.',
      }}
    />
  )
}
