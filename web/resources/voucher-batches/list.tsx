// Voucher batches list: codes made together, newest first; a screen of its own and the vouchers tab of groups and properties.
import * as batches from '#contract/voucher-batches.ts'
import { dateOf } from '#web/kit/display/dates.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import { yesOrNo, type Column, type ScreenFilters } from '#web/kit/list/list-types.ts'
import { activityOptions, StatusBadge, statusBelow } from '#web/kit/display/status-badge.tsx'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { batchKind, leftWords, standOf, titleOf, type Batch } from './kind.ts'
import { RemainingMeter } from './remaining-meter.tsx'
import styles from './voucher-batches.module.css'

const column = fieldColumns(batches)

const placeOf = ({ property, group }: Batch) => property?.name ?? (group ? `All of ${group.name}` : '')

const Left = ({ batch }: { batch: Batch }) => (
  <span className={styles.left}>
    <RemainingMeter batch={batch} />
    <span title={standOf(batch)}>{leftWords(batch)}</span>
  </span>
)

const limitCell = (valueOf: (batch: Batch) => number, unit: string) => (batch: Batch) =>
  valueOf(batch) > 0 && `${valueOf(batch)} ${unit}`.trim()

const columns: Column<typeof batches.list>[] = [
  {
    title: 'Batch',
    cell: titleOf,
    width: 140,
    usual: 140,
    grow: 3,
    priority: 1,
  },
  column('status', { cell: (batch) => <StatusBadge of={batch.status} />, below: statusBelow, width: 104, priority: 3 }),
  column('package', { below: (batch) => batch.package.name, width: 120, grow: 2, priority: 5 }),
  { title: 'Good in', cell: placeOf, below: placeOf, width: 140, grow: 2, priority: 4 },
  column('expires_at', {
    cell: (batch) => dateOf(batch.expires_at) || <span className={styles.none}>From first use</span>,
    width: 118,
    priority: 6,
  }),
  { title: 'Left', cell: (batch) => <Left batch={batch} />, width: 96, grow: 2, priority: 2 },
  column('created_at', { width: 118, priority: 7, sort: 'created_at', extra: true }),
  // 0 means that the package's limit applies.
  column('volume_gb', { cell: limitCell(({ volume_gb }) => volume_gb, 'GB'), width: 104, priority: 8, extra: true }),
  column('speed_mbps', {
    cell: limitCell(({ speed_mbps }) => speed_mbps, 'Mbit/s'),
    width: 104,
    priority: 9,
    extra: true,
  }),
  column('devices', { cell: limitCell(({ devices }) => devices, ''), width: 140, priority: 10, extra: true }),
]

export interface VoucherBatchesListProps {
  /** The batches of one group, or those that are valid in one property. */
  group_id?: number
  property_id?: number
}

export function VoucherBatchesList({ group_id, property_id }: VoucherBatchesListProps) {
  const mayCreate = useMayCall(batches.create)
  const place = { ...(group_id ? { group_id } : {}), ...(property_id ? { property_id } : {}) }
  const many = !property_id && appContext() !== 'property'
  const filters: ScreenFilters<typeof batches.list> = {
    status: { kind: 'checkbox', options: activityOptions },
    left: { title: 'Codes left', kind: 'checkbox', options: yesOrNo('Some left', 'None left') },
    package_id: { kind: 'checkbox', ...(many ? { more: true } : {}) },
    ...(many
      ? {
          property_id: { kind: 'checkbox', none: 'A whole group', more: true },
        }
      : {}),
  }
  const create = (
    <CreateButton of={batches.create} href={to.newVouchers(place)}>
      New vouchers
    </CreateButton>
  )
  return (
    <ListScreen
      of={batches.list}
      title="Voucher batches"
      where={place}
      kind={batchKind}
      columns={columns}
      filters={filters}
      actions={create}
      empty={{
        icon: 'vouchers',
        title: 'No vouchers yet',
        children:
          mayCreate &&
          'Create as many codes as you need for a property or a whole group, print them, and hand them out at the desk.',
        action: create,
      }}
    />
  )
}
