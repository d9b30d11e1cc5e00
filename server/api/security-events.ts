// Security events: which answers somebody who watches over an installation wants to find again, and what they are called.
import type { FastifyRequest } from 'fastify'
import { refusals } from '#contract/errors.ts'
import { isKeyToken } from '#server/access/authenticate.ts'

export interface SecurityEvent {
  name: string
  /** Somebody was kept out; the others let somebody in. */
  grave: boolean
}

const { unauthenticated, forbidden, invalid, tooMany, unavailable } = refusals
const kept_out = (name: string) => ({ name, grave: true })
const let_in = (name: string) => ({ name, grave: false })
const signInRefused = {
  [tooMany.status]: kept_out('sign_in_refused'),
  [unavailable.status]: kept_out('sign_in_refused'),
}

/** By route and status. */
const events: Record<string, Record<number, SecurityEvent>> = {
  '/api/v1/auth/login': { 200: let_in('sign_in'), [invalid.status]: kept_out('sign_in_failed'), ...signInRefused },
  '/api/v1/auth/second-factor': {
    200: let_in('second_factor'),
    [invalid.status]: kept_out('second_factor_failed'),
    ...signInRefused,
  },
  '/api/v1/auth/signup': { 201: let_in('sign_up'), [invalid.status]: kept_out('sign_up_failed') },
  '/api/v1/auth/accept-invitation': { 200: let_in('invitation_accepted') },
  '/api/v1/auth/confirm-address': {
    200: let_in('address_confirmed'),
    [invalid.status]: kept_out('confirmation_failed'),
  },
  '/api/v1/auth/forgot-password': { 200: let_in('reset_asked') },
  '/api/v1/auth/reset-password': { 200: let_in('reset'), [invalid.status]: kept_out('reset_failed') },
}

export function securityEventOf({ routeOptions, headers }: FastifyRequest, status: number): SecurityEvent | null {
  const event = events[routeOptions.url ?? '']?.[status]
  if (event) return event
  if (status === forbidden.status) return kept_out('denied')
  // A session that has run out is no event; a key that is known no more is one.
  const token = headers.authorization?.replace(/^Bearer /, '')
  return status === unauthenticated.status && token && isKeyToken(token) ? kept_out('key_refused') : null
}
