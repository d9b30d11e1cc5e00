// Policies: who may read and write what. Whatever does not stand here is denied.
//
// What somebody may do hangs on two things: on whose behalf they are here (the customer, a group or a property), and on
// the role of their user type. Which rows they then see is the matter of `reach`, in tenancy.ts.
import type { Endpoint } from '#contract/endpoint.ts'
import { allows, areas, type Action, type Area, type Can } from '#contract/permissions.ts'
import * as sessions from '#contract/sessions.ts'

export type Role = 'viewer' | 'editor'
type Standing = `${'customer' | 'group' | 'property'} ${Role}`

const editors: Standing[] = ['customer editor', 'group editor', 'property editor']
const everybody: Standing[] = [...editors, 'customer viewer', 'group viewer', 'property viewer']

const law: Record<Area, Partial<Record<Action, Standing[]>>> = {
  accounts: { read: everybody, write: editors },
  activity: { read: everybody },
  dashboard: { read: everybody },
  devices: { read: everybody, write: editors },
  groups: {
    read: ['customer editor', 'customer viewer', 'group editor', 'group viewer'],
    write: ['customer editor'],
  },
  imports: { write: editors },
  mac_categories: { read: everybody, write: ['customer editor'] },
  packages: { read: everybody, write: ['customer editor'] },
  properties: { read: everybody, write: ['customer editor', 'group editor'] },
  reference: { read: everybody },
  room_guests: { read: everybody, write: editors },
  rooms: { read: everybody, write: editors },
  // One's own session: to see, switch and end it.
  sessions: { read: everybody, write: everybody },
  users: { read: everybody, write: editors },
  voucher_batches: { read: everybody, write: editors },
  vouchers: { read: everybody },
}

/** What is served without a token. */
const open: readonly Endpoint[] = [
  sessions.login,
  sessions.signup,
  sessions.forgotPassword,
  sessions.resetPassword,
  sessions.acceptInvitation,
]
export const isOpen = (endpoint: Endpoint) => open.includes(endpoint)

/** Everything that somebody may do, for `auth/me` and for each of their requests. */
export function rightsOf(owner_type: 'Customer' | 'Group' | 'Property', role: Role): Can {
  const standing: Standing = `${({ Customer: 'customer', Group: 'group', Property: 'property' } as const)[owner_type]} ${role}`
  const granted = areas.map((area): [Area, Action[]] => [
    area,
    (Object.entries(law[area]) as [Action, Standing[]][]).flatMap(([action, who]) =>
      who.includes(standing) ? [action] : [],
    ),
  ])
  return Object.fromEntries(granted.filter(([, actions]) => actions.length > 0))
}

export const may = (caller: { can: Can }, endpoint: Endpoint): boolean =>
  allows(caller.can, endpoint.area, endpoint.action)
