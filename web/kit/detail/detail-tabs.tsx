// Detail tabs: the parts of one record, the open one in the address: `?id=4&tab=devices`. A tab is often a sibling's list.
//
//   <DetailTabs of="Group" name={group?.name} status={group?.status} back={{ title: 'Groups', href: to.groups() }} tabs={{
//     overview: { title: 'Overview', body: () => group && <GroupOverview group={group} /> },
//     details: { title: 'Details', body: () => <GroupForm id={id} /> },
//     users: { title: 'Users', body: () => <UsersList groupId={id} /> },
//   }} />
import type { ReactNode } from 'react'
import type { Area } from '#contract/permissions.ts'
import { may } from '#web/session/may.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { InTab } from '#web/kit/list/in-tab.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { one, stringifySearch } from '#web/kit/navigation/search-params.ts'
import { useScreenPath, useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'

/**
 * The specification's tabs, after an overview; what a gateway is set up with; a group's properties, a property's gateways
 * interfaces and holidays.
 */
export const tabNames = [
  'overview',
  'setup',
  'details',
  'properties',
  'vouchers',
  'accounts',
  'devices',
  'sessions',
  'rooms',
  'gateways',
  'interfaces',
  'holidays',
  'users',
  'api_keys',
] as const
export type TabName = (typeof tabNames)[number]

/** What a tab lists; the others are about the record itself. Whoever may not read it does not see the tab. */
const listed: Partial<Record<TabName, Area>> = {
  properties: 'properties',
  vouchers: 'voucher_batches',
  accounts: 'accounts',
  devices: 'devices',
  sessions: 'guest_sessions',
  rooms: 'rooms',
  gateways: 'gateways',
  interfaces: 'property_interfaces',
  holidays: 'billing',
  users: 'users',
  api_keys: 'api_keys',
}

export interface DetailTabsProps {
  /** What the record is, read out: "Group". */
  of: string
  /** Undefined while it loads. */
  name: string | undefined
  status?: string | undefined
  back: { title: string; href: string }
  /** Given the open tab: what its own list offers need not stand in the header as well. */
  actions?: ReactNode | ((tab: string) => ReactNode)
  tabs: { [T in TabName]?: { title: string; body: () => ReactNode } }
}

export function DetailTabs({ of, name, status, back, actions, tabs }: DetailTabsProps) {
  const search = useScreenSearch()
  const pathname = useScreenPath()
  const shown = tabNames.flatMap((tab) => {
    const there = tabs[tab]
    const area = listed[tab]
    return there && (area === undefined || may(area, 'read')) ? [{ name: tab, ...there }] : []
  })
  const asked = one(search['tab'])
  const open = shown.find((tab) => tab.name === asked)?.name ?? shown[0]?.name ?? ''
  // Search and filters belong to one tab's list; the id and other parents stay.
  const address = (tab: string) => {
    const kept = Object.entries(search).filter(([key]) => key === 'id' || key.endsWith('_id'))
    return pathname + stringifySearch({ ...Object.fromEntries(kept), tab })
  }
  return (
    <>
      <PageHeader
        above={<Link href={back.href}>{back.title}</Link>}
        title={name}
        mark={status && <StatusBadge of={status} />}
        actions={typeof actions === 'function' ? actions(open) : actions}
      />
      <Tabs
        label={`${of}: ${name ?? ''}`}
        open={open}
        onOpen={(tab) => go(address(tab))}
        tabs={shown.map((tab) => ({
          ...tab,
          body: () => (listed[tab.name] ? <InTab value>{tab.body()}</InTab> : tab.body()),
        }))}
      />
    </>
  )
}
