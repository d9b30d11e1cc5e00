// Verdict: a word large enough to be read across a desk, in green or red, with an icon and the reason next to it.
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'
import styles from './verdict.module.css'

export const Verdict = ({ good, word, children }: { good: boolean; word: string; children: ReactNode }) => (
  <div className={styles.verdict} data-good={good}>
    <strong className={styles.badge}>
      <Icon name={good ? 'success' : 'failure'} size={20} />
      {word}
    </strong>
    <p>{children}</p>
  </div>
)
