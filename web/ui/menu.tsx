// Menu and popover: what opens under a button.
import '@mantine/core/styles/Menu.layer.css'
import { Menu as LibraryMenu, Popover as LibraryPopover } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import styles from './menu.module.css'

export interface MenuItem {
  label: string
  icon?: IconName
  danger?: boolean
  onPick: () => void
}

export interface MenuProps {
  /** The button. It must pass on its ref and props. */
  button: ReactNode
  items: MenuItem[]
  /** Above the items: whose menu it is. */
  heading?: ReactNode
  /** Opens when the pointer comes and closes when it leaves; still opens by click and keyboard. */
  onHover?: boolean
  position?: 'bottom-end' | 'bottom-start' | 'top-start' | 'right-end'
}

export const Menu = ({ button, items, heading, onHover = false, position = 'bottom-end' }: MenuProps) => (
  <LibraryMenu
    trigger={onHover ? 'click-hover' : 'click'}
    openDelay={0}
    closeDelay={120}
    position={position}
    offset={4}
    shadow="md"
    transitionProps={{ duration: 80 }}
    classNames={{ dropdown: styles.dropdown, item: styles.item }}
  >
    <LibraryMenu.Target>{button}</LibraryMenu.Target>
    <LibraryMenu.Dropdown>
      {heading && <div className={styles.heading}>{heading}</div>}
      {items.map((item) => (
        <LibraryMenu.Item
          key={item.label}
          leftSection={item.icon && <Icon name={item.icon} size={16} />}
          onClick={item.onPick}
          {...(item.danger ? { 'data-danger': true } : {})}
        >
          {item.label}
        </LibraryMenu.Item>
      ))}
    </LibraryMenu.Dropdown>
  </LibraryMenu>
)

export interface PopoverProps {
  button: ReactNode
  open: boolean
  onChange: (open: boolean) => void
  label: string
  children: ReactNode
}

export const Popover = ({ button, open, onChange, label, children }: PopoverProps) => (
  <LibraryPopover
    opened={open}
    onChange={onChange}
    position="bottom-end"
    offset={4}
    shadow="md"
    trapFocus
    returnFocus
    transitionProps={{ duration: 80 }}
    classNames={{ dropdown: styles.panel }}
  >
    <LibraryPopover.Target>{button}</LibraryPopover.Target>
    <LibraryPopover.Dropdown aria-label={label}>{children}</LibraryPopover.Dropdown>
  </LibraryPopover>
)
