// Popover: a small panel under its button, such as a filter's choices. The focus moves into it, and back when it closes.
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useFloating } from './floating.ts'
import styles from './menu.module.css'

export interface PopoverProps {
  button: (ref: RefObject<HTMLButtonElement | null>) => ReactNode
  open: boolean
  onClose: () => void
  label: string
  children: ReactNode
}

export function Popover({ button, open, onClose, label, children }: PopoverProps) {
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      {button(opener)}
      {open && (
        <Panel opener={opener} label={label} onClose={onClose}>
          {children}
        </Panel>
      )}
    </>
  )
}

interface PanelProps extends Pick<PopoverProps, 'label' | 'onClose' | 'children'> {
  opener: RefObject<HTMLButtonElement | null>
}

function Panel({ opener, label, onClose, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const presses = useFloating({ button: opener, panel, side: 'start', onClose })
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('input:enabled, select:enabled, button:enabled')?.focus()
    const button = opener.current
    return () => {
      if (document.activeElement === document.body) button?.focus()
    }
  }, [opener])
  useEffect(() => {
    const element = panel.current
    if (!element) return
    const onFocusOut = (event: FocusEvent) => {
      const next = event.relatedTarget
      if (!(next instanceof Node) || element.contains(next) || next === opener.current) return
      // A press on text inside moves the focus to a focusable ancestor of the panel; that is not leaving.
      if (!next.contains(element)) onClose()
    }
    element.addEventListener('focusout', onFocusOut)
    return () => element.removeEventListener('focusout', onFocusOut)
  }, [opener, onClose])
  return (
    <div
      ref={panel}
      popover="manual"
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={styles.panel}
      {...presses}
    >
      {children}
    </div>
  )
}
