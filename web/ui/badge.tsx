// Badge: a word on a tint. The tint shows the sort of state (good, waiting, off, wrong), the word the state itself.
import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Tone = 'good' | 'waiting' | 'off' | 'wrong' | 'plain'

/** A muted word, for a state that needs no attention. */
export const Quiet = ({ children }: { children: ReactNode }) => <span className={styles.quiet}>{children}</span>

/** A word in the same weight as the rest of its row. */
export const Word = ({ children }: { children: ReactNode }) => <span className={styles.word}>{children}</span>

/** A word with a green dot and no tint, for a state that many rows have. */
export const Lit = ({ children }: { children: ReactNode }) => <span className={styles.lit}>{children}</span>

export const Badge = ({
  tone = 'plain',
  dot = false,
  children,
}: {
  tone?: Tone
  dot?: boolean
  children: ReactNode
}) => <span className={`${styles.badge} ${styles[tone]}${dot ? ` ${styles.dotted}` : ''}`}>{children}</span>
