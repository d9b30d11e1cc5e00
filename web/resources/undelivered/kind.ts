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

const sendAgain = 'Send it again'

/** The text of the first message is not stored, so a new one is written about the same record. */
export function remedyOf({ kind, about_id, channel, recipient, recipient_name }: Undelivered): Remedy {
  const email = recipient
  switch (kind) {
    case 'invitation':
      return about_id === null
        ? { text: 'Invite them again' }
        : { text: `${sendAgain}, with a new link`, href: to.user(about_id), send: () => inviteAgain(about_id) }
    case 'guest_sign_in':
      if (about_id === null) return { text: 'Send it again from the account' }
      return channel === 'text'
        ? { text: 'Send it from the account, by mail', href: to.account(about_id) }
        : {
            text: sendAgain,
            href: to.account(about_id),
            send: () => call(accounts.sendSignIn, { id: about_id, email }),
          }
    case 'voucher_codes':
      return about_id === null
        ? { text: 'Send them again from the batch' }
        : {
            text: sendAgain,
            href: to.voucherBatch(about_id),
            send: () => call(batches.sendCodes, { id: about_id, email }),
          }
    case 'report':
      return {
        text: 'Send it again from the report',
        ...(about_id !== null && { href: to.scheduledReport(about_id) }),
      }
    case 'schedule_notice':
      return {
        text: 'The list of scheduled reports says so, too',
        ...(about_id !== null && { href: to.scheduledReport(about_id) }),
      }
    case 'receiver_question':
      return { text: 'Check the address, and save the report with the right one' }
    case 'how_to_sign_in':
      return { text: 'Send it again from Help a guest', href: to.guestHelp({ q: recipient_name ?? recipient }) }
    case 'guest_code':
      return { text: 'The guest can ask for a new code: this one has expired' }
    case 'password_reset':
      return { text: 'They can ask for a new link: this one has expired' }
    case 'address_confirmation':
      return { text: 'They can ask for a new link, in the line at the top of every screen' }
    case 'sign_in_notice':
      return { text: 'It is not sent again; see the activity log' }
    case 'other':
      return { text: 'Contact them in another way' }
  }
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
