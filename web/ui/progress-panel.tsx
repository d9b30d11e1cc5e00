// Progress panel: the progress display of a dialog while something takes longer than a moment.
import type { ReactNode } from 'react'
import styles from './progress-panel.module.css'

export const ProgressPanel = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.whole} role="status">
    <span className={styles.spinner} aria-hidden />
    <h3>{title}</h3>
    <p>{children}</p>
  </div>
)
