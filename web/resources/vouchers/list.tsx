// Vouchers: the codes of a batch, each with its state, and what the desk can do with one.
import type { RowOf } from '#contract/endpoint.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import { yesOrNo, type Column } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { copy } from '#web/kit/made/copy.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import { Badge, Quiet, type Tone } from '#web/ui/badge.tsx'
import type { MenuItem } from '#web/ui/menu.tsx'
import { gigabytes } from './facts.tsx'
import { giveAgain, takeBack } from './take-back.ts'

type Code = RowOf<typeof vouchers.list>

const copyItem = ({ code }: Code): MenuItem => ({
  label: 'Copy code',
  icon: 'copy',
  onPick: async () => {
    await copy(code)
    notify.success(`${code} has been copied`)
  },
})

const takeBackItems = (row: Code): MenuItem[] => {
  if (!mayCall(vouchers.deactivate)) return []
  return row.taken_back_at === null
    ? [{ label: 'Take back', icon: 'disable', onPick: () => takeBack(row) }]
    : [{ label: 'Give again', icon: 'activate', onPick: () => giveAgain(row) }]
}

const codeKind: RecordKind<Code> = {
  of: vouchers,
  noun: 'codes',
  nameOf: ({ code }) => code,
  searchKey: 'code',
  href: ({ id }) => (mayCall(guestHelp.search) ? to.guestHelp({ kind: 'voucher', id }) : undefined),
  own: (row) => [...(mayCall(batches.exportCodes) ? [copyItem(row)] : []), ...takeBackItems(row)],
  consequence: '',
}

const stateOf = ({ state, redeemed_at, in_use, taken_back_at }: Code): [string, Tone] =>
  taken_back_at
    ? ['Taken back', 'off']
    : in_use
      ? ['In use', 'good']
      : state === 'invalid'
        ? redeemed_at
          ? ['Ended', 'off']
          : ['Invalid', 'wrong']
        : redeemed_at
          ? ['In use', 'good']
          : ['Unused', 'plain']

const columns: Column<typeof vouchers.list>[] = [
  {
    title: 'Code',
    cell: ({ code }) => <span translate="no">{code}</span>,
    width: 168,
    usual: 168,
    grow: 1,
    priority: 1,
  },
  {
    title: 'State',
    cell: (row) => {
      const [word, tone] = stateOf(row)
      return tone === 'plain' ? (
        <Quiet>{word}</Quiet>
      ) : (
        <Badge dot tone={tone}>
          {word}
        </Badge>
      )
    },
    width: 104,
    priority: 2,
  },
  { title: 'Why', cell: ({ reason }) => reason, width: 200, grow: 2, priority: 4 },
  { title: 'First used', cell: ({ redeemed_at }) => timeOf(redeemed_at), width: 190, priority: 3 },
  { title: 'Ends', cell: ({ expires_at }) => timeOf(expires_at), width: 190, priority: 5 },
  {
    title: 'Data used',
    cell: ({ data_used }) => (data_used > 0 ? gigabytes(data_used) : ''),
    width: 96,
    align: 'end',
    priority: 6,
  },
]

/** The codes of one batch. */
export const CodesOf = ({ batch }: { batch: number }) => (
  <ListScreen
    of={vouchers.list}
    title="Codes"
    kind={codeKind}
    columns={columns}
    where={{ voucher_batch_id: batch }}
    filters={{ used: { kind: 'checkbox', options: yesOrNo('Used', 'Unused') } }}
    empty={{ icon: 'vouchers', title: 'No codes' }}
  />
)
