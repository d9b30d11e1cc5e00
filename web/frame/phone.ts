// Phone: whether the app was opened on a phone, by client hint or user agent and never by width, and whether its owner
// asked for the desktop site.
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
/** The first address of a visit: only opening the app leads to /mobile, moving about in it does not. */
export function goesToMobile(pathname: string): boolean {
  if (arrived) return false
  arrived = true
  const admin = pathname === '/' || /^\/(customer|group|property)\//.test(pathname)
  const guest = /\/(login|forgot-password|reset-password)$/.test(pathname)
  return admin && !guest && isPhone() && !wantsDesktop()
}
