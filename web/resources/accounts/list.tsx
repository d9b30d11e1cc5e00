// Accounts list: guests who sign in with a name and a password; also the accounts tab of properties, groups and rooms.
import * as accounts from '#contract/accounts.ts'
import { clockOf, dateOf } from '#web/kit/display/dates.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, ScreenFilters } from '#web/kit/list/list-types.ts'
import { StatusBadge, statusBelow, statusOptions } from '#web/kit/display/status-badge.tsx'
import { to } from '#web/paths.ts'
import { useMay, useMayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { accountKind } from './kind.ts'
import { ImportButton, ListTools } from './list-tools.tsx'
import styles from './accounts.module.css'

const column = fieldColumns(accounts)

/** The time if it was today, else the date, so that the desk sees whether a guest got online. */
const seenOf = (moment: string | null) =>
  moment && new Date(moment).toDateString() === new Date().toDateString() ? `Today ${clockOf(moment)}` : dateOf(moment)

/** For one property, shows the usernames instead of the property's name; for several, the other way round. */
const columnsOf = (many: boolean): Column<typeof accounts.list>[] => [
  column('name', { width: 150, priority: 1, sort: 'name' }),
  column('status', {
    cell: (account) => <StatusBadge of={account.status} />,
    below: statusBelow,
    width: 104,
    priority: 2,
  }),
  column('username', {
    below: (account) => !many && account.username,
    width: 130,
    grow: 1,
    priority: many ? 8 : 3,
    ...(many ? { extra: true } : {}),
  }),
  column('room', { below: (account) => account.room && `Room ${account.room.name}`, width: 84, priority: 4 }),
  column('property', {
    below: (account) => many && account.property.name,
    width: 150,
    usual: 220,
    grow: 2,
    priority: many ? 3 : 9,
    ...(many ? {} : { extra: true }),
  }),
  column('package', { width: 130, grow: 1, priority: 7 }),
  column('logged_in_at', {
    cell: (account) => seenOf(account.logged_in_at) || <span className={styles.none}>Never</span>,
    width: 132,
    priority: 5,
  }),
  column('expires_at', {
    cell: (account) => dateOf(account.expires_at) || <span className={styles.none}>Never</span>,
    width: 118,
    priority: 6,
  }),
  column('email', { width: 180, grow: 1, priority: 10, extra: true }),
  column('mobile_number', { width: 140, priority: 11, extra: true }),
  column('external_reference', { width: 120, priority: 12, extra: true }),
  column('created_at', { width: 118, priority: 13, sort: 'created_at', extra: true }),
]

export interface AccountsListProps {
  group_id?: number
  property_id?: number
  room_id?: number
}

export function AccountsList({ group_id, property_id, room_id }: AccountsListProps) {
  const mayCreate = useMayCall(accounts.create)
  const mayImport = useMay('imports')
  const ownProperty = useOwnProperty()
  const property = property_id ?? ownProperty
  const many = property === undefined
  const where = {
    ...(group_id ? { group_id } : {}),
    ...(property_id ? { property_id } : {}),
    ...(room_id ? { room_id } : {}),
  }
  const filters: ScreenFilters<typeof accounts.list> = {
    status: { kind: 'checkbox', options: statusOptions },
    account_type_id: { kind: 'checkbox' },
    package_id: { kind: 'checkbox', none: 'No package of their own', ...(many ? { more: true } : {}) },
    ...(many ? { property_id: { kind: 'checkbox', more: true } } : {}),
  }
  const create = mayCreate && (
    <LinkButton
      kind="primary"
      icon="add"
      href={to.newAccount({ ...(property_id ? { property_id } : {}), ...(room_id ? { room_id } : {}) })}
    >
      New account
    </LinkButton>
  )
  return (
    <ListScreen
      of={accounts.list}
      title="Accounts"
      where={where}
      kind={accountKind}
      columns={columnsOf(many)}
      filters={filters}
      actions={
        <>
          {mayCreate && <ListTools property_id={property} />}
          {create}
        </>
      }
      empty={{
        icon: 'accounts',
        title: 'No accounts yet',
        children:
          'An account lets a guest sign in with a name and a password.' +
          (mayCreate || mayImport ? ' Create one, or import many from a spreadsheet.' : ''),
        action: (mayCreate || mayImport) && (
          <>
            {mayImport && <ImportButton property_id={property} />}
            {create}
          </>
        ),
      }}
    />
  )
}
