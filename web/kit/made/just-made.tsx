// Just made: shows the result after creating something to hand over: codes, a sign-in, a key. Always in the same order: the
// confirmation, the value itself, copy, print and send, then another one and what is next.
//
//   <JustMade title="12 vouchers are ready" note="Batch B-2026-000123" actions={<><CopyButton … /><SendByMail … /></>}
//     next={<><Button icon="add" onClick={…}>Another</Button><LinkButton href={…}>Open the batch</LinkButton></>}>
//     <Values rows={[{ label: 'User name', value: 'ana' }]} />
//   </JustMade>
import { useEffect, useRef, type ReactNode } from 'react'
import { Icon } from '#web/ui/icons.tsx'
import styles from './just-made.module.css'

export interface JustMadeProps {
  /** The confirmation: "12 vouchers are ready". */
  title: string
  /** What it is, in one line. */
  note?: ReactNode
  /** The value. */
  children: ReactNode
  /** Copy, print, send. */
  actions: ReactNode
  /** Creating another, and links to go on with. */
  next: ReactNode
}

export function JustMade({ title, note, children, actions, next }: JustMadeProps) {
  const said = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone: from here the next Tab is at what can be done with what was made.
  useEffect(() => {
    if (document.activeElement === document.body) said.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={styles.made}>
      {/* Announced by screen readers when it appears. */}
      <div ref={said} className={styles.said} role="status" tabIndex={-1}>
        <span className={styles.tick}>
          <Icon name="check" size={22} />
        </span>
        <div>
          <h2>{title}</h2>
          {note && <p>{note}</p>}
        </div>
      </div>
      {children}
      <div className={styles.actions}>{actions}</div>
      <div className={styles.next}>{next}</div>
    </div>
  )
}

/** One or a few values, each below its label, large enough to be read across a desk, and read out. */
export const Values = ({ rows }: { rows: { label: string; value: string }[] }) => (
  <div role="status">
    <dl className={styles.values}>
      {rows.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd translate="no">{value}</dd>
        </div>
      ))}
    </dl>
  </div>
)

/** Many values of one kind, side by side. */
export const ValueList = ({ label, values }: { label: string; values: string[] }) => (
  <ul className={styles.list} aria-label={label}>
    {values.map((value) => (
      <li key={value} translate="no">
        {value}
      </li>
    ))}
  </ul>
)
