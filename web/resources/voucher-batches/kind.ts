// Voucher batch kind: what can be done with one batch: print or download its codes, test one, duplicate it, disable it.
import type { RowOf } from '#contract/endpoint.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { madeOnce } from '#web/kit/call/idempotency.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { wholeOf, countedThere } from '#web/kit/display/numbers.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { go, here, linkItem } from '#web/kit/navigation/go.ts'
import { whenOff } from '#web/limits/when-off.tsx'
import { to, withModal } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import { downloadCodes, paperNames, printCodes } from './codes.ts'

export type Batch = RowOf<typeof batches.list>

export const leftWords = ({ left }: Batch) => (left === 0 ? 'None left' : `${wholeOf(left)} left`)

/** What became of the others. */
export function standOf({ quantity, redeemed, left }: Batch): string {
  const taken_back = quantity - redeemed - left
  const others = countedThere([
    [redeemed, 'used', 'used'],
    [taken_back, 'taken back', 'taken back'],
  ])
  return `of ${wholeOf(quantity)}${others && `, ${others}`}`
}

/** What to know before deleting codes. */
function consequence(rows: Batch[]): string {
  const left = rows.reduce((sum, batch) => sum + batch.left, 0)
  const its = rows.length === 1 ? 'Its' : 'Their'
  return left > 0
    ? `${its} codes stop working at once, ${wholeOf(left)} of them unused. This cannot be undone.`
    : `All ${its.toLowerCase()} codes have been used or taken back. This cannot be undone.`
}

async function duplicate(id: number) {
  const made = await madeOnce(`${batches.duplicate.path} ${id}`, (idempotencyKey) =>
    call(batches.duplicate, { id }, { idempotencyKey }),
  )
  forgetLists(batches.list.path)
  invalidateOthers()
  notify.success(`Batch ${made.batch_number} has been made`, {
    label: 'Open',
    onPick: () => go(to.voucherBatch(made.id)),
  })
}

/** What people called it, if they did, and its number, which is on the slips. */
export const titleOf = ({ name, batch_number }: Pick<Batch, 'name' | 'batch_number'>) =>
  name === null ? batch_number : `${name} · ${batch_number}`

export const batchKind: RecordKind<Batch> = {
  of: batches,
  noun: 'voucher batches',
  nameOf: titleOf,
  href: (batch) => to.voucherBatch(batch.id),
  searchKey: 'batch_number',
  besides: whenOff,
  own: ({ id }) => [
    ...(mayCall(batches.exportCodes)
      ? [
          { label: `Print, ${paperNames.a4}`, icon: 'print' as const, onPick: () => printCodes(id, 'a4') },
          { label: `Print, ${paperNames.roll}`, icon: 'roll' as const, onPick: () => printCodes(id, 'roll') },
          { label: 'Download CSV', icon: 'download' as const, onPick: () => downloadCodes(id, 'csv') },
          { label: 'Download Excel', icon: 'file' as const, onPick: () => downloadCodes(id, 'xlsx') },
        ]
      : []),
    linkItem({
      label: 'Test a voucher',
      icon: 'vouchers',
      href: withModal(here(), 'test-voucher', { batch_id: id }),
    }),
    ...(mayCall(batches.duplicate) ? [{ label: 'Duplicate', icon: 'copy' as const, onPick: () => duplicate(id) }] : []),
  ],
  consequence,
}
