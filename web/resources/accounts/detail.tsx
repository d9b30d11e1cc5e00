// Account screens: a guest's page with what the desk wants to know of them, and the way to a new one.
import * as accounts from '#contract/accounts.ts'
import type { Output } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'
import { showChange } from '#web/kit/call/query-client.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { accountKind } from './kind.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { AccountForm, type Place } from './form.tsx'
import { easyPassword } from './guest-password.tsx'
import { AccountOverview } from './overview.tsx'

export const AccountScreen = ({ id, ...preset }: Place & { id?: number }) =>
  id === undefined ? <NewAccount preset={preset} /> : <AccountDetail id={id} />

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

type Account = Output<typeof accounts.get>

/** Holds at once; the former one comes back as long as the notice stands. */
async function renewPassword({ id, password: before }: Account) {
  const set = async (password: string | null) =>
    showChange({ one: accounts.get.path, list: accounts.list.path }, id, await call(accounts.update, { id, password }))
  await set(easyPassword())
  notify.success('The guest has a new password', {
    label: 'Undo',
    onPick: () => void set(before).catch(notify.failure),
  })
}

function AccountDetail({ id }: { id: number }) {
  const account = useRecord(accounts, id)
  const mayChange = useMayCall(accounts.update)
  const back = to.accountsOf(account?.property_id)
  return (
    <DetailTabs
      of="Account"
      name={account?.name}
      status={account?.status}
      back={{ title: 'Accounts', href: back }}
      actions={
        <>
          {mayChange && account && (
            <Button icon="refresh" onClick={() => void renewPassword(account).catch(notify.failure)}>
              New password
            </Button>
          )}
          <RecordActions kind={accountKind} record={account} back={back} />
        </>
      }
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={accounts} id={id}>
              {(record) => <AccountOverview account={record} />}
            </WhenLoaded>
          ),
        },
        details: { title: 'Details', body: () => <AccountForm id={id} back={back} /> },
      }}
    />
  )
}
