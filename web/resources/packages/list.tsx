// Packages list: what guests can be given, newest first.
import * as packages from '#contract/packages.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { activityOptions, StatusBadge, statusBelow } from '#web/kit/display/status-badge.tsx'
import { to } from '#web/paths.ts'
import { packageKind } from './kind.ts'
import { renewals, timeOf, volumeOf } from './summary.ts'
import styles from './packages.module.css'

const column = fieldColumns(packages)

/** 0 means no limit. */
const limit = (value: number, words: (value: number) => string) =>
  value > 0 ? words(value) : <span className={styles.unlimited}>No limit</span>

const speedOf = (value: number) => `${value} Mbit/s`

const renewalOptions = packages.recurrences.map((value) => ({ value, label: renewals[value] }))

const columns: Column<typeof packages.list>[] = [
  column('name', { width: 150, priority: 1, sort: 'name' }),
  column('status', { cell: (pack) => <StatusBadge of={pack.status} />, below: statusBelow, width: 104, priority: 2 }),
  column('volume_gb', {
    cell: (pack) => limit(pack.volume_gb, volumeOf),
    below: (pack) => pack.volume_gb > 0 && volumeOf(pack.volume_gb),
    width: 104,
    priority: 3,
    align: 'end',
  }),
  column('speed_mbps', {
    cell: (pack) => limit(pack.speed_mbps, speedOf),
    below: (pack) => pack.speed_mbps > 0 && speedOf(pack.speed_mbps),
    width: 120,
    priority: 4,
    align: 'end',
  }),
  column('max_users', { cell: (pack) => limit(pack.max_users, String), width: 130, priority: 6, align: 'end' }),
  column('session_time_hrs', {
    cell: (pack) => limit(pack.session_time_hrs, timeOf),
    width: 120,
    priority: 5,
    align: 'end',
  }),
  column('recurs', { cell: (pack) => renewals[pack.recurs], width: 140, priority: 7 }),
  column('idle_timeout_hrs', {
    cell: (pack) => limit(pack.idle_timeout_hrs, timeOf),
    width: 110,
    priority: 8,
    align: 'end',
    extra: true,
  }),
  column('created_at', { width: 118, priority: 9, sort: 'created_at', extra: true }),
]

export function PackagesList() {
  return (
    <ListScreen
      of={packages.list}
      title="Packages"
      kind={packageKind}
      columns={columns}
      filters={{
        status: { kind: 'checkbox', options: activityOptions },
        recurs: { kind: 'checkbox', options: renewalOptions },
      }}
      actions={
        <CreateButton of={packages.create} href={to.newPackage()}>
          New package
        </CreateButton>
      }
      empty={{
        icon: 'packages',
        title: 'No packages yet',
        children: 'A package says what a guest gets: how much data, how fast, for how long and on how many devices.',
      }}
    />
  )
}
