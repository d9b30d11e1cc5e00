// Devices list: MAC addresses that go online without a login page; also the devices tab of properties and groups.
import * as devices from '#contract/devices.ts'
import * as imports from '#contract/imports.ts'
import { activityOptions, StatusBadge, statusBelow } from '#web/kit/display/status-badge.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, ScreenFilters } from '#web/kit/list/list-types.ts'
import { go, here, linkItem } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to, withModal } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import { deviceKind, type Device } from './kind.ts'
import styles from './devices.module.css'

const column = fieldColumns(devices)

/** Shown below the name on a phone: whether it is blocked, and its MAC address. */
const shortOf = ({ mac_address, mac_category }: Device) =>
  [mac_category?.blocks && 'Blocked', mac_address].filter(Boolean).join(' · ')

const categoryOf = ({ mac_category }: Device) =>
  mac_category && (
    <>
      {mac_category.name}
      {mac_category.blocks && mac_category.name !== 'Blocked' && <span className={styles.blocks}> · blocked</span>}
    </>
  )

const columnsOf = (many: boolean): Column<typeof devices.list>[] => [
  column('name', { width: 150, priority: 1, sort: 'name' }),
  column('status', {
    cell: (device) => <StatusBadge of={device.status} />,
    below: statusBelow,
    width: 104,
    priority: 2,
  }),
  {
    title: 'MAC address',
    cell: (device) => <Mac of={device} />,
    below: shortOf,
    width: 196,
    priority: 5,
  },
  { title: 'Category', cell: categoryOf, width: 132, grow: 1, priority: 6 },
  column('room', { below: (device) => device.room && `Room ${device.room.name}`, width: 84, priority: 3 }),
  column('property', {
    below: (device) => many && device.property.name,
    width: 150,
    usual: 220,
    grow: 2,
    priority: many ? 4 : 9,
    ...(many ? {} : { extra: true }),
  }),
  column('package', { width: 130, grow: 1, priority: 7 }),
  column('external_reference', { width: 120, priority: 10, extra: true }),
  column('created_at', { width: 118, priority: 8, sort: 'created_at', ...(many ? { extra: true } : {}) }),
]

const Mac = ({ of }: { of: Device }) => (
  <span className={styles.mac} title={of.randomised ? 'The device made this address up, and may change it' : undefined}>
    {of.mac_address}
    {of.randomised && <abbr aria-label="randomised">?</abbr>}
  </span>
)

export interface DevicesListProps {
  group_id?: number
  property_id?: number
  room_id?: number
}

export function DevicesList({ group_id, property_id, room_id }: DevicesListProps) {
  const mayCreate = useMayCall(devices.create)
  const mayImport = useMayCall(imports.devices)
  const ownProperty = useOwnProperty()
  const context = appContext()
  const property = property_id ?? ownProperty
  const many = property === undefined
  const where = {
    ...(group_id ? { group_id } : {}),
    ...(property_id ? { property_id } : {}),
    ...(room_id ? { room_id } : {}),
  }
  const filters: ScreenFilters<typeof devices.list> = {
    status: { kind: 'checkbox', options: activityOptions },
    mac_category_id: { kind: 'checkbox', none: true },
    package_id: { kind: 'checkbox', none: 'No package of their own', ...(many ? { more: true } : {}) },
    ...(many ? { property_id: { kind: 'checkbox', more: true } } : {}),
  }
  const openRecent = () => go(withModal(here(), 'recent-imports', property ? { property_id: property } : {}))
  const openImport = () => go(withModal(here(), 'import-devices', property ? { property_id: property } : {}))
  const create = mayCreate && (
    <LinkButton
      kind="primary"
      icon="add"
      href={to.newDevice({ ...(property_id ? { property_id } : {}), ...(room_id ? { room_id } : {}) })}
    >
      New device
    </LinkButton>
  )
  const more = [
    ...(mayImport
      ? [
          { label: 'Import devices', icon: 'upload' as const, onPick: openImport },
          { label: 'Recent imports', icon: 'file' as const, onPick: openRecent },
        ]
      : []),
    ...(hasScreen(context, 'mac-categories')
      ? [linkItem({ label: 'MAC categories', icon: 'collections', href: to.macCategories() })]
      : []),
  ]
  return (
    <ListScreen
      of={devices.list}
      title="Devices"
      where={where}
      kind={deviceKind}
      columns={columnsOf(many)}
      filters={filters}
      actions={
        <>
          {more.length > 0 && <MoreMenu framed label="More for devices" items={more} />}
          {create}
        </>
      }
      empty={{
        icon: 'devices',
        title: 'No devices yet',
        children:
          'A device goes online by its MAC address, without a login page: televisions, printers, tills.' +
          (mayCreate || mayImport ? ' Register one, or import many from a spreadsheet.' : ''),
        action: (mayCreate || mayImport) && (
          <>
            {mayImport && (
              <Button icon="upload" onClick={openImport}>
                Import devices
              </Button>
            )}
            {create}
          </>
        ),
      }}
    />
  )
}
