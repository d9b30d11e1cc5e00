// Undelivered list: mails and text messages that could not be delivered: the recipient, the reason, and what helps.
import * as undelivered from '#contract/undelivered.ts'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { recent_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, ScreenFilters } from '#web/kit/list/list-types.ts'
import { useMayCall } from '#web/session/may.ts'
import { dismissSeveral, remedyOf, undeliveredKind, type Undelivered } from './kind.ts'

const column = fieldColumns(undelivered)

const kindOf = ({ kind }: Undelivered) => undelivered.messageWords(kind).title
const channelNames = { mail: 'Mail', text: 'Text message' } as const

const columns: Column<typeof undelivered.list>[] = [
  { title: 'To', cell: (row) => row.recipient, width: 180, grow: 2, priority: 1 },
  column('kind', { cell: kindOf, below: kindOf, width: 140, priority: 2 }),
  column('message', { below: (row) => row.message, width: 180, grow: 3, priority: 3 }),
  { title: 'What helps', cell: (row) => remedyOf(row).text, width: 180, grow: 3, priority: 4 },
  column('created_at', {
    cell: (row) => recentTimeOf(row.created_at),
    below: (row) => recentTimeOf(row.created_at),
    width: recent_px,
    priority: 5,
  }),
  column('attempts', { width: 72, align: 'end', priority: 6 }),
  column('channel', { cell: (row) => channelNames[row.channel], width: 120, priority: 7 }),
  column('recipient_name', { width: 140, priority: 8, extra: true }),
]

const filters: ScreenFilters<typeof undelivered.list> = {
  kind: {
    kind: 'checkbox',
    options: Object.entries(undelivered.messageKinds).map(([value, { title }]) => ({ value, label: title })),
  },
  why: {
    title: 'Why',
    kind: 'checkbox',
    options: [
      { value: 'nobody', label: 'Nobody has the address' },
      { value: 'refused', label: 'Refused' },
      { value: 'unreachable', label: 'Not handed over' },
      { value: 'late', label: 'Run out' },
    ],
  },
  channel: { kind: 'checkbox', options: Object.entries(channelNames).map(([value, label]) => ({ value, label })) },
}

export function UndeliveredList() {
  const mayDismiss = useMayCall(undelivered.dismiss)
  return (
    <ListScreen
      of={undelivered.list}
      title="Not delivered"
      kind={undeliveredKind}
      columns={columns}
      filters={filters}
      bulk={mayDismiss ? [dismissSeveral] : []}
      empty={{
        icon: 'mail',
        title: 'Everything was delivered',
        children:
          'Mails and text messages that could not be delivered are listed here for 30 days, with the reason and what helps.',
      }}
    />
  )
}
