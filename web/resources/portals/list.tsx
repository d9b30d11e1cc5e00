// Portals list: the pages that guests see before they go online, newest first.
import * as portals from '#contract/portals.ts'
import * as reference from '#contract/reference.ts'
import { useNames } from '#web/kit/call/names.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { StatusBadge, statusBelow, statusOptions } from '#web/kit/display/status-badge.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { go, here } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to, withModal } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { portalKind } from './kind.ts'
import { Thumbnail } from './thumbnail.tsx'

const column = fieldColumns(portals)

type NameOf = (id: number) => string | undefined

const columnsOf = (layoutOf: NameOf): Column<typeof portals.list>[] => [
  column('name', { width: 160, priority: 1, sort: 'name' }),
  {
    title: 'Look',
    // Only standard portals have colours.
    cell: (portal) => portal.portal_type_id === portals.portalTypes.standard && <Thumbnail portal={portal} />,
    width: 96,
    priority: 3,
  },
  column('status', {
    cell: (portal) => <StatusBadge of={portal.status} />,
    below: statusBelow,
    width: 104,
    priority: 2,
  }),
  {
    title: 'Layout',
    // Only standard portals have a layout.
    cell: (portal) => portal.portal_type_id === portals.portalTypes.standard && layoutOf(portal.portal_layout_id),
    width: 140,
    grow: 1,
    priority: 6,
  },
  column('portal_type_id', { width: 120, grow: 1, priority: 7 }),
  column('number_of_properties', {
    below: ({ number_of_properties: of }) => `${wholeOf(of)} ${of === 1 ? 'property' : 'properties'}`,
    width: 108,
    priority: 4,
    align: 'end',
  }),
  column('group', { width: 140, usual: 190, grow: 1, priority: 5 }),
  column('created_at', { width: 118, priority: 8, sort: 'created_at' }),
  column('slug', { width: 140, priority: 9, extra: true }),
]

export function PortalsList() {
  const mayCreate = useMayCall(portals.create)
  const layouts = useNames(reference.portalLayouts)
  const columns = columnsOf((id) => layouts.find((layout) => layout.id === id)?.name)
  const create = mayCreate && (
    <>
      <Button icon="upload" onClick={() => go(withModal(here(), 'import-portal', {}))}>
        Import portal
      </Button>
      <LinkButton kind="primary" icon="add" href={to.newPortal()}>
        New portal
      </LinkButton>
    </>
  )
  return (
    <ListScreen
      of={portals.list}
      title="Portals"
      kind={portalKind}
      columns={columns}
      filters={{
        status: { kind: 'checkbox', options: statusOptions },
        group_id: { kind: 'checkbox', none: true },
        portal_layout_id: { kind: 'checkbox', more: true },
        portal_type_id: { kind: 'checkbox', more: true },
      }}
      actions={create}
      empty={{
        icon: 'portals',
        title: 'No portals yet',
        children: 'A portal is the page that guests see before they go online: your logo, your colours, your words.',
        action: create,
      }}
    />
  )
}
