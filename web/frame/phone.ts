// Phone: whether the app was opened on a phone, by client hint or user agent and never by width, and whether its owner
// asked for the desktop site.
import type { Search } from '#web/kit/navigation/search-params.ts'
import { contextOf } from '#web/session/context.ts'

const key = 'foyer-desktop-site'

interface Hints {
  userAgent: string
  userAgentData?: { mobile?: boolean }
}

export function isPhone({ userAgent, userAgentData }: Hints = navigator): boolean {
  return (
    userAgentData?.mobile === true ||
    /iPhone|iPod|Android.*Mobile|Windows Phone|BlackBerry|IEMobile|Opera Mini/i.test(userAgent)
  )
}

export const wantsDesktop = (): boolean => localStorage.getItem(key) === 'yes'
export const setWantsDesktop = (wants: boolean) =>
  wants ? localStorage.setItem(key, 'yes') : localStorage.removeItem(key)

let arrived = false
/**
 * Whether this address leads to /mobile instead. Only opening the app does so, navigating within it does not; and only
 * `/`, sign-in, dashboards and lists do: the address of a record, a form or a dialog opens as it is, also after a reload.
 */
export function goesToMobile(address: { pathname: string; search: Search }, phone = isPhone()): boolean {
  if (arrived) return false
  arrived = true
  return isStart(address) && phone && !wantsDesktop()
}

/** `/`, `/customer/login`, `/group/dashboard`, `/customer/properties`; not `/customer/properties/update?id=4`. */
export function isStart({ pathname, search }: { pathname: string; search: Search }): boolean {
  const [context, screen, ...deeper] = pathname.split('/').filter(Boolean)
  if (search['modal'] !== undefined || search['id'] !== undefined || search['error'] !== undefined || deeper.length > 0)
    return false
  if (context === undefined || context === 'login') return true
  return contextOf(pathname) !== undefined && screen !== undefined && !elsewhere.includes(screen)
}
/** Links in mails and returns from providers open as they are. */
const elsewhere = ['forgot-password', 'reset-password', 'user-profile']
