// Detail tabs: the parts of one record, with the open one in the address: `?id=4&tab=devices`. A tab is often the list of another
// resource.
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
 * The specification's tabs, and in addition the overview, a gateway's setup, a group's properties, and a property's gateways,
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
  'deliveries',
] as const
export type TabName = (typeof tabNames)[number]

/** The area that a tab lists; users who may not read it do not see the tab. The other tabs are about the record itself. */
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
  /** What the record is, for screen readers: "Group". */
  of: string
  /** Undefined while it loads. */
  name: string | undefined
  status?: string | undefined
  back: { title: string; href: string }
  /** A function is given the open tab, so that actions of its list need not be in the header as well. */
  actions?: ReactNode | ((tab: string) => ReactNode)
  tabs: { [T in TabName]?: { title: string; body: () => ReactNode } }
}

export function DetailTabs({ of, name, status, back, actions, tabs }: DetailTabsProps) {
  const search = useScreenSearch()
  const pathname = useScreenPath()
  const shown = tabNames.flatMap((tab) => {
    const given = tabs[tab]
    const area = listed[tab]
    return given && (area === undefined || may(area, 'read')) ? [{ name: tab, ...given }] : []
  })
  const asked = one(search['tab'])
  const open = shown.find((tab) => tab.name === asked)?.name ?? shown[0]?.name ?? ''
  // Search and filters belong to one tab's list; the id and other parent ids stay.
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
