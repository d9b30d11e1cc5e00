// Guests list: people who signed in at a portal by themselves, and which of them agreed to marketing.
import * as guests from '#contract/guests.ts'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { recent_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import { yesOrNo, type Column, type ScreenFilters } from '#web/kit/list/list-types.ts'
import { hasScreen } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { eraseSeveral, guestKind, nameOf, withdrawSeveral, type Guest } from './kind.ts'

const column = fieldColumns(guests)

/** Empty if the first column already shows it. */
const emailOf = (guest: Guest) => (nameOf(guest) === guest.email ? null : guest.email)
const numberOf = (guest: Guest) => (nameOf(guest) === guest.mobile_number ? null : guest.mobile_number)

const columnsOf = (many: boolean): Column<typeof guests.list>[] => [
  { title: 'Guest', cell: nameOf, width: 200, grow: 2, priority: 1 },
  column('property', {
    below: (guest) => many && guest.property?.name,
    width: 150,
    grow: 1,
    priority: many ? 3 : 10,
    ...(many ? {} : { extra: true }),
  }),
  column('auth_method', { width: 212, priority: 5 }),
  column('marketing', { cell: (guest) => (guest.marketing ? 'Agreed' : 'No'), width: 96, priority: 4 }),
  column('visits', { width: 72, priority: 7 }),
  column('last_seen_at', {
    cell: (guest) => recentTimeOf(guest.last_seen_at),
    below: (guest) => recentTimeOf(guest.last_seen_at),
    width: recent_px,
    priority: 2,
  }),
  column('first_seen_at', { width: 118, priority: 6, sort: 'created_at' }),
  { title: 'E-mail', cell: emailOf, width: 180, grow: 1, priority: 8, extra: true },
  { title: 'Mobile number', cell: numberOf, width: 140, priority: 9, extra: true },
]

export function GuestsList() {
  const context = appContext()
  const mayErase = useMayCall(guests.erase)
  const mayWithdraw = useMayCall(guests.withdrawConsent)
  const many = context !== 'property'
  const filters: ScreenFilters<typeof guests.list> = {
    marketing: { kind: 'checkbox', options: yesOrNo('Wants marketing', 'No marketing') },
    auth_method_id: { title: 'Signed in by', kind: 'checkbox', to: 'auth_methods' },
    ...(many ? { property_id: { kind: 'checkbox', to: 'properties', more: true } } : {}),
    ...(hasScreen(context, 'groups') ? { group_id: { kind: 'checkbox', to: 'groups', more: true } } : {}),
  }
  return (
    <ListScreen
      of={guests.list}
      title="Guests"
      kind={guestKind}
      columns={columnsOf(many)}
      filters={filters}
      bulk={[...(mayWithdraw ? [withdrawSeveral] : []), ...(mayErase ? [eraseSeveral] : [])]}
      empty={{
        icon: 'guests',
        title: 'No guests yet',
        children:
          'Guests who sign in on a portal freely, with a room, an e-mail address or a mobile number appear here.',
      }}
    />
  )
}
