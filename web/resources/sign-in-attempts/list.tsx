// Sign-in attempts list: who tried to get online, with the result and the message that the guest saw.
import type { RowOf } from '#contract/endpoint.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as sessions from '#contract/sessions.ts'
import * as signInAttempts from '#contract/sign-in-attempts.ts'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { recent_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import { yesOrNo, type Column, type ScreenFilters } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { linkItem } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { mayCall, useMayCall } from '#web/session/may.ts'
import { Badge, Quiet } from '#web/ui/badge.tsx'

const column = fieldColumns(signInAttempts)

type Attempt = RowOf<typeof signInAttempts.list>

const nameOf = ({ identifier, mac_address }: Attempt) => identifier ?? mac_address ?? 'Unknown device'

const attemptKind: RecordKind<Attempt> = {
  of: { list: signInAttempts.list, fields: signInAttempts.fields },
  noun: 'sign-in attempts',
  nameOf,
  searchKey: 'identifier',
  live_ms: 15_000,
  consequence: '',
  href: ({ id }) => (mayCall(guestHelp.search) ? to.guestHelp({ kind: 'attempt', id }) : undefined),
  own: ({ mac_address }) =>
    mac_address
      ? [linkItem({ label: 'Sessions of this device', icon: 'sessions', href: to.sessions({ q: mac_address }) })]
      : [],
}

const resultOf = ({ accepted }: Attempt) => (accepted ? 'Accepted' : 'Refused')

const columnsOf = (many: boolean): Column<typeof signInAttempts.list>[] => [
  { title: 'Tried with', cell: nameOf, width: 150, priority: 1 },
  column('accepted', {
    cell: (attempt) =>
      attempt.accepted ? <Quiet>{resultOf(attempt)}</Quiet> : <Badge tone="wrong">{resultOf(attempt)}</Badge>,
    below: resultOf,
    width: 104,
    priority: 2,
  }),
  column('message', { below: (attempt) => !attempt.accepted && attempt.message, width: 200, grow: 4, priority: 4 }),
  column('created_at', {
    cell: (attempt) => recentTimeOf(attempt.created_at),
    below: (attempt) => recentTimeOf(attempt.created_at),
    width: recent_px,
    priority: 3,
  }),
  column('property', {
    below: (attempt) => many && attempt.property?.name,
    width: 140,
    grow: 1,
    priority: many ? 5 : 9,
    ...(many ? {} : { extra: true }),
  }),
  column('auth_method', { width: 212, priority: 6 }),
  column('mac_address', { width: 156, priority: 7 }),
  column('gateway', { width: 130, priority: 8, extra: true }),
]

export function SignInAttemptsList() {
  const context = appContext()
  const maySeeSessions = useMayCall(sessions.list)
  const many = context !== 'property'
  const filters: ScreenFilters<typeof signInAttempts.list> = {
    accepted: { kind: 'checkbox', options: yesOrNo('Accepted', 'Refused') },
    ...(many ? { property_id: { kind: 'checkbox', to: 'properties', more: true } } : {}),
    ...(hasScreen(context, 'groups') ? { group_id: { kind: 'checkbox', to: 'groups', more: true } } : {}),
    auth_method_id: { title: 'By', kind: 'checkbox', to: 'auth_methods' },
  }
  return (
    <ListScreen
      of={signInAttempts.list}
      title="Sign-in attempts"
      kind={attemptKind}
      columns={columnsOf(many)}
      filters={filters}
      actions={
        maySeeSessions && (
          <LinkButton icon="sessions" href={to.sessions()}>
            Sessions
          </LinkButton>
        )
      }
      empty={{
        icon: 'history',
        title: 'Nobody has tried yet',
        children: 'Each attempt to get online is listed here for 30 days, with what the guest was told.',
      }}
    />
  )
}
