// Icons: the ones the app uses, by what they mean. 18 pixels, hidden from readers: the words beside them speak.
import {
  IconActivity, IconAlertTriangle, IconApi, IconArrowUp, IconBuilding, IconBuildingCommunity, IconCheck, IconChevronDown,
  IconChevronLeft, IconChevronRight, IconChartBar, IconCircleCheck, IconCircleX, IconDeviceDesktop, IconDevices, IconDots,
  IconFilter, IconFolders, IconInfoCircle, IconLayoutDashboard, IconLogout, IconMail, IconMenu2, IconMoon, IconPackage,
  IconPlugConnected, IconPlus, IconRefresh, IconSearch, IconSun, IconUser, IconUsers, IconUsersGroup, IconWindow, IconX,
  IconAdjustmentsHorizontal, IconArrowsSort, IconArrowDown, IconPhoto, IconAddressBook, IconBan, IconCopy, IconDownload,
  IconFileSpreadsheet, IconLinkOff, IconPlayerPlay, IconPrinter, IconReceipt, IconTicket, IconTrash, IconUpload, IconUserSearch,
  type IconProps,
} from '@tabler/icons-react' // prettier-ignore
import type { ComponentType } from 'react'

const plain = (Shape: ComponentType<IconProps>) => {
  const Icon = ({ size = 18 }: { size?: number }) => <Shape size={size} stroke={1.6} aria-hidden focusable={false} />
  return Icon
}

export const icons = {
  accounts: plain(IconAddressBook),
  activate: plain(IconPlayerPlay),
  activity: plain(IconActivity),
  add: plain(IconPlus),
  apiKeys: plain(IconApi),
  back: plain(IconChevronLeft),
  brandings: plain(IconPhoto),
  check: plain(IconCheck),
  close: plain(IconX),
  collections: plain(IconFolders),
  copy: plain(IconCopy),
  dark: plain(IconMoon),
  dashboard: plain(IconLayoutDashboard),
  delete: plain(IconTrash),
  devices: plain(IconDevices),
  disable: plain(IconBan),
  disconnect: plain(IconLinkOff),
  down: plain(IconChevronDown),
  download: plain(IconDownload),
  failure: plain(IconCircleX),
  file: plain(IconFileSpreadsheet),
  filter: plain(IconFilter),
  findGuest: plain(IconUserSearch),
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
  print: plain(IconPrinter),
  properties: plain(IconBuilding),
  refresh: plain(IconRefresh),
  reports: plain(IconChartBar),
  roll: plain(IconReceipt),
  search: plain(IconSearch),
  sort: plain(IconArrowsSort),
  sortedDown: plain(IconArrowDown),
  sortedUp: plain(IconArrowUp),
  success: plain(IconCircleCheck),
  system: plain(IconDeviceDesktop),
  team: plain(IconUsersGroup),
  top: plain(IconArrowUp),
  upload: plain(IconUpload),
  user: plain(IconUser),
  users: plain(IconUsers),
  vouchers: plain(IconTicket),
  warning: plain(IconAlertTriangle),
} as const
export type IconName = keyof typeof icons

export function Icon({ name, size }: { name: IconName; size?: number }) {
  const Shape = icons[name]
  return <Shape {...(size ? { size } : {})} />
}
