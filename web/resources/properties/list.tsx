// Properties list: the buildings whose guests get Wi-Fi; all of them, or those of a group or a collection.
import * as collections from '#contract/collections.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as properties from '#contract/properties.ts'
import * as portals from '#contract/portals.ts'
import { propertyStates } from '#contract/status.ts'
import { go, here } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { StateBadge, stateOptions, StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { hasScreen, to, withModal, type ModalIds } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import { useAssignPortal } from './assign-portal.tsx'
import { propertyKind } from './kind.ts'

const column = fieldColumns(properties)

/** Within one group, the column with its name is hidden by default. */
const columnsOf = (ofMany: boolean): Column<typeof properties.list>[] => [
  column('name', { width: 160, priority: 1, sort: 'name' }),
  column('status', { cell: (property) => <StatusBadge of={property.status} />, width: 104, priority: 4 }),
  column('state', {
    cell: ({ state }) =>
      state && (
        <span title={state.sentence}>
          <StateBadge of={state.word} />
        </span>
      ),
    below: ({ state }) => state !== null && state.word !== 'served' && propertyStates[state.word],
    width: 150,
    priority: 2,
    sort: 'state',
  }),
  column('guests_online', { width: 80, priority: 3, align: 'end' }),
  column('property_type_id', { width: 150, grow: 1, priority: 9 }),
  column('city', { below: (property) => property.city, width: 116, usual: 150, grow: 1, priority: 5 }),
  column('group', { width: 140, usual: 190, grow: 1, priority: ofMany ? 6 : 11, ...(ofMany ? {} : { extra: true }) }),
  column('portal', { width: 120, usual: 190, grow: 1, priority: 8 }),
  column('package', { width: 120, grow: 1, priority: 12, extra: true }),
  column('total_units', { width: 72, priority: 7, align: 'end' }),
  column('external_reference', { width: 120, priority: 13, extra: true }),
  column('created_at', { width: 118, priority: 10, sort: 'created_at' }),
]

export function PropertiesList({ group_id, collection_id }: { group_id?: number; collection_id?: number }) {
  const mayCreate = useMayCall(properties.create)
  const mayReadPortals = useMayCall(portals.names)
  const mayAssign = useMayCall(properties.assignPortal)
  const { action: assignPortal, dialog } = useAssignPortal()
  const mayAddToCollections = useMayCall(collections.addProperties)
  const mayReadInterfaces = useMayCall(interfaces.list)
  const ofMany = appContext() === 'customer' && !group_id
  const collectionButton = (ids: ModalIds<'collection-properties'>, title: string, kind?: 'primary') => (
    <LinkButton icon="collections" href={withModal(here(), 'collection-properties', ids)} {...(kind ? { kind } : {})}>
      {title}
    </LinkButton>
  )
  const create = mayCreate && (
    <LinkButton kind="primary" icon="add" href={to.newProperty(group_id)}>
      New property
    </LinkButton>
  )
  const actions = collection_id ? (
    mayAddToCollections && collectionButton({ collection_id }, 'Add or remove', 'primary')
  ) : (
    <>
      {group_id && mayAddToCollections && collectionButton({ group_id }, 'To a collection')}
      {!group_id && mayReadInterfaces && hasScreen(appContext(), 'property-interfaces') && (
        <MoreMenu
          framed
          label="More for properties"
          items={[{ label: 'Property interfaces', icon: 'integrations', onPick: () => go(to.propertyInterfaces()) }]}
        />
      )}
      {create}
    </>
  )
  const where = { ...(group_id ? { group_id } : {}), ...(collection_id ? { collection_id } : {}) }
  return (
    <>
      <ListScreen
        of={properties.list}
        title="Properties"
        where={where}
        kind={propertyKind}
        columns={columnsOf(ofMany)}
        filters={{
          state: { kind: 'checkbox', options: stateOptions },
          status: { kind: 'checkbox', options: statusOptions, more: true },
          ...(ofMany
            ? {
                group_id: { kind: 'checkbox', none: true, more: true } as const,
              }
            : {}),
          property_type_id: { kind: 'checkbox', none: 'No type', more: true },
          connectivity_type_id: { kind: 'checkbox', none: 'No connectivity', more: true },
          ...(mayReadPortals
            ? {
                portal_id: { kind: 'checkbox', none: true, more: true } as const,
              }
            : {}),
        }}
        bulk={mayAssign ? [assignPortal] : []}
        actions={actions}
        empty={{
          icon: 'properties',
          title: 'No properties yet',
          children: collection_id
            ? 'A collection holds properties that you want to see or report on together.'
            : 'A property is a building whose guests get Wi-Fi: a hotel, a hall of residence, a campsite.',
          action: collection_id ? actions : create,
        }}
      />
      {dialog}
    </>
  )
}
