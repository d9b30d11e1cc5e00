// Just made: what stands there once something has been made that people take along: codes, a sign-in, later a key or a
// report. Always the same order: that it is there, the value itself, copy, print and send, then another one and what is next.
//
//   <JustMade title="12 vouchers are ready" note="Batch B-2026-000123" actions={<><CopyButton … /><SendByMail … /></>}
//     next={<><Button icon="add" onClick={…}>Another</Button><LinkButton href={…}>Open the batch</LinkButton></>}>
//     <Values rows={[{ label: 'User name', value: 'ana' }]} />
//   </JustMade>
import { type ReactNode } from 'react'
import { Icon } from '#web/ui/icons.tsx'
import styles from './just-made.module.css'

export interface JustMadeProps {
  /** That it is there: "12 vouchers are ready". */
  title: string
  /** What it is, in one line. */
  note?: ReactNode
  /** The value. */
  children: ReactNode
  /** Copy, print, send. */
  actions: ReactNode
  /** Another, and where one goes from here. */
  next: ReactNode
}

export const JustMade = ({ title, note, children, actions, next }: JustMadeProps) => (
  <div className={styles.made}>
    {/* Read out as it comes. */}
    <div className={styles.said} role="status">
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

/** A value or a few, each under what it is, large enough to be read across a desk. */
export const Values = ({ rows }: { rows: { label: string; value: string }[] }) => (
  <dl className={styles.values}>
    {rows.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd translate="no">{value}</dd>
      </div>
    ))}
  </dl>
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
