// Context: the kind of owner that the user works for: customer, group or property. It is the first segment of the address.
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
