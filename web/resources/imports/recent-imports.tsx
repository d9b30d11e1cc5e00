// Recent imports: which files were imported lately, by whom, and which can still be undone: `?modal=recent-imports&property_id=7`.
import { countedThere } from '#web/kit/display/numbers.ts'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import * as imports from '#contract/imports.ts'
import { constants } from '#contract/constants.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState, Skeleton } from '#web/ui/state.tsx'
import type { ImportProps } from './import-accounts.tsx'
import { NotUndone } from './not-undone.tsx'
import { ProblemsButton } from './problems-button.tsx'
import { kindOf, undoImport, type ImportRow } from './undo-import.ts'
import styles from './imports.module.css'

const shown_max = 20

export function RecentImports({ property_id, close }: ImportProps) {
  const mayRead = useMayCall(imports.list)
  const [failure, setFailure] = useState<unknown>()
  const { data, error, refetch } = useQuery({
    queryKey: keys.list(imports.list.path, 'recent', property_id),
    queryFn: ({ signal }) =>
      call(imports.list, { per_page: shown_max, params: property_id ? { property_id } : {} }, { signal }),
    enabled: mayRead,
    staleTime: 0,
  })
  return (
    <Dialog
      open
      title="Recent imports"
      width={constants.widths.import_px}
      wholeOnPhones
      onClose={close}
      footer={
        <Button first onClick={close}>
          Close
        </Button>
      }
    >
      <div className={styles.body}>
        <NotUndone error={failure} />
        {!mayRead ? (
          <NotPermitted icon="upload" />
        ) : data ? (
          <Files rows={data.data} onFailure={setFailure} />
        ) : error ? (
          <LoadFailed error={error} again={() => void refetch()} />
        ) : (
          <div role="status" aria-busy="true" aria-label="Loading">
            <Skeleton height={56} />
          </div>
        )}
      </div>
    </Dialog>
  )
}

function Files({ rows, onFailure }: { rows: ImportRow[]; onFailure: (error: unknown) => void }) {
  if (rows.length === 0)
    return (
      <EmptyState icon="upload" title="No imports yet">
        Imported files are listed here with who imported them. An import can be undone for 24 hours.
      </EmptyState>
    )
  return (
    <ul className={styles.files}>
      {rows.map((row) => (
        <File key={row.id} row={row} onFailure={onFailure} />
      ))}
    </ul>
  )
}

function File({ row, onFailure }: { row: ImportRow; onFailure: (error: unknown) => void }) {
  const kind = kindOf(row.kind)
  const mayUndo = useMayCall(imports.undo)
  const [busy, setBusy] = useState(false)
  const undoable = kind && mayUndo && isUndoable(row)
  const undo = async () => {
    if (!kind) return
    onFailure(undefined)
    setBusy(true)
    await undoImport(kind, row).catch(onFailure)
    setBusy(false)
  }
  const file = row.file_name ?? row.kind
  return (
    <li className={styles.file}>
      <div className={styles.what}>
        <strong>{file}</strong>
        <p>{countsOf(row)}</p>
        <p>
          <time dateTime={row.created_at} title={timeOf(row.created_at)}>
            {ageOf(row.created_at)}
          </time>
          {row.actor_name && ` · ${row.actor_name}`}
          {row.property && ` · ${row.property.name}`}
        </p>
      </div>
      {row.outcome === 'failed' && <Badge tone="wrong">Failed</Badge>}
      {row.undone_at !== null && <Badge tone="plain">Undone</Badge>}
      {row.problem_count > 0 && <ProblemsButton of={{ id: row.id }} title={`Download the problems of ${file}`} />}
      {undoable && (
        <Button busy={busy} onClick={() => void undo()} title={`Undo the import of ${file}`}>
          Undo
        </Button>
      )}
    </li>
  )
}

function countsOf({ kind, outcome, created, overwritten, moved_out }: ImportRow): string {
  const many = kind.charAt(0).toUpperCase() + kind.slice(1)
  if (outcome !== 'done') return `${many}: nothing was imported`
  const counts = countedThere([
    [created, 'new', 'new'],
    [overwritten, 'overwritten', 'overwritten'],
    [moved_out, 'guest moved out', 'guests moved out'],
  ])
  return counts === '' ? many : `${many}: ${counts}`
}

/** The server refuses an undo that is too late as well. */
const isUndoable = ({ outcome, undone_at, undo_until }: ImportRow) =>
  outcome === 'done' && undone_at === null && undo_until !== null && Date.parse(undo_until) > Date.now()
