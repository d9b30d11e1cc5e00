// Due work list: what is done later: what waits and until when, what was given up, and why.
import * as dueWork from '#contract/due-work.ts'
import { nextTryOf, recentTimeOf } from '#web/kit/display/dates.ts'
import { recent_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, ScreenFilters } from '#web/kit/list/list-types.ts'
import { useMayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { dueWorkKind, trySeveral, type DueWork } from './kind.tsx'

const column = fieldColumns(dueWork)

const stateNames = { waiting: 'Waits', trying: 'Being tried', failed: 'Given up', unknown: 'Not known' } as const
const tones = { waiting: 'plain', trying: 'good', failed: 'wrong', unknown: 'waiting' } as const

/** A kind's word as a heading: `Report file`. */
const kindOf = ({ kind }: DueWork) => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')
/** When it is tried next; nothing where it was given up. */
const nextOf = (row: DueWork) => (row.state === 'waiting' ? nextTryOf(row) : '')

const columns: Column<typeof dueWork.list>[] = [
  { title: 'What', cell: (row) => row.about ?? 'Its record no longer exists', width: 200, grow: 3, priority: 1 },
  column('kind', { cell: kindOf, below: kindOf, width: 120, priority: 3 }),
  column('state', {
    cell: ({ state }) => <Badge tone={tones[state]}>{stateNames[state]}</Badge>,
    below: ({ state }) => stateNames[state],
    width: 112,
    priority: 2,
  }),
  column('last_error', { below: (row) => row.last_error, width: 200, grow: 3, priority: 4 }),
  column('next_at', { cell: nextOf, width: recent_px, priority: 5 }),
  column('tries', { width: 72, align: 'end', priority: 6 }),
  column('created_at', { cell: (row) => recentTimeOf(row.created_at), width: recent_px, priority: 7 }),
]

const filters: ScreenFilters<typeof dueWork.list> = {
  state: {
    kind: 'checkbox',
    options: Object.entries(stateNames).map(([value, label]) => ({ value, label })),
  },
  kind: { kind: 'checkbox', options: dueWork.kinds },
}

export function DueWorkList() {
  const mayTry = useMayCall(dueWork.retry)
  return (
    <ListScreen
      of={dueWork.list}
      title="Due work"
      kind={dueWorkKind}
      columns={columns}
      filters={filters}
      bulk={mayTry ? [trySeveral] : []}
      empty={{
        icon: 'check',
        title: 'Nothing waits',
        children:
          'Mails, files, drafts and whatever else is done later are listed here, with anything that went wrong.',
      }}
    />
  )
}
