// More menu: the three dots at the end of a row or a toolbar, with further actions. A spinner while one of them runs.
import { Icon, type IconName } from './icons.tsx'
import { Menu, type MenuProps } from './menu.tsx'
import styles from './more-menu.module.css'

export interface MoreMenuProps {
  /** For screen readers: "Actions for batch 1024". */
  label: string
  items: MenuProps['items']
  busy?: boolean
  /** With a frame around the dots, for use next to buttons. */
  framed?: boolean
  inRow?: boolean
  /** In place of the dots, for a menu of one kind of actions. */
  icon?: IconName
}

/** The dots come from the style sheet: each row of a list has them, and an icon is several elements. */
export const MoreMenu = ({ label, items, busy = false, framed = false, inRow = false, icon }: MoreMenuProps) => (
  <Menu
    inRow={inRow}
    busy={busy}
    label={label}
    className={framed ? `${styles.dots} ${styles.framed}` : styles.dots}
    items={busy ? [] : items}
    button={busy ? <span className={styles.spinner} aria-hidden /> : icon && <Icon name={icon} />}
  />
)
