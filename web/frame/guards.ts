// Guards: who may see which address, and where everyone else is sent (specification, section 2).
import { redirect } from '@tanstack/react-router'
import type { Context } from '#contract/shapes.ts'
import { one, type Search } from '#web/kit/navigation/search-params.ts'
import { to } from '#web/paths.ts'
import { contextOf, enterContext } from '#web/session/context.ts'
import { homeContext, session } from '#web/session/session.ts'
import { rememberReturn } from './return-address.ts'

export interface Visit {
  pathname: string
  href: string
  search: Search
}

/** Throws the address to go to instead. */
const send = (href: string): never => {
  throw redirect({ href, replace: true })
}

function belongsTo(context: Context) {
  return (visit: Visit) => {
    const { user } = session.get()
    if (!user) {
      rememberReturn(visit.href)
      return send(to.login(context))
    }
    if (user.second_factor_due) send(to.secondFactorDue())
    if (homeContext(user) !== context) send(to.dashboard(homeContext(user)))
  }
}

export const guards = {
  /** Login, sign-up, forgotten password: not for those who are in. */
  signedOutOnly: () => {
    const { user } = session.get()
    if (user) send(to.dashboard(homeContext(user)))
  },
  /** An address without a context means nothing: somebody who is in works in their own, anyone else sees an error page. */
  hasContext: () => {
    const { user } = session.get()
    if (user) send(to.dashboard(homeContext(user)))
  },
  isCustomer: belongsTo('customer'),
  isGroup: belongsTo('group'),
  isProperty: belongsTo('property'),
  /** Any context, but somebody. */
  isSomebody: (visit: Visit) => {
    if (session.get().user?.second_factor_due) send(to.secondFactorDue())
    if (session.get().user) return
    rememberReturn(visit.href)
    send(to.login())
  },
  /** Somebody whose customer asks for a second factor that they have not got yet. */
  isDue: () => {
    const { user } = session.get()
    if (!user) send(to.login())
    else if (!user.second_factor_due) send(to.dashboard(homeContext(user)))
  },
} as const
export type GuardName = keyof typeof guards
export const guardOf: Record<Context, GuardName> = { customer: 'isCustomer', group: 'isGroup', property: 'isProperty' }

/** An unknown name is a fault of ours: the error page says 500. */
export function runGuard(name: string, visit: Visit) {
  if (!Object.hasOwn(guards, name)) throw Object.assign(new Error(`Unknown middleware: ${name}`), { status: 500 })
  guards[name as GuardName](visit)
}

/**
 * A provider that refused (OAuth) comes back with `error` in the address, wherever it was sent to, the profile included:
 * the integrations page shows it as `error_message`.
 */
export function heedErrorInAddress(visit: Visit) {
  const error = one(visit.search['error'])
  const { user } = session.get()
  if (!error || !user) return
  enterContext(contextOf(visit.pathname) ?? homeContext(user))
  send(to.userProfile(user.id, 'integrations', { error_message: error }))
}
