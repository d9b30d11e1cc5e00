// Context: as what one works here: customer, group or property. The first segment of the address says it.
import { contexts, type Context } from '#contract/shapes.ts'

let current: Context = 'customer'

export const appContext = (): Context => current
/** Set by the router before a screen of that context opens. */
export const enterContext = (context: Context) => {
  current = context
}
/** `/group/dashboard` → `group`; an address without a context → undefined. */
export const contextOf = (pathname: string): Context | undefined =>
  contexts.find((context) => pathname.split('/')[1] === context)
/** `/group/dashboard` → `dashboard`, `/group/users/update/` → `users/update`. */
export const screenIn = (pathname: string): string => pathname.split('/').slice(2).filter(Boolean).join('/')
