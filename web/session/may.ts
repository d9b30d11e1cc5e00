// May: what the signed-in user may do, by the `can` that the server told. The server decides; this only spares people
// the buttons, forms and links that it would refuse.
//
//   const mayWrite = useMay('groups')
//   const mayInvite = useMayCall(users.invite)
import type { Action, Area } from '#contract/permissions.ts'
import { allows } from '#contract/permissions.ts'
import { session, useSession, type SessionState } from './session.ts'

const allowed = ({ user }: SessionState, area: Area, action: Action) => allows(user?.can ?? {}, area, action)

/** The part of an endpoint that says what right it takes. */
interface Rightful {
  area: Area
  action: Action
}

export const may = (area: Area, action: Action = 'write'): boolean => allowed(session.get(), area, action)
export const useMay = (area: Area, action: Action = 'write'): boolean => allowed(useSession(), area, action)

export const mayCall = ({ area, action }: Rightful): boolean => may(area, action)
export const useMayCall = ({ area, action }: Rightful): boolean => useMay(area, action)

/** Whoever serves guests and keeps no place: what they see first is their day, not figures. */
const servesGuests = (state: SessionState) => allowed(state, 'guest_help', 'desk') && !allowed(state, 'rooms', 'write')
export const isFrontDesk = (): boolean => servesGuests(session.get())
export const useIsFrontDesk = (): boolean => servesGuests(useSession())
