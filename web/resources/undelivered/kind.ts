// Undelivered kind: what can be done about a message that could not be delivered: it is sent again where it is about, or dismissed.
import * as accounts from '#contract/accounts.ts'
import type { RowOf } from '#contract/endpoint.ts'
import * as undelivered from '#contract/undelivered.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { forgetRecords, staleOthers } from '#web/kit/call/query-client.ts'
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
  /** What helps, where it is not sent again from here. */
  says: string
  href?: string
  /** Writes it anew: what was in the first one, such as a link, may have run out. */
  send?: () => Promise<unknown>
}

const sendAgain = 'Send it again'

/** The first one is not kept, so that it is written anew about the same. */
export function remedyOf({ kind, about_id, channel, recipient, recipient_name }: Undelivered): Remedy {
  const email = recipient
  switch (kind) {
    case 'invitation':
      return about_id === null
        ? { says: 'Invite them again' }
        : { says: `${sendAgain}, with a new link`, href: to.user(about_id), send: () => inviteAgain(about_id) }
    case 'guest_sign_in':
      if (about_id === null) return { says: 'Send it again from the account' }
      return channel === 'text'
        ? { says: 'Send it from the account, by mail', href: to.account(about_id) }
        : {
            says: sendAgain,
            href: to.account(about_id),
            send: () => call(accounts.sendSignIn, { id: about_id, email }),
          }
    case 'voucher_codes':
      return about_id === null
        ? { says: 'Send them again from the batch' }
        : {
            says: sendAgain,
            href: to.voucherBatch(about_id),
            send: () => call(batches.sendCodes, { id: about_id, email }),
          }
    case 'report':
      return {
        says: 'Send it again from the report',
        ...(about_id !== null && { href: to.scheduledReport(about_id) }),
      }
    case 'how_to_sign_in':
      return { says: 'Send it again from Help a guest', href: to.guestHelp({ q: recipient_name ?? recipient }) }
    case 'guest_code':
      return { says: 'The guest asks for a new code: this one has run out' }
    case 'password_reset':
      return { says: 'They ask for a new link: this one has run out' }
    case 'address_confirmation':
      return { says: 'They ask for a new link, in the line above every screen' }
    case 'sign_in_notice':
      return { says: 'It is not sent again. The activity log has it' }
    case 'other':
      return { says: 'Write to them in another way' }
  }
}

/** With a link of its own: the former no longer works. */
async function inviteAgain(id: number) {
  const { name, email, user_type_id, owner_type, owner_id } = await call(users.get, { id })
  await call(users.invite, { name, email, user_type_id, owner_type, owner_id })
}

const gone = (ids: readonly number[]) => {
  forgetRecords(undelivered.list.path, ids)
  staleOthers()
}

async function send(row: Undelivered, anew: () => Promise<unknown>) {
  await anew()
  gone([row.id])
  notify.success(`Sent again to ${row.recipient}`)
}

async function dismiss(rows: readonly { id: number }[]) {
  const ids = rows.map(({ id }) => id)
  await call(undelivered.dismiss, { ids })
  gone(ids)
  notify.success(ids.length === 1 ? 'Dismissed' : `${wholeOf(ids.length)} messages dismissed`)
}

function itemsOf(row: Undelivered): MenuItem[] {
  const { href, send: anew } = remedyOf(row)
  return [
    ...(anew
      ? [{ label: 'Send again', icon: 'mail' as const, onPick: () => send(row, anew).catch(notify.failure) }]
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
