// Stay differences list: where the property's own system says one thing of a stay and the desk another, and whose word holds.
import { useState } from 'react'
import * as differences from '#contract/stay-differences.ts'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { recent_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, ScreenFilters } from '#web/kit/list/list-types.ts'
import { useMayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import {
  accept,
  acceptSeveral,
  askOnceMore,
  differenceKind,
  fieldNames,
  keep,
  keepSeveral,
  nameOf,
  saidOf,
  shortlySaidOf,
  type Difference,
} from './kind.ts'
import styles from './stay-differences.module.css'

const column = fieldColumns({ list: differences.differenceList, fields: differences.fields })
type DifferenceColumn = Column<typeof differences.differenceList>

const whatOf = ({ field }: Difference) => fieldNames[field]
/** What both say has room before the answers, which the menu has, too: nobody answers what is cut. */
const columnsOf = (many: boolean, mayAnswer: boolean): DifferenceColumn[] => [
  { title: 'Guest', cell: nameOf, width: 110, usual: 200, grow: 2, priority: 1 },
  { title: 'Room', cell: ({ room }) => room?.name, below: ({ room }) => room?.name, width: 60, priority: 5 },
  column('field', { cell: whatOf, below: whatOf, width: 104, priority: 4 }),
  column('system', {
    cell: (row) => saidOf(row, 'system'),
    below: (row) => shortlySaidOf(row, 'system'),
    width: 120,
    usual: 150,
    grow: 1,
    priority: 2,
  }),
  column('ours', {
    cell: (row) => saidOf(row, 'ours'),
    below: (row) => `We say ${shortlySaidOf(row, 'ours')}`,
    width: 120,
    usual: 150,
    grow: 1,
    priority: 2,
  }),
  column('at', { cell: (row) => recentTimeOf(row.at), width: recent_px, priority: 7 }),
  column('told_by', { width: 128, priority: 8 }),
  ...(many
    ? [{ title: 'Property', cell: ({ property }: Difference) => property.name, width: 140, grow: 1, priority: 6 }]
    : []),
  ...(mayAnswer
    ? [{ title: 'Answer', cell: (row: Difference) => <Answers row={row} />, width: 176, priority: 3 }]
    : []),
]

/** One click for one: the row says what is written. */
function Answers({ row }: { row: Difference }) {
  const [busy, setBusy] = useState<'accept' | 'keep' | 'again'>()
  const answer = (which: 'accept' | 'keep' | 'again', work: (rows: Difference[]) => Promise<boolean>) => async () => {
    if (busy) return
    setBusy(which)
    await work([row])
    setBusy(undefined)
  }
  return (
    <span className={styles.answers}>
      {row.kept ? (
        <Button kind="quiet" busy={busy === 'again'} onClick={() => void answer('again', askOnceMore)()}>
          Ask again
        </Button>
      ) : (
        <>
          <Button busy={busy === 'accept'} disabled={busy === 'keep'} onClick={() => void answer('accept', accept)()}>
            Accept
          </Button>
          <Button
            kind="quiet"
            busy={busy === 'keep'}
            disabled={busy === 'accept'}
            onClick={() => void answer('keep', keep)()}
          >
            Keep ours
          </Button>
        </>
      )}
    </span>
  )
}

const filtersOf = (many: boolean): ScreenFilters<typeof differences.differenceList> => ({
  field: {
    title: 'What',
    kind: 'checkbox',
    options: Object.entries(fieldNames).map(([value, label]) => ({ value, label })),
  },
  kept: {
    title: 'Settled',
    kind: 'select',
    options: [
      { value: 'false', label: 'Waits' },
      { value: 'true', label: 'Ours is kept' },
    ],
  },
  ...(many && { property_id: { title: 'Property', kind: 'checkbox', to: 'properties' } }),
})

export function StayDifferencesList() {
  const many = useOwnProperty() === undefined
  const mayAnswer = useMayCall(differences.acceptDifferences)
  return (
    <ListScreen
      of={differences.differenceList}
      title="Differences with the system"
      kind={differenceKind}
      columns={columnsOf(many, mayAnswer)}
      filters={filtersOf(many)}
      bulk={mayAnswer ? [acceptSeveral, keepSeveral] : []}
      empty={{
        icon: 'check',
        title: 'No differences',
        children:
          'Where a property’s own system says one thing about a stay and somebody has entered another, both are listed ' +
          'here until somebody decides.',
      }}
    />
  )
}
