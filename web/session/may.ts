// May: what the signed-in user may do, by the `can` that the server sent. The server decides; this only hides buttons, forms and links
// that it would refuse.
//
//   const mayWrite = useMay('groups')
//   const mayInvite = useMayCall(users.invite)
import type { Action, Area } from '#contract/permissions.ts'
import { allows } from '#contract/permissions.ts'
import { session, useSession, type SessionState } from './session.ts'

const allowed = ({ user }: SessionState, area: Area, action: Action) => allows(user?.can ?? {}, area, action)

/** The part of an endpoint that declares the right it requires. */
interface RequiredRight {
  area: Area
  action: Action
}

export const may = (area: Area, action: Action = 'write'): boolean => allowed(session.get(), area, action)
export const useMay = (area: Area, action: Action = 'write'): boolean => allowed(useSession(), area, action)

export const mayCall = ({ area, action }: RequiredRight): boolean => may(area, action)
export const useMayCall = ({ area, action }: RequiredRight): boolean => useMay(area, action)

/** Users who serve guests and manage no property: their home screen is their day, not figures. */
const servesGuests = (state: SessionState) => allowed(state, 'guest_help', 'desk') && !allowed(state, 'rooms', 'write')
export const isFrontDesk = (): boolean => servesGuests(session.get())
export const useIsFrontDesk = (): boolean => servesGuests(useSession())
