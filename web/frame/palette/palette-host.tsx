// Palette host: the one line from which everything is reached: pages, actions, and what the server finds by name.
import { use, useEffect, useMemo, useState } from 'react'
import * as accounts from '#contract/accounts.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as collections from '#contract/collections.ts'
import * as connections from '#contract/connections.ts'
import * as devices from '#contract/devices.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import * as imports from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import * as macCategories from '#contract/mac-categories.ts'
import * as packages from '#contract/packages.ts'
import * as portals from '#contract/portals.ts'
import * as propertyInterfaces from '#contract/property-interfaces.ts'
import * as properties from '#contract/properties.ts'
import * as reportRuns from '#contract/report-runs.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as scheduledReports from '#contract/scheduled-reports.ts'
import * as attempts from '#contract/sign-in-attempts.ts'
import * as teams from '#contract/teams.ts'
import * as users from '#contract/users.ts'
import * as billing from '#contract/billing-runs.ts'
import * as batches from '#contract/voucher-batches.ts'
import { sentenceOf } from '#web/kit/call/call.ts'
import { useNames } from '#web/kit/call/names.ts'
import { lastMonth } from '#web/kit/display/months.ts'
import { go, here } from '#web/kit/navigation/go.ts'
import { ReportScreens } from '#web/frame/report-screens.ts'
import { menuOf, openSections } from '#web/may-open.ts'
import { hasScreen, to, withModal, type ProfileSection } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { mayCall } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { isIcon, type IconName } from '#web/ui/icons.tsx'
import { Palette, type PaletteGroup, type PaletteItem } from '#web/ui/palette.tsx'
import { fits } from '#web/ui/match-text.ts'
import { exactlyFirst, find, query_length_min } from './find.ts'
import { nearest } from './nearest.ts'
import { label, placeholder, type Line } from './palette-words.ts'

const debounce_ms = 180

export function PaletteHost({ close, line }: { close: () => void; line: Line }) {
  const { typed } = line
  const { found, busy, failure } = useFound(typed.trim())
  const local = useLocal()
  const named = useNamed(typed.trim())
  const pages = matching(local, typed.trim())
  const groups = [...pages, ...exactlyFirst([...found, ...named], typed.trim())].map((group) => ({
    ...group,
    items: group.items.map((item) => ({
      ...item,
      onPick: () => {
        close()
        item.onPick()
      },
    })),
  }))
  return (
    <Palette
      label={label}
      placeholder={placeholder}
      {...line}
      groups={groups}
      busy={busy}
      // Pages and actions need no answer, and stand before all that is found.
      late={busy && pages.every(({ items }) => items.length === 0)}
      empty={failure ?? `Nothing found for “${typed.trim()}”.`}
      onClose={close}
    />
  )
}

/** What the server finds; asked once typing rests, and an answer to an earlier question is dropped. */
function useFound(typed: string) {
  const [state, setState] = useState<{ for: string; found: PaletteGroup[]; failure?: string }>({ for: '', found: [] })
  const asks = typed.length >= query_length_min
  useEffect(() => {
    if (!asks) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      find(typed, abort.signal).then(
        (found) => setState({ for: typed, found }),
        (error: unknown) => {
          if (!abort.signal.aborted) setState({ for: typed, found: [], failure: sentenceOf(error) })
        },
      )
    }, debounce_ms)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [typed, asks])
  if (!asks) return { found: [], busy: false, failure: undefined }
  if (state.for === typed) return { found: state.found, busy: false, failure: state.failure }
  // Of what was found for fewer letters, what still fits stays in sight until the answer is there.
  const still = ({ label, hint }: PaletteItem) => fits(`${label} ${hint ?? ''}`, typed)
  return {
    found: state.found.map((group) => ({ ...group, items: group.items.filter(still) })),
    busy: true,
    failure: undefined,
  }
}

const named_max = 5

/** What an operator sets up, whose names are there since the start. */
function useNamed(typed: string): PaletteGroup[] {
  const context = appContext()
  const where = (screen: string, names: Endpoint) => (hasScreen(context, screen) ? names : undefined)
  const kinds = [
    { title: 'Portals', icon: 'portals', rows: useNames(where('portals/update', portals.names)), href: to.portal },
    { title: 'Packages', icon: 'packages', rows: useNames(where('packages/update', packages.names)), href: to.package },
    {
      title: 'Collections',
      icon: 'collections',
      rows: useNames(where('collections/update', collections.names)),
      href: to.collection,
    },
  ] as const
  if (typed.length < query_length_min) return []
  return kinds
    .map(({ title, icon, rows, href }) => ({
      title,
      items: nearest(
        rows.filter(({ name }) => fits(name, typed)),
        typed,
        named_max,
      ).map(({ id, name }) => ({ key: `${title} ${id}`, label: name, icon, onPick: () => go(href(id)) })),
    }))
    .filter(({ items }) => items.length > 0)
}

const sections: Record<ProfileSection, { label: string; icon: IconName; hint?: string }> = {
  profile: { label: messages.userMenu.profile, icon: 'user' },
  security: { label: messages.userMenu.security, icon: 'user' },
  company: { label: messages.userMenu.company, icon: 'user' },
  team: { label: messages.userMenu.teams, icon: 'team' },
  activity: { label: messages.userMenu.activity, icon: 'activity' },
  integrations: { label: messages.userMenu.integrations, icon: 'integrations', hint: 'Xero, Mailchimp' },
  api_keys: { label: messages.userMenu.apiKeys, icon: 'apiKeys' },
  footer_branding: { label: messages.userMenu.footerBranding, icon: 'brandings' },
}

/** Pages and actions of this context, which need no question. */
function useLocal(): PaletteGroup[] {
  const { user } = useSession()
  const pages = use(ReportScreens)
  return useMemo(() => {
    const context = appContext()
    const page = (label: string, icon: IconName, href: string, hint?: string): PaletteItem => ({
      key: href,
      label,
      icon,
      hint,
      onPick: () => go(href),
    })
    const create = (call: Endpoint, label: string, screen: string, href: string, hint?: string) =>
      mayCall(call) && hasScreen(context, screen) ? [page(label, 'add', href, hint)] : []
    const other = (call: Endpoint, label: string, icon: IconName, screen: string, hint?: string) =>
      mayCall(call) && hasScreen(context, screen) ? [page(label, icon, `/${context}/${screen}`, hint)] : []
    const profile =
      user && hasScreen(context, 'user-profile')
        ? openSections().map((section) =>
            page(
              sections[section].label,
              sections[section].icon,
              to.userProfile(user.id, section),
              sections[section].hint,
            ),
          )
        : []
    return [
      {
        title: 'Do',
        items: [
          page('Test a voucher', 'vouchers', withModal(here(), 'test-voucher', {}), 'Check whether a code is valid'),
          ...create(roomGuests.create, 'Check in', 'room-guests/update', to.checkIn()),
          ...create(
            batches.create,
            'Give out a code',
            'dashboard',
            withModal(here(), 'one-voucher', {}),
            'One voucher',
          ),
          ...create(batches.create, 'New vouchers', 'vouchers/create', to.newVouchers()),
          ...create(accounts.create, 'New account', 'accounts/update', to.newAccount()),
          ...create(devices.create, 'New device', 'devices/update', to.newDevice()),
          ...create(portals.create, 'New portal', 'portals/create', to.newPortal()),
          ...create(collections.create, 'New collection', 'collections/create', to.newCollection()),
          ...create(properties.create, 'New property', 'properties/create', to.newProperty()),
          ...create(groups.create, 'New group', 'groups/create', to.newGroup()),
          ...create(packages.create, 'New package', 'packages/create', to.newPackage()),
          ...create(scheduledReports.create, 'New report', 'reports/create', to.newReport()),
          ...create(
            billing.createRun,
            'New bill',
            'reports/billing',
            to.newBillingRun({ ...lastMonth() }),
            'What properties owe',
          ),
          ...create(users.invite, 'Invite user', 'dashboard', withModal(here(), 'invite-user', {})),
          ...create(teams.create, 'New team', 'teams/create', to.newTeam()),
          ...create(apiKeys.createForUser, 'New API key', 'api-keys/create', to.newApiKey({})),
          ...create(imports.accounts, 'Import accounts', 'dashboard', withModal(here(), 'import-accounts', {})),
          ...create(imports.devices, 'Import devices', 'dashboard', withModal(here(), 'import-devices', {})),
          ...create(imports.rooms, 'Import rooms', 'dashboard', withModal(here(), 'import-rooms', {})),
        ],
      },
      {
        title: 'Pages',
        items: [
          ...menuOf(context).map(({ title, screen }) =>
            page(title, isIcon(screen) ? screen : 'info', `/${context}/${screen}`),
          ),
          ...pages.flatMap(({ call, title, icon, screen, hint }) => other(call, title, icon, screen, hint)),
          ...other(scheduledReports.listScheduled, 'Scheduled reports', 'mail', 'reports/scheduled'),
          ...other(reportRuns.listRuns, 'Report files', 'file', 'reports/files'),
          ...other(attempts.list, 'Sign-in attempts', 'sessions', 'sign-in-attempts'),
          ...other(macCategories.list, 'MAC categories', 'devices', 'mac-categories'),
          ...other(propertyInterfaces.list, 'Property interfaces', 'properties', 'property-interfaces'),
          ...other(
            connections.list,
            'Connections',
            'integrations',
            'connections',
            'Everything that is connected, with its status',
          ),
          ...profile,
        ],
      },
    ]
  }, [user, pages])
}

/** Those that hold each word typed, in any order; first the group with one that begins so, for Enter takes the first. */
export function matching(groups: PaletteGroup[], typed: string): PaletteGroup[] {
  const wanted = typed.toLowerCase()
  const parts = wanted.split(/\s+/).filter(Boolean)
  const begins = ({ items }: PaletteGroup) => items.some(({ label }) => label.toLowerCase().startsWith(wanted))
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter(({ label, hint = '' }) =>
        parts.every((part) => `${label} ${hint}`.toLowerCase().includes(part)),
      ),
    }))
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)))
}
