// Packages list: what guests can be given, newest first.
import * as packages from '#contract/packages.ts'
import { disable, remove } from '#web/kit/list/bulk.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import { activityOptions, StatusBadge } from '#web/kit/display/status-badge.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { renewals, timeOf, volumeOf } from './summary.ts'
import styles from './packages.module.css'

/** 0 is no limit, and reads so. */
const limit = (value: number, words: (value: number) => string) =>
  value > 0 ? words(value) : <span className={styles.unlimited}>No limit</span>

const renewalOptions = packages.recurrences.map((value) => ({ value, label: renewals[value] }))

export function PackagesList() {
  const mayCreate = useMayCall(packages.create)
  const create = mayCreate && (
    <LinkButton kind="primary" icon="add" href={to.newPackage()}>
      New package
    </LinkButton>
  )
  return (
    <ListScreen
      of={packages.list}
      title="Packages"
      columns={[
        { title: 'Name', cell: (pack) => pack.name, sort: 'name' },
        { title: 'Status', cell: (pack) => <StatusBadge of={pack.status} />, width: '104px' },
        { title: 'Data', cell: (pack) => limit(pack.volume_gb, volumeOf), width: '104px', align: 'end' },
        {
          title: 'Speed',
          cell: (pack) => limit(pack.speed_mbps, (value) => `${value} Mbit/s`),
          width: '120px',
          align: 'end',
          hideBelow: 479,
        },
        {
          title: 'Devices',
          cell: (pack) => limit(pack.max_users, String),
          width: '104px',
          align: 'end',
          hideBelow: 839,
        },
        {
          title: 'Time',
          cell: (pack) => limit(pack.session_time_hrs, timeOf),
          width: '120px',
          align: 'end',
          hideBelow: 839,
        },
        { title: 'Renews', cell: (pack) => renewals[pack.recurs], width: '140px', hideBelow: 959 },
      ]}
      filters={{
        status: { title: 'Status', kind: 'checkbox', options: activityOptions },
        recurs: { title: 'Renews', kind: 'checkbox', options: renewalOptions },
      }}
      bulk={[disable(packages.deactivate, packages.activate), remove(packages.remove)]}
      row={(pack) => to.package(pack.id)}
      actions={create}
      empty={{
        icon: 'packages',
        title: 'No packages yet',
        children: 'A package says what a guest gets: how much data, how fast, for how long and on how many devices.',
        action: create,
      }}
    />
  )
}
