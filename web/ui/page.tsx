// Page: the heading of a screen with its actions, and the sections and panels of a screen.
import { useEffect, useRef, type ReactNode } from 'react'
import { say } from '#web/words/frame.ts'
import { Skeleton } from './state.tsx'
import styles from './page.module.css'

export interface PageHeaderProps {
  /** Undefined while the record loads. */
  title: ReactNode
  /** Next to the title: a badge. */
  mark?: ReactNode
  /** Above the title: a link to what this belongs to. */
  above?: ReactNode
  actions?: ReactNode
}

/** The heading gets the focus when a screen opens, so that screen readers announce the screen and Tab continues from there. */
export function PageHeader({ title, mark, above, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // In the next frame: focusing forces a layout of the page, which is about to happen then anyway.
    const frame = requestAnimationFrame(() => {
      const elsewhere = document.activeElement !== null && document.activeElement !== document.body
      if (!elsewhere) heading.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <header className={styles.header}>
      <div className={styles.titles}>
        {above && <div className={styles.above}>{above}</div>}
        <div className={styles.line}>
          <h1 ref={heading} tabIndex={-1}>
            {title ?? <Skeleton width={180} height={20} label={say('loading')} />}
          </h1>
          {mark}
        </div>
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}

/** A titled group of fields or facts: the title is on the left if there is room, otherwise above. */
export const Section = ({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) => (
  <section className={styles.section}>
    <div className={styles.aside}>
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
    </div>
    <div className={styles.fields}>{children}</div>
  </section>
)

/** Fields side by side if there is room. */
export const Row = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>

/** A framed panel. */
export const Panel = ({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) => (
  <section className={styles.panel} aria-label={title}>
    {title && (
      <div className={styles.panelTitle}>
        <h2>{title}</h2>
        {actions}
      </div>
    )}
    {children}
  </section>
)
