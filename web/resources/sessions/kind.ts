// Guest session kind: what can be done with one session, in its row and for several.
import type { RowOf } from '#contract/endpoint.ts'
import * as sessions from '#contract/sessions.ts'
import { to, withModal } from '#web/paths.ts'
import type { BulkAction } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { go, here, linkItem } from '#web/kit/navigation/go.ts'
import { mayCall } from '#web/session/may.ts'
import { choose } from './selected-sessions.ts'

export type GuestSession = RowOf<typeof sessions.list>

/** The guest's name, else what was signed in with, else the device. */
export const nameOf = ({
  guest_name,
  identifier,
  mac_address,
}: Pick<GuestSession, 'guest_name' | 'identifier' | 'mac_address'>) =>
  guest_name ?? identifier ?? mac_address ?? 'Unknown guest'

/** The current IP addresses, or the last ones. */
export const addressesOf = ({ ip, ipv6 }: Pick<GuestSession, 'ip' | 'ipv6'>) => (ip === null ? ipv6 : [ip, ...ipv6])

const disconnectWord = 'Disconnect'

export const guestSessionKind: RecordKind<GuestSession> = {
  of: { list: sessions.list, fields: sessions.fields },
  noun: 'sessions',
  nameOf,
  searchKey: 'identifier',
  live_ms: 15_000,
  href: to.sessionHolder,
  consequence: '',
  own: (session) => [
    ...(session.mac_address
      ? [
          linkItem({
            label: 'Sign-in attempts',
            icon: 'history',
            href: to.signInAttempts({ q: session.mac_address }),
          }),
        ]
      : []),
    ...(addressesOf(session).length > 0 && mayCall(sessions.whoseAddress)
      ? [
          linkItem({
            label: 'Who had this address?',
            icon: 'search',
            href: withModal(here(), 'whose-address', { session_id: session.id }),
          }),
        ]
      : []),
    ...(session.online && mayCall(sessions.disconnect)
      ? [
          {
            label: disconnectWord,
            icon: 'disconnect' as const,
            danger: true,
            apart: true,
            onPick: () => go(withModal(here(), 'disconnect-sessions', { session_id: session.id })),
          },
        ]
      : []),
  ],
}

/** The dialog has an address; the ticked sessions are passed to it in memory. */
export const disconnectSeveral: BulkAction = {
  label: disconnectWord,
  icon: 'disconnect',
  danger: true,
  run: (rows) => {
    const [first] = rows
    const done = choose(rows as GuestSession[])
    go(withModal(here(), 'disconnect-sessions', rows.length === 1 && first ? { session_id: first.id } : {}))
    return done
  },
}
