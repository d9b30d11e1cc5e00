// Accounts list: guests with a name and a password; the desk's "find a guest", and the accounts tab of properties and groups.
import * as accounts from '#contract/accounts.ts'
import type { RowOf } from '#contract/endpoint.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { disable, remove } from '#web/kit/list/bulk.ts'
import { dateOf } from '#web/kit/display/dates.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Filters } from '#web/kit/list/list-types.ts'
import { StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMay, useMayCall } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { ImportButton, ListTools } from './list-tools.tsx'
import { RowActions } from './row-actions.tsx'
import styles from './accounts.module.css'

type Account = RowOf<typeof accounts.list>

const removeAccounts = remove(accounts.remove, 'The guests can no longer sign in. This cannot be undone.')

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** On phones, where the columns beside it are hidden, the room and the property stand below the name. */
const Guest = ({ account, many }: { account: Account; many: boolean }) => (
  <span className={styles.guest}>
    <span>{account.name}</span>
    <small>
      {[
        account.status === 'active' ? null : capital(account.status),
        account.room && `Room ${account.room.name}`,
        many ? account.property.name : account.username,
      ]
        .filter(Boolean)
        .join(' · ')}
    </small>
  </span>
)

/** The time of today, the day of any other: what tells the desk whether a guest got online. */
const seenOf = (moment: string | null) =>
  moment && new Date(moment).toDateString() === new Date().toDateString()
    ? `Today ${new Date(moment).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`
    : dateOf(moment)

export interface AccountsListProps {
  group_id?: number
  property_id?: number
}

export function AccountsList({ group_id, property_id }: AccountsListProps) {
  const mayCreate = useMayCall(accounts.create)
  const mayImport = useMay('imports')
  const { user } = useSession()
  const own = appContext() === 'property' ? user?.owner_id : undefined
  const property = property_id ?? own
  const many = property === undefined
  const where = { ...(group_id ? { group_id } : {}), ...(property_id ? { property_id } : {}) }
  const filters: Filters<typeof accounts.list> = {
    status: { title: 'Status', kind: 'checkbox', options: statusOptions },
    account_type_id: { title: 'Type', kind: 'checkbox', options: reference.accountTypes },
    package_id: { title: 'Package', kind: 'checkbox', options: packages.names, ...(many ? { more: true } : {}) },
    ...(many ? { property_id: { title: 'Property', kind: 'checkbox', options: properties.names, more: true } } : {}),
  }
  const create = mayCreate && (
    <LinkButton kind="primary" icon="add" href={to.newAccount(property_id ? { property_id } : {})}>
      New account
    </LinkButton>
  )
  return (
    <ListScreen
      of={accounts.list}
      title="Accounts"
      where={where}
      columns={[
        { title: 'Name', cell: (account) => <Guest account={account} many={many} />, sort: 'name' },
        ...(many ? [] : [{ title: 'Username', cell: (account: Account) => account.username, hideBelow: 959 as const }]),
        { title: 'Room', cell: (account) => account.room?.name, width: '76px', hideBelow: 839 },
        ...(many
          ? [
              {
                title: 'Property',
                cell: (account: Account) => account.property.name,
                hideBelow: 839 as const,
              },
            ]
          : []),
        ...(many
          ? []
          : [{ title: 'Package', cell: (account: Account) => account.package?.name, hideBelow: 1048 as const }]),
        {
          title: 'Last seen',
          cell: (account) => seenOf(account.logged_in_at) || <span className={styles.none}>Never</span>,
          width: '120px',
          hideBelow: 839,
        },
        {
          title: 'Expires',
          cell: (account) => dateOf(account.expires_at) || <span className={styles.none}>Never</span>,
          width: '116px',
          hideBelow: 959,
        },
        { title: 'Status', cell: (account) => <StatusBadge of={account.status} />, width: '104px', hideBelow: 479 },
        ...(mayCreate
          ? [
              {
                title: '',
                cell: (account: Account) => <RowActions account={account} />,
                width: '54px',
                align: 'end' as const,
              },
            ]
          : []),
      ]}
      filters={filters}
      bulk={[disable(accounts.deactivate, accounts.activate), removeAccounts]}
      row={(account) => to.account(account.id)}
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
          'An account lets a guest sign in with a name and a password. Make one, or bring many in from a spreadsheet.',
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
