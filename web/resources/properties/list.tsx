// Properties list: the buildings whose guests get Wi-Fi; all of them, or those of a group.
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { disable, remove } from '#web/kit/list/bulk.ts'
import { dateOf } from '#web/kit/display/dates.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { useNames } from '#web/kit/call/names.ts'
import { StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { useAssignPortal } from './assign-portal.tsx'

const group: Column<typeof properties.list> = {
  title: 'Group',
  cell: (property) => property.group?.name,
  width: '152px',
  hideBelow: 839,
}
const consequence = 'Their rooms, devices and accounts go with them. This cannot be undone.'

export function PropertiesList({ group_id }: { group_id?: number }) {
  const mayCreate = useMayCall(properties.create)
  const { action: assignPortal, dialog } = useAssignPortal()
  const types = useNames(reference.propertyTypes)
  const nameOfType = (id: number | null) => types.find((type) => type.id === id)?.name
  // Within one group, its name says nothing.
  const ofMany = appContext() === 'customer' && !group_id
  const create = mayCreate && (
    <LinkButton kind="primary" icon="add" href={to.newProperty(group_id)}>
      New property
    </LinkButton>
  )
  return (
    <>
      <ListScreen
        of={properties.list}
        title="Properties"
        {...(group_id ? { where: { group_id } } : {})}
        columns={[
          { title: 'Name', cell: (property) => property.name, sort: 'name' },
          { title: 'Status', cell: (property) => <StatusBadge of={property.status} />, width: '104px' },
          { title: 'Type', cell: (property) => nameOfType(property.property_type_id), width: '152px', hideBelow: 1048 },
          { title: 'City', cell: (property) => property.city, width: '112px', hideBelow: 839 },
          ...(ofMany ? [group] : []),
          { title: 'Portal', cell: (property) => property.portal?.name, width: '116px', hideBelow: 959 },
          { title: 'Units', cell: (property) => property.total_units, width: '72px', align: 'end', hideBelow: 479 },
          {
            title: 'Created',
            cell: (property) => dateOf(property.created_at),
            width: '120px',
            sort: 'created_at',
            hideBelow: 1048,
          },
        ]}
        filters={{
          status: { title: 'Status', kind: 'checkbox', options: statusOptions },
          ...(ofMany
            ? { group_id: { title: 'Group', kind: 'checkbox', options: groups.names, more: true } as const }
            : {}),
          property_type_id: { title: 'Type', kind: 'checkbox', options: reference.propertyTypes, more: true },
          connectivity_type_id: {
            title: 'Connectivity',
            kind: 'checkbox',
            options: reference.connectivityTypes,
            more: true,
          },
          portal_id: { title: 'Portal', kind: 'checkbox', options: reference.portalNames, more: true },
        }}
        bulk={[
          assignPortal,
          disable(properties.deactivate, properties.activate),
          remove(properties.remove, consequence),
        ]}
        row={(property) => to.property(property.id)}
        actions={create}
        empty={{
          icon: 'properties',
          title: 'No properties yet',
          children: 'A property is a building whose guests get Wi-Fi: a hotel, a hall of residence, a campsite.',
          action: create,
        }}
      />
      {dialog}
    </>
  )
}
