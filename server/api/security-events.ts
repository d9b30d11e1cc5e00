// Security events: the answers that an installation's operator wants to find in the log, and their names.
import type { FastifyRequest } from 'fastify'
import { refusals } from '#contract/errors.ts'
import { isKeyToken } from '#server/access/authenticate.ts'

export interface SecurityEvent {
  name: string
  /** Access was refused; the other events grant it. */
  grave: boolean
}

const { unauthenticated, forbidden, invalid, tooMany, unavailable } = refusals
const refused = (name: string) => ({ name, grave: true })
const granted = (name: string) => ({ name, grave: false })
const signInRefused = {
  [tooMany.status]: refused('sign_in_refused'),
  [unavailable.status]: refused('sign_in_refused'),
}

/** By route and status. */
const events: Record<string, Record<number, SecurityEvent>> = {
  '/api/v1/auth/login': { 200: granted('sign_in'), [invalid.status]: refused('sign_in_failed'), ...signInRefused },
  '/api/v1/auth/second-factor': {
    200: granted('second_factor'),
    [invalid.status]: refused('second_factor_failed'),
    ...signInRefused,
  },
  '/api/v1/auth/prove': { 200: granted('proven'), [invalid.status]: refused('proof_failed'), ...signInRefused },
  '/api/v1/auth/signup': { 201: granted('sign_up'), [invalid.status]: refused('sign_up_failed') },
  '/api/v1/auth/accept-invitation': { 200: granted('invitation_accepted') },
  '/api/v1/auth/confirm-address': {
    200: granted('address_confirmed'),
    [invalid.status]: refused('confirmation_failed'),
  },
  '/api/v1/auth/forgot-password': { 200: granted('reset_asked') },
  '/api/v1/auth/reset-password': { 200: granted('reset'), [invalid.status]: refused('reset_failed') },
}

export function securityEventOf(request: FastifyRequest, status: number): SecurityEvent | null {
  const { routeOptions, headers, asked_again } = request
  const event = events[routeOptions.url ?? '']?.[status]
  if (event) return event
  if (status === forbidden.status) return asked_again ? granted('asked_again') : refused('denied')
  // An expired session is no event; an unknown or revoked key is one.
  const token = headers.authorization?.replace(/^Bearer /, '')
  return status === unauthenticated.status && token && isKeyToken(token) ? refused('key_refused') : null
}
