// Palette: one line to type in, and what it finds below; arrows choose, Enter takes, Escape leaves. Drawn over everything.
// Until it is known what stands first, nothing is lit, and Enter waits.
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Icon, type IconName } from './icons.tsx'
import { Skeleton } from './state.tsx'
import styles from './palette.module.css'

export interface PaletteItem {
  key: string
  label: string
  /** Beside the label, in a quieter tone: what kind it is, or where it belongs. */
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
  /** More is on its way. */
  busy: boolean
  /** Among it, what will stand first. */
  late: boolean
  /** What to say when nothing was found. */
  empty: string
  /** What Enter was pressed for while it was late. It outlives the drawing of what was fetched meanwhile. */
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
  // By its key: when the answer comes, what has been chosen stands elsewhere.
  const [chosen, setChosen] = useState<string>()
  const line = useRef<HTMLInputElement>(null)
  const index = items.findIndex(({ key }) => key === chosen)
  const at = index >= 0 || late ? index : 0
  const first = items[at]
  useEffect(() => {
    const waitsFor = entered.get()
    if (late || waitsFor === undefined) return
    entered.set(undefined)
    if (waitsFor === typed) first?.onPick()
  }, [late, entered, typed, first])
  // Before anything else is typed: one that takes the place of another has the focus from the first moment.
  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    line.current?.setSelectionRange(line.current.value.length, line.current.value.length)
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // What is typed is another question: its first answer is the likeliest.
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
            // The dialog gives the focus to what asks for it.
            autoFocus
            value={typed}
            onChange={(event) => onType(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </label>
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
                      onPointerMove={() => setChosen(item.key)}
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
        <p className={styles.state} role="status">
          {items.length === 0 && !busy ? empty : ''}
        </p>
      </div>
    </dialog>
  )
}
