// Bulk bar: the actions for the selected rows. Shown to editors only; the server refuses others anyway. It floats over the bottom
// of the list, but comes before the table in the DOM, so that Shift+Tab leads from a row to it.
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { constants } from '#contract/constants.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import type { AnyRow, BulkAction, On } from './list-types.ts'
import styles from './bulk-bar.module.css'

export interface BulkBarProps {
  actions: readonly BulkAction[]
  rows: AnyRow[]
  on: On
  /** Selects all rows that match; undefined if all of them are selected or loaded. */
  onAll?: ((progress: (rows: number) => void, signal: AbortSignal) => Promise<void>) | undefined
  /** More rows match than one call takes. */
  cut: boolean
  onClear: () => void
}

export function BulkBar({ actions, rows, on, onAll, cut, onClear }: BulkBarProps) {
  const [busy, setBusy] = useState(false)
  const [gathered, setGathered] = useState<number>()
  const gathering = useRef<AbortController>(undefined)
  const { bar, onKeyDown } = useOneTabStop()
  if (rows.length === 0) return null
  const run = async (action: BulkAction) => {
    setBusy(true)
    try {
      if (await action.run(rows, on)) onClear()
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(false)
    }
  }
  const gather = async (all: NonNullable<typeof onAll>) => {
    const controller = new AbortController()
    gathering.current = controller
    setGathered(rows.length)
    try {
      await all(setGathered, controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) notify.failure(error)
    } finally {
      setGathered(undefined)
    }
  }
  const tooMany = ({ rows_max = constants.list.excluded_ids_max }: BulkAction) =>
    rows.length > rows_max ? `At most ${wholeOf(rows_max)} at once` : undefined
  return (
    <div
      ref={bar}
      className={styles.bar}
      role="toolbar"
      aria-label="Selected rows"
      tabIndex={-1}
      data-bulk-bar
      onKeyDown={onKeyDown}
    >
      {gathered === undefined ? (
        <p aria-live="polite">
          <strong>{wholeOf(rows.length)}</strong> selected
          {cut && <span className={styles.cut}>, the most at once</span>}
        </p>
      ) : (
        <p role="status">
          Selecting… <strong>{wholeOf(gathered)}</strong>
        </p>
      )}
      {actions.map((action) => (
        <Button
          key={action.label}
          kind={action.danger ? 'danger' : 'plain'}
          disabled={busy || gathered !== undefined || tooMany(action) !== undefined}
          title={tooMany(action)}
          onClick={() => void run(action)}
        >
          {action.label}
        </Button>
      ))}
      {onAll && gathered === undefined && (
        <Button kind="quiet" disabled={busy} onClick={() => void gather(onAll)}>
          Select all that match
        </Button>
      )}
      <IconButton
        icon="close"
        label={gathered === undefined ? 'Clear selection' : 'Stop selecting'}
        onClick={() => (gathered === undefined ? onClear() : gathering.current?.abort())}
      />
    </div>
  )
}

/** A toolbar is one Tab stop; arrows move inside it. */
function useOneTabStop() {
  const bar = useRef<HTMLDivElement>(null)
  const at = useRef(0)
  const buttons = () => [...(bar.current?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])]
  useLayoutEffect(() => {
    const all = buttons()
    const stop = Math.min(at.current, all.length - 1)
    for (const [index, button] of all.entries()) button.tabIndex = index === stop ? 0 : -1
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons()
    const from = all.indexOf(event.target as HTMLButtonElement)
    const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined || from < 0) return
    event.preventDefault()
    const next = all.at(to % all.length)
    if (!next) return
    at.current = all.indexOf(next)
    for (const button of all) button.tabIndex = button === next ? 0 : -1
    next.focus()
  }
  return { bar, onKeyDown }
}
