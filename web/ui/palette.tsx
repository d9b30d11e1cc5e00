// Palette: a search input with its results below, on top of everything; arrows choose, Enter picks, Escape closes. Until it is known
// which result comes first, none is highlighted, and Enter waits.
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Icon, type IconName } from './icons.tsx'
import { Skeleton } from './state.tsx'
import styles from './palette.module.css'

export interface PaletteItem {
  key: string
  label: string
  /** Next to the label, muted: its kind, or what it belongs to. */
  hint?: string | undefined
  icon: IconName
  onPick: () => void
}
export interface PaletteGroup {
  title: string
  items: PaletteItem[]
}

export interface Entered {
  get: () => string | undefined
  set: (typed: string | undefined) => void
}

export interface PaletteProps {
  label: string
  placeholder: string
  typed: string
  onType: (text: string) => void
  groups: PaletteGroup[]
  /** More results are loading. */
  busy: boolean
  /** The first result is among those still loading. */
  late: boolean
  /** Shown when nothing was found. */
  empty: string
  /** The text for which Enter was pressed while `late`. It is kept outside, as it must survive a remount when code has loaded. */
  entered: Entered
  onClose: () => void
}

export function Palette({
  label,
  placeholder,
  typed,
  onType,
  groups,
  busy,
  late,
  empty,
  entered,
  onClose,
}: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const items = groups.flatMap((group) => group.items)
  // By key: when more results arrive, the chosen one is at another index.
  const [chosen, setChosen] = useState<string>()
  const line = useRef<HTMLInputElement>(null)
  const index = items.findIndex(({ key }) => key === chosen)
  const at = index >= 0 || late ? index : 0
  const first = items[at]
  useEffect(() => {
    const pending = entered.get()
    if (late || pending === undefined) return
    entered.set(undefined)
    if (pending === typed) first?.onPick()
  }, [late, entered, typed, first])
  // A layout effect, so that a palette that replaces another has the focus before anything else is typed.
  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    line.current?.setSelectionRange(line.current.value.length, line.current.value.length)
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // After typing, the first result is the likeliest one again.
  useEffect(() => {
    setChosen(undefined)
    if (entered.get() !== typed) entered.set(undefined)
  }, [typed, entered])
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, id])

  const onKeyDown = (event: KeyboardEvent) => {
    const last = items.length - 1
    const next = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1 }[event.key]
    if (next !== undefined) setChosen(items[next]?.key)
    else if (event.key === 'Enter' && first) first.onPick()
    else if (event.key === 'Enter' && late) entered.set(typed)
    else return
    event.preventDefault()
  }

  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={label}
      onClose={onClose}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className={styles.panel}>
        <label className={styles.line}>
          <Icon name="search" size={18} />
          <input
            ref={line}
            type="text"
            role="combobox"
            aria-label={label}
            aria-expanded
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={first ? `${id}-${at}` : undefined}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            // The dialog focuses the element with this attribute.
            autoFocus
            value={typed}
            onChange={(event) => onType(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </label>
        <Results
          id={id}
          label={label}
          groups={groups}
          at={at}
          busy={busy}
          onPoint={({ key }) => setChosen(key)}
          onKeyDown={onKeyDown}
        />
        <p className={styles.state} role="status">
          {items.length === 0 && !busy ? empty : ''}
        </p>
      </div>
    </dialog>
  )
}

interface ResultsProps extends Pick<PaletteProps, 'label' | 'groups' | 'busy'> {
  /** Of the list; that of each result ends with its place among all. */
  id: string
  /** The place of the highlighted one. */
  at: number
  onPoint: (item: PaletteItem) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function Results({ id, label, groups, at, busy, onPoint, onKeyDown }: ResultsProps) {
  const items = groups.flatMap((group) => group.items)
  return (
    <div id={id} role="listbox" aria-label={label} className={styles.list}>
      {groups
        .filter((group) => group.items.length > 0)
        .map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <p className={styles.title} aria-hidden>
              {group.title}
            </p>
            {group.items.map((item) => {
              const index = items.indexOf(item)
              return (
                <div
                  key={item.key}
                  id={`${id}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  className={styles.item}
                  onPointerMove={() => onPoint(item)}
                  onClick={item.onPick}
                  onKeyDown={onKeyDown}
                >
                  <Icon name={item.icon} size={16} />
                  <span className={styles.label}>{item.label}</span>
                  {item.hint && <span className={styles.hint}>{item.hint}</span>}
                </div>
              )
            })}
          </div>
        ))}
      {busy && (
        <div className={styles.busy} aria-hidden>
          <Skeleton width="55%" />
          <Skeleton width="40%" />
        </div>
      )}
    </div>
  )
}
