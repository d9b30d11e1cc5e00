// List screens: the lists whose rows are determined by the address alone: their calls, and where their code is. The page loads this
// file first, so that both are requested before the rest of the app has loaded (preload.ts).
import type { ComponentType } from 'react'
import * as accounts from '#contract/accounts.ts'
import * as collections from '#contract/collections.ts'
import * as devices from '#contract/devices.ts'
import * as groups from '#contract/groups.ts'
import * as sessions from '#contract/sessions.ts'
import * as guests from '#contract/guests.ts'
import * as packages from '#contract/packages.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import * as propertyInterfaces from '#contract/property-interfaces.ts'
import * as reports from '#contract/reports.ts'
import * as signInAttempts from '#contract/sign-in-attempts.ts'
import * as users from '#contract/users.ts'
import * as voucherBatches from '#contract/voucher-batches.ts'
import type { Endpoint } from '#contract/endpoint.ts'

interface ListScreen {
  list: Endpoint
  load: () => Promise<ComponentType>
}

export const listScreens = {
  accounts: {
    list: accounts.list,
    load: () => import('#web/resources/accounts/list.tsx').then((m) => m.AccountsList),
  },
  collections: {
    list: collections.list,
    load: () => import('#web/resources/collections/list.tsx').then((m) => m.CollectionsList),
  },
  devices: {
    list: devices.list,
    load: () => import('#web/resources/devices/list.tsx').then((m) => m.DevicesList),
  },
  groups: {
    list: groups.list,
    load: () => import('#web/resources/groups/list.tsx').then((m) => m.GroupsList),
  },
  guests: {
    list: guests.list,
    load: () => import('#web/resources/guests/list.tsx').then((m) => m.GuestsList),
  },
  packages: {
    list: packages.list,
    load: () => import('#web/resources/packages/list.tsx').then((m) => m.PackagesList),
  },
  portals: {
    list: portals.list,
    load: () => import('#web/resources/portals/list.tsx').then((m) => m.PortalsList),
  },
  properties: {
    list: properties.list,
    load: () => import('#web/resources/properties/list.tsx').then((m) => m.PropertiesList),
  },
  'property-interfaces': {
    list: propertyInterfaces.list,
    load: () => import('#web/resources/property-interfaces/list.tsx').then((m) => m.PropertyInterfacesList),
  },
  reports: {
    list: reports.list,
    load: () => import('#web/resources/reports/list.tsx').then((m) => m.ReportsList),
  },
  sessions: {
    list: sessions.list,
    load: () => import('#web/resources/sessions/list.tsx').then((m) => m.SessionsList),
  },
  'sign-in-attempts': {
    list: signInAttempts.list,
    load: () => import('#web/resources/sign-in-attempts/list.tsx').then((m) => m.SignInAttemptsList),
  },
  users: {
    list: users.list,
    load: () => import('#web/resources/users/list.tsx').then((m) => m.UsersList),
  },
  vouchers: {
    list: voucherBatches.list,
    load: () => import('#web/resources/voucher-batches/list.tsx').then((m) => m.VoucherBatchesList),
  },
} satisfies Record<string, ListScreen>

export const listScreenOf = (screen: string): ListScreen | undefined =>
  Object.hasOwn(listScreens, screen) ? listScreens[screen as keyof typeof listScreens] : undefined
