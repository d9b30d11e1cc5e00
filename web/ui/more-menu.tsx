// More menu: the three dots at the end of a row or a toolbar, with what else can be done. A spinner while one of it runs.
import { Icon, type IconName } from './icons.tsx'
import { Menu, type MenuProps } from './menu.tsx'
import styles from './more-menu.module.css'

export interface MoreMenuProps {
  /** Read out: "Actions for batch 1024". */
  label: string
  items: MenuProps['items']
  busy?: boolean
  /** A frame around the dots, where they stand beside buttons. */
  framed?: boolean
  inRow?: boolean
  /** In place of the dots, where all it holds is of one kind. */
  icon?: IconName
}

/** The dots are drawn by the style: each row of a list has them, and a picture is several elements. */
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
