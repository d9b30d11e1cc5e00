// Row actions: what an editor does with one account of the list.
import * as accounts from '#contract/accounts.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { disable, remove } from '#web/kit/list/bulk.ts'
import { call } from '#web/kit/call/call.ts'
import { go } from '#web/kit/navigation/go.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { patchRow, staleOthers } from '#web/kit/call/query-client.ts'
import { to } from '#web/paths.ts'
import { MoreMenu } from '#web/ui/more-menu.tsx'

type Account = RowOf<typeof accounts.list>

const on = { path: accounts.list.path, noun: 'accounts', nameOf: (row: object) => (row as Account).name }

async function activate(account: Account) {
  const after = await call(accounts.activate, { id: account.id })
  patchRow(accounts.list.path, account.id, after)
  staleOthers()
  notify.success(`${account.name} is active`)
}

export function RowActions({ account }: { account: Account }) {
  const attempt = (work: () => Promise<unknown>) => void work().catch(notify.failure)
  return (
    <MoreMenu
      label={`Actions for ${account.name}`}
      items={[
        { label: 'Edit', icon: 'accounts', onPick: () => go(to.account(account.id)) },
        account.status === 'active'
          ? {
              label: messages.lists.disable,
              icon: 'disable',
              onPick: () => attempt(() => disable(accounts.deactivate, accounts.activate).run([account], on)),
            }
          : { label: 'Activate', icon: 'activate', onPick: () => attempt(() => activate(account)) },
        {
          label: messages.lists.delete,
          icon: 'delete',
          danger: true,
          onPick: () =>
            attempt(() =>
              remove(accounts.remove, 'The guest can no longer sign in. This cannot be undone.').run([account], on),
            ),
        },
      ]}
    />
  )
}
