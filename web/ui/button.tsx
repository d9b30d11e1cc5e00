// Buttons: one primary action per screen, plain ones next to it, quiet ones in rows and bars, red ones for what cannot be undone.
import type { MouseEventHandler, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icons.tsx'
import styles from './button.module.css'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

export interface ButtonProps {
  children: ReactNode
  kind?: ButtonKind
  icon?: IconName
  /** Shows a spinner instead of the words and ignores presses; keeps the width and, unless it submits a form, the focus. */
  busy?: boolean
  disabled?: boolean
  /** The browser's tooltip: why it is disabled. */
  title?: string | undefined
  submit?: boolean
  /** The icon only; the words are for screen readers and the browser's tooltip. */
  square?: boolean
  wide?: boolean
  onClick?: MouseEventHandler
  ref?: Ref<HTMLButtonElement>
  /** Whether what it opens is open. */
  expanded?: boolean
  /** For those who hear the button alone, begun with its words: `Check out Hart`. */
  label?: string
  /** Gets the focus when its dialog opens. */
  first?: boolean
  /** Renders another element with the button's look, such as a link. */
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
  label,
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
  // A disabled button would lose the focus, and the next key would go nowhere. A submit button is disabled all the same: Enter in a
  // field must not submit the form twice.
  const ignoresPresses = busy && !submit
  return (
    <button
      ref={ref}
      type={submit ? 'submit' : 'button'}
      className={className}
      disabled={disabled || (busy && submit)}
      aria-disabled={ignoresPresses || undefined}
      title={title ?? (square && typeof children === 'string' ? children : undefined)}
      aria-label={label}
      data-busy={busy}
      aria-busy={busy}
      data-autofocus={first || undefined}
      aria-expanded={expanded}
      onClick={ignoresPresses ? undefined : onClick}
    >
      {content}
    </button>
  )
}

export interface IconButtonProps {
  icon: IconName
  /** For screen readers, and the browser's tooltip. */
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
