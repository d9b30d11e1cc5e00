// Account kind: what can be done with one guest account, in its row and on its page.
import * as accounts from '#contract/accounts.ts'
import type { RowOf } from '#contract/endpoint.ts'
import * as help from '#contract/guest-help.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { whenOff } from '#web/limits/when-off.tsx'
import { to } from '#web/paths.ts'

export type Account = RowOf<typeof accounts.list>

export const accountKind: RecordKind<Account> = {
  of: accounts,
  asks: [help.get],
  noun: 'accounts',
  nameOf: (account) => account.name,
  href: (account) => to.account(account.id),
  besides: whenOff,
  consequence: (rows) =>
    rows.length === 1
      ? 'The guest can no longer sign in. This cannot be undone.'
      : 'The guests can no longer sign in. This cannot be undone.',
}
