// MAC categories list: the kinds of device, and which of them are blocked.
import * as macCategories from '#contract/mac-categories.ts'
import { activityOptions, StatusBadge } from '#web/kit/display/status-badge.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { to } from '#web/paths.ts'
import { macCategoryKind } from './kind.ts'

const column = fieldColumns(macCategories)

const columns: Column<typeof macCategories.list>[] = [
  column('name', { width: 160, priority: 1, sort: 'name' }),
  column('blocks', {
    title: 'Its devices',
    cell: (category) => (category.blocks ? 'Are refused' : 'Go online'),
    below: (category) => category.blocks && 'Its devices are refused',
    width: 160,
    priority: 3,
  }),
  column('created_at', { width: 120, priority: 4, sort: 'created_at' }),
  column('status', { cell: (category) => <StatusBadge of={category.status} />, width: 104, priority: 2 }),
]

export function MacCategoriesList() {
  return (
    <ListScreen
      of={macCategories.list}
      title="MAC categories"
      kind={macCategoryKind}
      columns={columns}
      filters={{ status: { kind: 'checkbox', options: activityOptions } }}
      actions={
        <CreateButton of={macCategories.create} href={to.newMacCategory()}>
          New category
        </CreateButton>
      }
      empty={{
        icon: 'devices',
        title: 'No MAC categories',
        children:
          'A category says what kind of device something is, for lists and reports, and can keep that kind off the network.',
      }}
    />
  )
}
