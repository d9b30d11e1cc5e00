// Guest sessions list: who is or was online, and how much they used; it refreshes itself. A screen of its own, and the sessions tab
// of properties, groups, accounts, devices and guests.
import { addDays, firstOfMonth } from '#contract/days.ts'
import * as reports from '#contract/reports.ts'
import * as sessions from '#contract/sessions.ts'
import type { ListMeta } from '#contract/shapes.ts'
import { dayOf, recentTimeOf, timeOf } from '#web/kit/display/dates.ts'
import { monthOf } from '#web/kit/display/months.ts'
import { dataOf, lengthOf, fractionOf } from '#web/kit/display/numbers.ts'
import { moment_px, recent_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import { yesOrNo, type Column, type ScreenFilters } from '#web/kit/list/list-types.ts'
import { here } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to, withModal } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { Badge, Lit } from '#web/ui/badge.tsx'
import type { EmptyStateProps } from '#web/ui/state.tsx'
import * as signInAttempts from '#contract/sign-in-attempts.ts'
import { addressesOf, disconnectSeveral, guestSessionKind, nameOf, type GuestSession } from './kind.ts'
import styles from './sessions.module.css'

const column = fieldColumns(sessions)

/** A gateway that supports disconnecting answers within this time. */
const disconnect_wait_ms = 60_000

/** As text: online, disconnecting, or why it ended. */
function stateOf({ online, disconnect_asked_at, termination_reason }: GuestSession, now = Date.now()): string {
  if (!online) return termination_reason ?? 'Ended'
  if (disconnect_asked_at === null) return 'Online'
  return now - Date.parse(disconnect_asked_at) < disconnect_wait_ms ? 'Disconnecting' : 'Gateway silent'
}

const State = ({ session }: { session: GuestSession }) =>
  session.online && session.disconnect_asked_at !== null ? (
    <Badge dot tone="waiting">
      {stateOf(session)}
    </Badge>
  ) : session.online ? (
    <Lit>{stateOf(session)}</Lit>
  ) : (
    stateOf(session)
  )

const noLimit = 'No limit'
const speedOf = ({ speed_mbps }: GuestSession) =>
  speed_mbps === null ? noLimit : `${fractionOf(speed_mbps, 2)} Mbit/s`

const usedOf = ({ bytes_down, bytes_up }: GuestSession) => `${dataOf(bytes_down)} / ${dataOf(bytes_up)}`

/** Empty once the session has ended. */
function leftOf({ left }: GuestSession): string {
  if (left === null) return ''
  const parts = [left.seconds === null ? '' : lengthOf(left.seconds), left.bytes === null ? '' : dataOf(left.bytes)]
  return parts.filter(Boolean).join(' · ') || noLimit
}

/** Null if the first column already shows it. */
const signedInWith = ({ guest_name, identifier }: GuestSession) => (guest_name === null ? null : identifier)

const columnsOf = (many: boolean): Column<typeof sessions.list>[] => [
  { title: 'Guest', cell: nameOf, width: 150, priority: 1 },
  {
    title: 'State',
    cell: (session) => <State session={session} />,
    below: (session) => stateOf(session),
    width: 152,
    usual: 164,
    grow: 1,
    priority: 2,
  },
  column('room', { below: (session) => session.room && `Room ${session.room.name}`, width: 72, priority: 3 }),
  column('started_at', {
    cell: (session) => recentTimeOf(session.started_at),
    below: (session) => recentTimeOf(session.started_at),
    width: recent_px,
    priority: 4,
  }),
  column('seconds', { cell: (session) => lengthOf(session.seconds), width: 100, priority: 6 }),
  { title: 'Down / up', cell: usedOf, below: usedOf, width: 136, priority: 5 },
  {
    title: 'Left',
    cell: leftOf,
    below: (session) => session.left && (leftOf(session) === noLimit ? false : `${leftOf(session)} left`),
    width: 136,
    usual: 160,
    priority: 8,
  },
  { title: 'Speed', cell: speedOf, width: 96, priority: 9 },
  column('property', {
    below: (session) => many && session.property.name,
    width: 140,
    grow: 2,
    priority: many ? 7 : 12,
    ...(many ? {} : { extra: true }),
  }),
  column('auth_method', { width: 130, priority: 9 }),
  { title: 'Signed in with', cell: signedInWith, width: 150, priority: 10, extra: true },
  column('mac_address', {
    cell: (session) => <span className={styles.mac}>{session.mac_address}</span>,
    width: 156,
    priority: 9,
    extra: true,
  }),
  {
    title: 'IP address',
    cell: (session) => <span className={styles.mac}>{addressesOf(session).join(', ')}</span>,
    width: 150,
    priority: 10,
    extra: true,
  },
  column('package', { width: 130, priority: 11, extra: true }),
  column('gateway', { width: 130, priority: 13, extra: true }),
  column('stopped_at', { cell: (session) => timeOf(session.stopped_at), width: moment_px, priority: 14, extra: true }),
]

export interface SessionsListProps {
  group_id?: number
  property_id?: number
  account_id?: number
  device_id?: number
  guest_id?: number
}

export function SessionsList(where: SessionsListProps) {
  const context = appContext()
  const mayDisconnect = useMayCall(sessions.disconnect)
  const mayReport = useMayCall(reports.run)
  const ofOne = where.account_id !== undefined || where.device_id !== undefined || where.guest_id !== undefined
  const many = !ofOne && where.property_id === undefined && context !== 'property'
  const filters: ScreenFilters<typeof sessions.list> = {
    online: { kind: 'checkbox', options: yesOrNo('Online', 'Ended') },
    started: { kind: 'checkbox', options: [{ value: 'today', label: 'Today' }], more: true },
    ...(many ? { property_id: { kind: 'checkbox', to: 'properties', more: true } } : {}),
    ...(many && where.group_id === undefined && hasScreen(context, 'groups')
      ? { group_id: { kind: 'checkbox', to: 'groups', more: true } }
      : {}),
    ...(ofOne ? {} : { auth_method_id: { title: 'Signed in by', kind: 'checkbox', to: 'auth_methods' } }),
  }
  return (
    <ListScreen
      of={sessions.list}
      title="Sessions"
      where={where}
      kind={guestSessionKind}
      columns={columnsOf(many)}
      filters={filters}
      bulk={mayDisconnect ? [disconnectSeveral] : []}
      actions={
        <>
          {!ofOne && <AddressLink {...where} />}
          <AttemptsLink {...where} />
        </>
      }
      beyond={earlier(mayReport, where)}
      empty={{
        icon: 'sessions',
        title: ofOne ? 'Not online yet' : 'Nobody has been online yet',
        children: ofOne
          ? 'Sessions are listed here as the gateway reports them.'
          : 'As soon as a gateway reports that a guest is online, the session is listed here.',
      }}
    />
  )
}

/** Those of former months, which no list shows: the last of these as a report, where a guest's or a device's are among all others. */
const earlier =
  (mayReport: boolean, { group_id, property_id }: SessionsListProps) =>
  ({ listed_since }: ListMeta, nothing: boolean): EmptyStateProps | undefined => {
    if (listed_since === undefined) return undefined
    // The day before, since months end in UTC, and days in the customer's zone.
    const end_date = addDays(listed_since, -1)
    const start_date = firstOfMonth(addDays(listed_since, -2))
    const places = { ...(property_id && { property_ids: [property_id] }), ...(group_id && { group_ids: [group_id] }) }
    return {
      icon: 'sessions',
      title: `${nothing ? 'None' : 'Listed'} since ${dayOf(listed_since)}`,
      children: 'Sessions that ended earlier are in reports.',
      action: mayReport && (
        <LinkButton
          icon="reports"
          href={to.report('session', { date_range: 'custom', start_date, end_date, ...places })}
        >
          Report of {monthOf(start_date)}
        </LinkButton>
      ),
    }
  }

/** For letters about misuse, which name an address and a time. */
function AddressLink({ property_id }: SessionsListProps) {
  const mayAsk = useMayCall(sessions.whoseAddress)
  return (
    mayAsk && (
      <LinkButton icon="search" href={withModal(here(), 'whose-address', property_id ? { property_id } : {})}>
        Who had this address?
      </LinkButton>
    )
  )
}

/** A link to the attempts, which also include those that failed. */
function AttemptsLink({ group_id, property_id, account_id, device_id, guest_id }: SessionsListProps) {
  const mayRead = useMayCall(signInAttempts.list)
  if (!mayRead || account_id !== undefined || device_id !== undefined || guest_id !== undefined) return null
  const narrowed = {
    ...(property_id ? { 'filter.property_id': property_id } : {}),
    ...(group_id ? { 'filter.group_id': group_id } : {}),
  }
  return (
    <LinkButton icon="history" href={to.signInAttempts(narrowed)}>
      Sign-in attempts
    </LinkButton>
  )
}
