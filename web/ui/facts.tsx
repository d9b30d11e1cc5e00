// Facts: labelled values of a record; also a single one, in place of a field that cannot be changed here.
import type { ReactNode } from 'react'
import { say } from '#web/words/frame.ts'
import styles from './facts.module.css'

/** `empty` replaces an empty value; by default "Not set". */
export type Fact = readonly [label: string, value: ReactNode, empty?: string]

export const isEmpty = (value: ReactNode) => value === '' || value === null || value === undefined || value === false

const Value = ({ children, empty = say('not-set') }: { children: ReactNode; empty?: string | undefined }) => (
  <dd>{isEmpty(children) ? <span className={styles.empty}>{empty}</span> : children}</dd>
)

export interface FactsProps {
  facts: readonly Fact[]
  /** Side by side with the labels above: for short values, where more content follows below. */
  inColumns?: boolean
}

export const Facts = ({ facts, inColumns = false }: FactsProps) => (
  <dl className={inColumns ? styles.columns : styles.facts}>
    {facts.map(([label, value, empty]) => (
      <div key={label}>
        <dt>{label}</dt>
        <Value empty={empty}>{value}</Value>
      </div>
    ))}
  </dl>
)

export interface FieldFactProps {
  label: string
  /** For screen readers only: a heading next to it says the same. */
  unseenLabel?: boolean
  empty?: string
  /** Why it cannot be changed here. */
  reason?: string | undefined
  children: ReactNode
}

/** In a form: laid out like its fields, with the label above. */
export const FieldFact = ({ label, unseenLabel = false, empty, reason, children }: FieldFactProps) => (
  <dl className={styles.field}>
    <dt className={unseenLabel ? 'unseen' : undefined}>{label}</dt>
    <Value empty={empty}>{children}</Value>
    {reason && <dd className={styles.reason}>{reason}</dd>}
  </dl>
)
