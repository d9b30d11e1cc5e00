// Buttons: one primary action a screen, plain ones beside it, quiet ones in rows and bars, red ones for what cannot be undone.
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import { ActionIcon, Button as LibraryButton } from '@mantine/core'
import type { MouseEventHandler, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icons.tsx'
import styles from './button.module.css'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

export interface ButtonProps {
  children: ReactNode
  kind?: ButtonKind
  icon?: IconName
  /** A spinner in place of the words; the button keeps its width and does not answer. */
  busy?: boolean
  disabled?: boolean
  submit?: boolean
  wide?: boolean
  onClick?: MouseEventHandler
  /** Draws another element in the button's clothes, such as a link. */
  renderRoot?: (props: Record<string, unknown>) => ReactNode
  ref?: Ref<HTMLButtonElement>
}

export const Button = ({ children, kind = 'plain', icon, busy, disabled, submit, wide, onClick, renderRoot, ref, ...rest }: ButtonProps) => (
  <LibraryButton
    {...rest}
    ref={ref}
    variant={kind === 'plain' ? 'default' : kind === 'quiet' ? 'subtle' : 'filled'}
    className={`${styles.button} ${styles[kind]}`}
    leftSection={icon && <Icon name={icon} size={16} />}
    loading={busy}
    disabled={disabled}
    type={submit ? 'submit' : 'button'}
    fullWidth={wide}
    onClick={onClick}
    {...(renderRoot ? { renderRoot } : {})}
  >
    {children}
  </LibraryButton>
)

export interface IconButtonProps {
  icon: IconName
  /** Read out, and shown as the browser's own hint. */
  label: string
  onClick?: MouseEventHandler
  ref?: Ref<HTMLButtonElement>
  expanded?: boolean
}

export const IconButton = ({ icon, label, onClick, ref, expanded, ...rest }: IconButtonProps) => (
  <ActionIcon
    {...rest}
    ref={ref}
    variant="subtle"
    size={34}
    className={styles.icon}
    aria-label={label}
    title={label}
    aria-expanded={expanded}
    onClick={onClick}
  >
    <Icon name={icon} />
  </ActionIcon>
)
