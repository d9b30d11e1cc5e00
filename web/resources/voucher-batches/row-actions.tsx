// Row actions: what an editor does with one batch of the list: print, take the codes along, make it again, turn it off.
import * as batches from '#contract/voucher-batches.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { useRef } from 'react'
import { disable, remove } from '#web/kit/list/bulk.ts'
import { call } from '#web/kit/call/call.ts'
import { go, here } from '#web/kit/navigation/go.ts'
import { freshKey, keepsKey } from '#web/kit/call/idempotency.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { forgetLists, patchRow, staleOthers } from '#web/kit/call/query-client.ts'
import { withModal } from '#web/paths.ts'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import type { MenuItem } from '#web/ui/menu.tsx'
import { paperNames, useCodes } from './codes.ts'

export type Batch = RowOf<typeof batches.list>

const on = { path: batches.list.path, noun: 'voucher batches', nameOf: (row: object) => (row as Batch).batch_number }

export const leftOf = (batch: Batch) => batch.quantity - batch.redeemed
/** What must be known before codes are thrown away. */
const consequence = (batch: Batch) =>
  leftOf(batch) > 0
    ? `Its codes stop working at once, ${leftOf(batch).toLocaleString('en-GB')} of them unused. This cannot be undone.`
    : 'All its codes have been used. This cannot be undone.'

async function activate(batch: Batch) {
  const after = await call(batches.activate, { id: batch.id })
  patchRow(batches.list.path, batch.id, after)
  staleOthers()
  notify.success(`Batch ${batch.batch_number} is active`)
}

export function RowActions({ batch }: { batch: Batch }) {
  const codes = useCodes(batch.id)
  const key = useRef(freshKey())
  const attempt = (work: () => Promise<unknown>) => void work().catch(notify.failure)
  const duplicate = async () => {
    try {
      const made = await call(batches.duplicate, { id: batch.id }, { idempotencyKey: key.current })
      key.current = freshKey()
      forgetLists(batches.list.path)
      staleOthers()
      notify.success(`Batch ${made.batch_number} has been made`)
    } catch (error) {
      if (!keepsKey(error)) key.current = freshKey()
      throw error
    }
  }
  const items: MenuItem[] = [
    { label: `Print, ${paperNames.a4}`, icon: 'print', onPick: () => codes.print('a4') },
    { label: `Print, ${paperNames.roll}`, icon: 'roll', onPick: () => codes.print('roll') },
    { label: 'Download CSV', icon: 'download', onPick: () => codes.download('csv') },
    { label: 'Download Excel', icon: 'file', onPick: () => codes.download('xlsx') },
    {
      label: 'Test a voucher',
      icon: 'vouchers',
      onPick: () => go(withModal(here(), 'test-voucher', { batch_id: batch.id })),
    },
    { label: 'Duplicate', icon: 'copy', onPick: () => attempt(duplicate) },
    batch.status === 'active'
      ? {
          label: messages.lists.disable,
          icon: 'disable',
          onPick: () => attempt(() => disable(batches.deactivate, batches.activate).run([batch], on)),
        }
      : { label: 'Activate', icon: 'activate', onPick: () => attempt(() => activate(batch)) },
    {
      label: messages.lists.delete,
      icon: 'delete',
      danger: true,
      onPick: () => attempt(() => remove(batches.remove, consequence(batch)).run([batch], on)),
    },
  ]
  return <MoreMenu label={`Actions for batch ${batch.batch_number}`} items={items} busy={codes.busy} />
}
