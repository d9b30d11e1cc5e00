// Tabs: the parts of one record. Arrow keys move between them.
import '@mantine/core/styles/Tabs.layer.css'
import { Tabs as LibraryTabs } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

export interface Tab {
  name: string
  title: string
  body: () => ReactNode
}

/** Only the open tab's body is drawn. */
export const Tabs = ({ tabs, open, onOpen, label }: { tabs: Tab[]; open: string; onOpen: (name: string) => void; label: string }) => (
  <LibraryTabs
    value={open}
    onChange={(name) => name !== null && onOpen(name)}
    keepMounted={false}
    activateTabWithKeyboard={false}
    classNames={{ list: styles.list, tab: styles.tab, panel: styles.panel }}
  >
    <LibraryTabs.List aria-label={label}>
      {tabs.map((tab) => (
        <LibraryTabs.Tab key={tab.name} value={tab.name}>
          {tab.title}
        </LibraryTabs.Tab>
      ))}
    </LibraryTabs.List>
    {tabs.map((tab) => (
      <LibraryTabs.Panel key={tab.name} value={tab.name}>
        {tab.name === open && tab.body()}
      </LibraryTabs.Panel>
    ))}
  </LibraryTabs>
)
