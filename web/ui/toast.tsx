// Toasts: short notices at the bottom of the window. They stay while the pointer or the focus is on them.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { say } from '#web/words/frame.ts'
import { Icon } from './icons.tsx'
import styles from './toast.module.css'

export interface Toast {
  kind: 'success' | 'error'
  message: string
  /** One thing to do about it, such as Undo. */
  action?: { label: string; onPick: () => void }
  shown_ms: number
}

let toasts: (Toast & { key: number })[] = []
let last = 0
const listeners = new Set<() => void>()
const change = (next: typeof toasts) => {
  toasts = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const dismiss = (key: number) => change(toasts.filter((toast) => toast.key !== key))

/** At most three are shown at a time; repeating a message only shows it for longer. */
export function toast(notice: Toast) {
  const others = toasts.filter((other) => other.message !== notice.message)
  change([...others.slice(-2), { ...notice, key: ++last }])
}

export const dismissToast = (message: string) => {
  if (toasts.some((toast) => toast.message === message)) change(toasts.filter((toast) => toast.message !== message))
}

function Notice({ notice }: { notice: Toast & { key: number } }) {
  const [paused, setPaused] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (paused) return
    timer.current = setTimeout(() => dismiss(notice.key), notice.shown_ms)
    return () => clearTimeout(timer.current)
  }, [paused, notice.key, notice.shown_ms])
  return (
    <div
      className={styles.toast}
      data-kind={notice.kind}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <Icon name={notice.kind === 'success' ? 'success' : 'failure'} />
      <p>{notice.message}</p>
      {notice.action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            dismiss(notice.key)
            notice.action?.onPick()
          }}
        >
          {notice.action.label}
        </button>
      )}
      <button type="button" className={styles.close} aria-label={say('dismiss')} onClick={() => dismiss(notice.key)}>
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section className={styles.region} aria-label={say('notifications')} role="status" aria-live="polite">
      {shown.map((notice) => (
        <Notice key={notice.key} notice={notice} />
      ))}
    </section>
  )
}
