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

/** Throws a redirect to the address to open instead. */
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
  /** Login, sign-up, forgotten password: only for users who are not signed in. */
  signedOutOnly: () => {
    const { user } = session.get()
    if (user) send(to.dashboard(homeContext(user)))
  },
  /** A link of a mail, which works for whoever has it. Without its token it is nobody's. */
  mailedLink: (visit: Visit) => {
    const { user } = session.get()
    if (user && !one(visit.search['token'])) send(to.dashboard(homeContext(user)))
  },
  /** An address without a context: a signed-in user is sent to their own context, anyone else sees an error page. */
  hasContext: () => {
    const { user } = session.get()
    if (user) send(to.dashboard(homeContext(user)))
  },
  isCustomer: belongsTo('customer'),
  isGroup: belongsTo('group'),
  isProperty: belongsTo('property'),
  /** Any context, but signed in. */
  isSomebody: (visit: Visit) => {
    if (session.get().user?.second_factor_due) send(to.secondFactorDue())
    if (session.get().user) return
    rememberReturn(visit.href)
    send(to.login())
  },
  /** A user whose customer requires a second factor that they have not set up yet. */
  isDue: () => {
    const { user } = session.get()
    if (!user) send(to.login())
    else if (!user.second_factor_due) send(to.dashboard(homeContext(user)))
  },
} as const
export type GuardName = keyof typeof guards
export const guardOf: Record<Context, GuardName> = { customer: 'isCustomer', group: 'isGroup', property: 'isProperty' }

/** An unknown name is a bug: the error page says 500. */
export function runGuard(name: string, visit: Visit) {
  if (!Object.hasOwn(guards, name)) throw Object.assign(new Error(`Unknown middleware: ${name}`), { status: 500 })
  guards[name as GuardName](visit)
}

/**
 * After a refusal an OAuth provider returns to us with `error` in the address, on any page including the profile; the
 * integrations page shows it as `error_message`.
 */
export function heedErrorInAddress(visit: Visit) {
  const error = one(visit.search['error'])
  const { user } = session.get()
  if (!error || !user) return
  enterContext(contextOf(visit.pathname) ?? homeContext(user))
  send(to.userProfile(user.id, 'integrations', { error_message: error }))
}
