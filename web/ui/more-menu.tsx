// More menu: the three dots at the end of a row or a toolbar, with what else can be done. A spinner while one of it runs.
import type { MouseEvent } from 'react'
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

/** A press beside an entry must not open the row that the menu belongs to. */
const keepFromRow = (event: MouseEvent) => event.stopPropagation()

export const MoreMenu = ({ label, items, busy = false, framed = false, inRow = false, icon }: MoreMenuProps) => (
  // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
  <span onClick={keepFromRow} aria-busy={busy}>
    <Menu
      inRow={inRow}
      label={label}
      className={framed ? `${styles.dots} ${styles.framed}` : styles.dots}
      items={busy ? [] : items}
      button={busy ? <span className={styles.spinner} aria-hidden /> : icon ? <Icon name={icon} /> : <Dots />}
    />
  </span>
)

/** Drawn by its style: each row of a list has one, and a picture would be half of the row's elements. */
const Dots = () => <span className={styles.more} aria-hidden />
