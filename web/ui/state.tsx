// States: what is shown in place of content: skeletons while it loads, a panel if there is none or it failed, a notice.
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import styles from './state.module.css'

interface SkeletonProps {
  width?: number | string
  height?: number
  /** For screen readers; without one, they skip it. */
  label?: string
}

export const Skeleton = ({ width = '100%', height = 12, label }: SkeletonProps) => (
  <span
    className={styles.skeleton}
    style={{ width, height }}
    {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
  />
)

export interface EmptyStateProps {
  icon?: IconName
  title: string
  /** What to do next. */
  children?: ReactNode
  action?: ReactNode
  /** `h1` if it is the whole screen. */
  heading?: 'h1' | 'h2'
}

export const EmptyState = ({ icon = 'info', title, children, action, heading: Heading = 'h2' }: EmptyStateProps) => (
  <div className={styles.empty}>
    <span className={styles.emblem}>
      <Icon name={icon} size={22} />
    </span>
    <Heading>{title}</Heading>
    {children && <p>{children}</p>}
    {action && <div className={styles.actions}>{action}</div>}
  </div>
)

/** A message that stays: the session ended, the form was refused. */
export const Notice = ({ tone = 'info', children }: { tone?: 'info' | 'error' | 'success'; children: ReactNode }) => (
  <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'error' ? 'alert' : 'status'}>
    <Icon name={tone === 'error' ? 'failure' : tone === 'success' ? 'success' : 'info'} size={16} />
    <div>{children}</div>
  </div>
)
