// Menu: actions in a panel under a button. Arrow keys, Home, End and first letters move; Escape closes.
import {
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type HTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { useFloating, type Side } from './floating.ts'
import { Icon, type IconName } from './icons.tsx'
import styles from './menu.module.css'

export interface MenuItem {
  label: string
  icon?: IconName
  danger?: boolean
  /** With a line above it: what follows is of another kind. */
  apart?: boolean
  /** Makes the entry a link, which can be opened in another tab; `onPick` handles a plain press. */
  href?: string
  onPick: () => unknown
}

export interface MenuProps {
  /** The button's content. Without it, its class draws something. */
  button?: ReactNode
  label: string
  className?: string | undefined
  /** A function is called when the menu opens. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
  /** Above the items: whose menu it is. */
  heading?: ReactNode
  /** Opens when the pointer enters and closes when it leaves; click and keyboard still work. */
  onHover?: boolean
  side?: Side
  /** A picked action is in progress. */
  busy?: boolean
  /** In a row that is itself the Tab stop: its keys open the menu, and the focus goes back to it. */
  inRow?: boolean
}

/** Long enough to cross the gap between button and menu. */
const leave_ms = 140

/** A press next to an entry must not open the row that the menu belongs to. */
const keepFromRow = (event: MouseEvent) => event.stopPropagation()

const opensElsewhere = (event: MouseEvent) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey

export function Menu({
  button,
  label,
  className,
  items,
  heading,
  onHover = false,
  side = 'end',
  busy = false,
  inRow = false,
}: MenuProps) {
  /** `at`: the entry that gets the focus when opened by keyboard. */
  const [open, setOpen] = useState<{ at?: number }>()
  const opener = useRef<HTMLButtonElement>(null)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  const close = useCallback(() => setOpen(undefined), [])
  const goBack = () => {
    close()
    const row = inRow ? opener.current?.closest<HTMLElement>('[tabindex="0"]') : undefined
    ;(row ?? opener.current)?.focus()
  }
  const hover = (event: PointerEvent, enters: boolean) => {
    if (event.pointerType !== 'mouse') return
    clearTimeout(leaving.current)
    if (enters) setOpen((before) => before ?? {})
    else leaving.current = setTimeout(close, leave_ms)
  }
  const hovered = onHover && {
    onPointerEnter: (event: PointerEvent) => hover(event, true),
    onPointerLeave: (event: PointerEvent) => hover(event, false),
  }
  return (
    <>
      <button
        {...hovered}
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-busy={busy}
        aria-haspopup="menu"
        aria-expanded={open !== undefined}
        tabIndex={inRow ? -1 : undefined}
        aria-controls={open ? id : undefined}
        onClick={(event) => {
          keepFromRow(event)
          setOpen(event.detail === 0 ? { at: 0 } : onHover || !open ? {} : undefined)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpen({ at: event.key === 'ArrowDown' ? 0 : -1 })
        }}
      >
        {button}
      </button>
      {open && (
        <Entries
          id={id}
          label={label}
          items={typeof items === 'function' ? items() : items}
          heading={heading}
          opener={opener}
          side={side}
          at={open.at}
          onClose={close}
          onBack={goBack}
          hovered={hovered}
        />
      )}
    </>
  )
}

interface EntriesProps extends Pick<MenuProps, 'label' | 'heading'> {
  id: string
  items: readonly MenuItem[]
  opener: RefObject<HTMLButtonElement | null>
  side: Side
  at: number | undefined
  onClose: () => void
  /** Closes, and restores the focus. */
  onBack: () => void
  hovered: Pick<HTMLAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave'> | false
}

function Entries({ id, label, items, heading, opener, side, at, onClose, onBack, hovered }: EntriesProps) {
  const panel = useRef<HTMLDivElement>(null)
  const presses = useFloating({ button: opener, panel, side, onClose })
  const entries = () => [...(panel.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
  // A layout effect, so that the focus is there before the next key.
  useLayoutEffect(() => {
    if (at !== undefined) entries().at(at)?.focus()
  }, [at])
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries()
    const focused = all.indexOf(document.activeElement as HTMLElement)
    const step = { ArrowDown: focused + 1, ArrowUp: focused - 1, Home: 0, End: -1 }[event.key]
    const letter = all.find(
      (entry, index) =>
        event.key.length === 1 &&
        index !== focused &&
        entry.textContent?.toLowerCase().startsWith(event.key.toLowerCase()),
    )
    if (step !== undefined) all.at(step >= all.length ? 0 : step)?.focus()
    else if (letter) letter.focus()
    else if (event.key === 'Tab' || event.key === 'Escape') {
      event.stopPropagation()
      onBack()
      if (event.key === 'Tab') return
    } else return
    event.preventDefault()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      ref={panel}
      id={id}
      popover="manual"
      className={styles.dropdown}
      onClick={keepFromRow}
      {...presses}
      {...hovered}
    >
      {heading && <div className={styles.heading}>{heading}</div>}
      <div role="menu" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
        {items.map((item) => (
          <Entry
            key={item.label}
            item={item}
            onPick={() => {
              onBack()
              item.onPick()
            }}
          />
        ))}
      </div>
    </div>
  )
}

function Entry({ item, onPick }: { item: MenuItem; onPick: () => void }) {
  const content = (
    <>
      {item.icon && <Icon name={item.icon} size={16} />}
      {item.label}
    </>
  )
  const shared = {
    role: 'menuitem',
    tabIndex: -1,
    className: styles.item,
    'data-danger': item.danger,
    'data-apart': item.apart,
  }
  if (item.href === undefined)
    return (
      <button {...shared} type="button" onClick={onPick}>
        {content}
      </button>
    )
  return (
    <a
      {...shared}
      href={item.href}
      onClick={(event) => {
        if (opensElsewhere(event)) return
        event.preventDefault()
        onPick()
      }}
    >
      {content}
    </a>
  )
}
