// Return address: where one was when the login came between; one goes back there afterwards.
const key = 'foyer-return'

export const rememberReturn = (href: string) => sessionStorage.setItem(key, href)
/** Given once. */
export function takeReturn(): string | undefined {
  const href = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  // Only our own paths; `//host` would lead elsewhere.
  return href && /^\/(?!\/)/.test(href) ? href : undefined
}
