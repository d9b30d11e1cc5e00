// Undelivered kind: what can be done about an undelivered message: send it again, open the record that it is about, or dismiss it.
import * as accounts from '#contract/accounts.ts'
import type { RowOf } from '#contract/endpoint.ts'
import * as undelivered from '#contract/undelivered.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { forgetRecords, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import type { BulkAction } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { linkItem } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import type { MenuItem } from '#web/ui/menu.tsx'

export type Undelivered = RowOf<typeof undelivered.list>

interface Remedy {
  /** The advice in the list. */
  text: string
  href?: string
  /** Sends a new message, as the contents of the first one, such as a link, may have expired. */
  send?: () => Promise<unknown>
}

/** The records that messages are about: where each opens, and how a new mail about it is sent. */
const records: Record<
  NonNullable<ReturnType<typeof undelivered.messageWords>['about']>,
  { href: (id: number) => string; send?: (id: number, email: string) => Promise<unknown> } | 'guest'
> = {
  accounts: { href: to.account, send: (id, email) => call(accounts.sendSignIn, { id, email }) },
  guest_help: 'guest',
  reports: { href: to.scheduledReport },
  users: { href: to.user, send: inviteAgain },
  voucher_batches: { href: to.voucherBatch, send: (id, email) => call(batches.sendCodes, { id, email }) },
}

/** The text of the first message is not stored, so a new one is written about the same record. */
export function remedyOf({ kind, about_id: id, channel, recipient, recipient_name }: Undelivered): Remedy {
  const { remedy, about, again, by_mail } = undelivered.messageWords(kind)
  const record = about && records[about]
  if (record === 'guest') return { text: remedy, href: to.guestHelp({ q: recipient_name ?? recipient }) }
  if (record === undefined || id === null) return { text: remedy }
  const href = record.href(id)
  if (channel === 'text') return { text: by_mail ?? remedy, href }
  const { send } = record
  return again && send ? { text: again, href, send: () => send(id, recipient) } : { text: remedy, href }
}

/** With a new link; the old one no longer works. */
async function inviteAgain(id: number) {
  const { name, email, user_type_id, owner_type, owner_id } = await call(users.get, { id })
  await call(users.invite, { name, email, user_type_id, owner_type, owner_id })
}

const forget = (ids: readonly number[]) => {
  forgetRecords(undelivered.list.path, ids)
  invalidateOthers()
}

async function sendAndForget(row: Undelivered, send: () => Promise<unknown>) {
  await send()
  forget([row.id])
  notify.success(`Sent again to ${row.recipient}`)
}

async function dismiss(rows: readonly { id: number }[]) {
  const ids = rows.map(({ id }) => id)
  await call(undelivered.dismiss, { ids })
  forget(ids)
  notify.success(ids.length === 1 ? 'Dismissed' : `${wholeOf(ids.length)} messages dismissed`)
}

function itemsOf(row: Undelivered): MenuItem[] {
  const { href, send } = remedyOf(row)
  return [
    ...(send
      ? [{ label: 'Send again', icon: 'mail' as const, onPick: () => sendAndForget(row, send).catch(notify.failure) }]
      : []),
    ...(href === undefined ? [] : [linkItem({ label: 'Open', icon: 'look', href })]),
    ...(mayCall(undelivered.dismiss)
      ? [{ label: 'Dismiss', icon: 'check' as const, onPick: () => dismiss([row]).catch(notify.failure) }]
      : []),
  ]
}

export const undeliveredKind: RecordKind<Undelivered> = {
  of: { list: undelivered.list, fields: undelivered.fields },
  noun: 'messages',
  nameOf: (row) => row.recipient,
  searchKey: 'recipient',
  href: (row) => remedyOf(row).href,
  consequence: '',
  own: itemsOf,
}

export const dismissSeveral: BulkAction = {
  label: 'Dismiss',
  icon: 'check',
  run: async (rows) => {
    await dismiss(rows)
    return true
  },
}
