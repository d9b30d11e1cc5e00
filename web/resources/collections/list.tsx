// Collections list: named sets of properties and team members, the customer's and those of its groups.
import * as collections from '#contract/collections.ts'
import { StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { collectionKind } from './kind.ts'

const column = fieldColumns(collections)

const columnsOf = (ofMany: boolean): Column<typeof collections.list>[] => [
  column('name', { width: 150, priority: 1, sort: 'name' }),
  column('status', { cell: (collection) => <StatusBadge of={collection.status} />, width: 104, priority: 2 }),
  column('properties_string', {
    below: (collection) => collection.properties_string || 'No properties',
    width: 190,
    grow: 2,
    priority: 3,
  }),
  column('teams_string', { width: 170, grow: 2, priority: 4 }),
  ...(ofMany ? [column('group', { width: 130, grow: 1, priority: 5 }) satisfies Column<typeof collections.list>] : []),
  column('created_at', { width: 118, priority: 6, sort: 'created_at' }),
]

export function CollectionsList() {
  const ofMany = appContext() === 'customer'
  return (
    <ListScreen
      of={collections.list}
      title="Collections"
      kind={collectionKind}
      columns={columnsOf(ofMany)}
      filters={{
        status: { kind: 'checkbox', options: statusOptions },
        ...(ofMany ? { group_id: { kind: 'checkbox', none: 'No group' } as const } : {}),
      }}
      actions={
        <CreateButton of={collections.create} href={to.newCollection()}>
          New collection
        </CreateButton>
      }
      empty={{
        icon: 'collections',
        title: 'No collections yet',
        children:
          `A collection holds properties that belong together${ofMany ? ', across groups,' : ''} and the people ` +
          'who look after them. It does not change anybody’s rights.',
      }}
    />
  )
}
