// Icons: the ones the app uses, by what they mean. 18 pixels, hidden from readers: the words beside them speak.
import {
  IconActivity, IconAlertTriangle, IconApi, IconArrowUp, IconBuilding, IconBuildingCommunity, IconCheck, IconChevronDown,
  IconChevronLeft, IconChevronRight, IconChartBar, IconCircleCheck, IconCircleX, IconDeviceDesktop, IconDevices, IconDots,
  IconFilter, IconFolders, IconInfoCircle, IconLayoutDashboard, IconLogout, IconMail, IconMenu2, IconMoon, IconPackage,
  IconPlugConnected, IconPlus, IconRefresh, IconSearch, IconSun, IconUser, IconUsers, IconUsersGroup, IconWindow, IconX,
  IconAdjustmentsHorizontal, IconArrowsSort, IconArrowDown, IconPhoto, type IconProps,
} from '@tabler/icons-react' // prettier-ignore
import type { ComponentType } from 'react'

const plain = (Shape: ComponentType<IconProps>) => {
  const Icon = ({ size = 18 }: { size?: number }) => <Shape size={size} stroke={1.6} aria-hidden focusable={false} />
  return Icon
}

export const icons = {
  activity: plain(IconActivity),
  add: plain(IconPlus),
  apiKeys: plain(IconApi),
  back: plain(IconChevronLeft),
  brandings: plain(IconPhoto),
  check: plain(IconCheck),
  close: plain(IconX),
  collections: plain(IconFolders),
  dark: plain(IconMoon),
  dashboard: plain(IconLayoutDashboard),
  devices: plain(IconDevices),
  down: plain(IconChevronDown),
  failure: plain(IconCircleX),
  filter: plain(IconFilter),
  filters: plain(IconAdjustmentsHorizontal),
  forward: plain(IconChevronRight),
  groups: plain(IconBuildingCommunity),
  info: plain(IconInfoCircle),
  integrations: plain(IconPlugConnected),
  light: plain(IconSun),
  logOut: plain(IconLogout),
  mail: plain(IconMail),
  menu: plain(IconMenu2),
  more: plain(IconDots),
  packages: plain(IconPackage),
  portals: plain(IconWindow),
  properties: plain(IconBuilding),
  refresh: plain(IconRefresh),
  reports: plain(IconChartBar),
  search: plain(IconSearch),
  sort: plain(IconArrowsSort),
  sortedDown: plain(IconArrowDown),
  sortedUp: plain(IconArrowUp),
  success: plain(IconCircleCheck),
  system: plain(IconDeviceDesktop),
  team: plain(IconUsersGroup),
  top: plain(IconArrowUp),
  user: plain(IconUser),
  users: plain(IconUsers),
  warning: plain(IconAlertTriangle),
} as const
export type IconName = keyof typeof icons

export function Icon({ name, size }: { name: IconName; size?: number }) {
  const Shape = icons[name]
  return <Shape {...(size ? { size } : {})} />
}
