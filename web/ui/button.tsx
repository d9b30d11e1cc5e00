// Buttons: one primary action a screen, plain ones beside it, quiet ones in rows and bars, red ones for what cannot be undone.
import type { MouseEventHandler, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icons.tsx'
import styles from './button.module.css'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

export interface ButtonProps {
  children: ReactNode
  kind?: ButtonKind
  icon?: IconName
  /** A spinner in place of the words; the button keeps its width and, unless it submits a form, the focus, and does not answer. */
  busy?: boolean
  disabled?: boolean
  /** The browser's own hint: why it is disabled. */
  title?: string | undefined
  submit?: boolean
  /** The icon alone; the words are read out, and the browser's hint. */
  square?: boolean
  wide?: boolean
  onClick?: MouseEventHandler
  ref?: Ref<HTMLButtonElement>
  /** Whether what it opens is open. */
  expanded?: boolean
  /** A dialog gives it the focus when it opens. */
  first?: boolean
  /** Draws another element in the button's clothes, such as a link. */
  as?: (props: { className: string; children: ReactNode }) => ReactNode
}

export function Button({
  children,
  kind = 'plain',
  icon,
  busy,
  disabled,
  title,
  submit,
  square,
  wide,
  onClick,
  ref,
  expanded,
  first,
  as,
}: ButtonProps) {
  const className = [styles.button, styles[kind], wide && styles.wide, square ? styles.square : icon && styles.withIcon]
    .filter(Boolean)
    .join(' ')
  const content = (
    <>
      {icon && <Icon name={icon} size={16} />}
      <span className={square ? 'unseen' : styles.words}>{children}</span>
      {busy && <span className={styles.spinner} aria-hidden />}
    </>
  )
  if (as) return as({ className, children: content })
  // What is disabled loses the focus, and the next key would go nowhere. A form must not be submitted twice by Enter in a field.
  const rests = busy && !submit
  return (
    <button
      ref={ref}
      type={submit ? 'submit' : 'button'}
      className={className}
      disabled={disabled || (busy && submit)}
      aria-disabled={rests || undefined}
      title={title ?? (square && typeof children === 'string' ? children : undefined)}
      data-busy={busy}
      aria-busy={busy}
      data-autofocus={first || undefined}
      aria-expanded={expanded}
      onClick={rests ? undefined : onClick}
    >
      {content}
    </button>
  )
}

export interface IconButtonProps {
  icon: IconName
  /** Read out, and shown as the browser's own hint. */
  label: string
  onClick?: MouseEventHandler
  expanded?: boolean
}

export const IconButton = ({ icon, label, onClick, expanded }: IconButtonProps) => (
  <button
    type="button"
    className={styles.icon}
    aria-label={label}
    title={label}
    aria-expanded={expanded}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
)
