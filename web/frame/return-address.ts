// Return address: the address that was open before the login, to return to afterwards.
const key = 'foyer-return'

export const rememberReturn = (href: string) => sessionStorage.setItem(key, href)
/** Returned once, then forgotten. */
export function takeReturn(): string | undefined {
  const href = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  // Only our own paths: `//host` leads to another site.
  return href && /^\/(?!\/)/.test(href) ? href : undefined
}
