// Account screens: the page of a guest's account with what the desk wants to know, and the page for a new one.
import type { ComponentType } from 'react'
import * as accounts from '#contract/accounts.ts'
import type { PersonPageProps } from '#web/kit/detail/overview.tsx'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import type { Place } from '#web/kit/form/place.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { accountKind } from './kind.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { SessionsList } from '#web/resources/sessions/list.tsx'
import { AccountForm } from './form.tsx'
import { NewPassword } from './new-password.tsx'
import { AccountOverview } from './overview.tsx'

type AccountProps = Place & {
  id?: number
  /** The guest's state and what the desk can do for them: the same panel as in guest help. */
  person: ComponentType<PersonPageProps>
}

export const AccountScreen = ({ id, person, ...preset }: AccountProps) =>
  id === undefined ? <NewAccount preset={preset} /> : <AccountDetail id={id} person={person} />

function NewAccount({ preset }: { preset: Place }) {
  const back = to.accountsOf(preset.property_id)
  return (
    <>
      <PageHeader title="New account" above={<Link href={back}>Accounts</Link>} />
      <Permitted to={accounts.create} back={back} icon="accounts">
        <AccountForm preset={preset} back={back} />
      </Permitted>
    </>
  )
}

function AccountDetail({ id, person }: Required<Pick<AccountProps, 'id' | 'person'>>) {
  const account = useRecord(accounts, id)
  const back = to.accountsOf(account?.property_id)
  return (
    <DetailTabs
      of="Account"
      name={account?.name}
      status={account?.status}
      back={{ title: 'Accounts', href: back }}
      actions={
        <>
          {account && <NewPassword account={account} />}
          <RecordActions kind={accountKind} record={account} back={back} />
        </>
      }
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={accounts} id={id}>
              {(record) => <AccountOverview account={record} person={person} />}
            </WhenLoaded>
          ),
        },
        sessions: { title: 'Sessions', body: () => <SessionsList account_id={id} /> },
        details: { title: 'Details', body: () => <AccountForm id={id} back={back} /> },
      }}
    />
  )
}
