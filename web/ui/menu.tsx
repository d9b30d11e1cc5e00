// Menu: actions that open under a button. Arrow keys, Home, End and first letters move; Escape closes.
import { useCallback, useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { useFloating, type Side } from './floating.ts'
import { Icon, type IconName } from './icons.tsx'
import styles from './menu.module.css'

export interface MenuItem {
  label: string
  icon?: IconName
  danger?: boolean
  /** Where it leads: drawn as a link, so that it opens in a new tab and can be copied as any link. */
  href?: string
  /** What a press does; with `href`, the plain press: moving there inside the app. */
  onPick: () => void
}

export interface MenuProps {
  /** What the button shows, and what it is called. */
  button: ReactNode
  label: string
  className?: string | undefined
  items: MenuItem[]
  /** Above the items: whose menu it is. */
  heading?: ReactNode
  /** Opens when the pointer comes and closes when it leaves; still opens by click and keyboard. */
  onHover?: boolean
  side?: Side
}

/** Long enough to cross the gap between button and menu. */
const leave_ms = 140

export function Menu({ button, label, className, items, heading, onHover = false, side = 'end' }: MenuProps) {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  const close = useCallback(() => setOpen(false), [])
  const presses = useFloating({ open, button: opener, panel, side, onClose: close })

  const entries = () => [...(panel.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
  const openAt = (index: number) => {
    setOpen(true)
    setTimeout(() => entries().at(index)?.focus())
  }
  const hover = (event: PointerEvent, comes: boolean) => {
    if (!onHover || event.pointerType !== 'mouse') return
    clearTimeout(leaving.current)
    if (comes) setOpen(true)
    else leaving.current = setTimeout(close, leave_ms)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const step = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    const letter = all.find(
      (entry, index) =>
        event.key.length === 1 && index !== at && entry.textContent?.toLowerCase().startsWith(event.key.toLowerCase()),
    )
    if (step !== undefined) all.at(step >= all.length ? 0 : step)?.focus()
    else if (letter) letter.focus()
    else if (event.key === 'Tab') return close()
    else return
    event.preventDefault()
  }
  return (
    <span
      className={styles.root}
      onPointerEnter={(event) => hover(event, true)}
      onPointerLeave={(event) => hover(event, false)}
    >
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={(event) => (event.detail === 0 ? openAt(0) : setOpen(onHover || !open))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          openAt(event.key === 'ArrowDown' ? 0 : -1)
        }}
      >
        {button}
      </button>
      {open && (
        <div ref={panel} id={id} popover="manual" className={styles.dropdown} {...presses}>
          {heading && <div className={styles.heading}>{heading}</div>}
          <div role="menu" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
            {items.map((item) => (
              <Entry
                key={item.label}
                item={item}
                onPick={() => {
                  close()
                  opener.current?.focus()
                  item.onPick()
                }}
              />
            ))}
          </div>
        </div>
      )}
    </span>
  )
}

function Entry({ item: { label, icon, danger, href }, onPick }: { item: MenuItem; onPick: () => void }) {
  const look = { role: 'menuitem', tabIndex: -1, className: styles.item, 'data-danger': danger }
  const content = (
    <>
      {icon && <Icon name={icon} size={16} />}
      {label}
    </>
  )
  if (href === undefined)
    return (
      <button type="button" {...look} onClick={onPick}>
        {content}
      </button>
    )
  return (
    <a
      {...look}
      href={href}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        onPick()
      }}
    >
      {content}
    </a>
  )
}
