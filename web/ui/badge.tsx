// Badge: a word in a tint. The tint says good, waiting, off or wrong; the word says which.
import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Tone = 'good' | 'waiting' | 'off' | 'wrong' | 'plain'

/** A word that is not worth a tint. */
export const Quiet = ({ children }: { children: ReactNode }) => <span className={styles.quiet}>{children}</span>

/** One that is no more than the rest of its row. */
export const Word = ({ children }: { children: ReactNode }) => <span className={styles.word}>{children}</span>

/** A word with a green dot before it and no tint, for a state that many rows have. */
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
