// Address confirmation: a user who signed up proves that the address is their own, by a link sent to it; whoever else it belongs to takes
// it off.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { email, moment, nothing } from './shapes.ts'
import { linkToken } from './auth.ts'

const { read, write } = callsOf('sessions')

/** `password`: of the sign-up, where the browser that signed up is not the one that opens the link. */
export const Confirmation = z.object({ token: linkToken, password: z.string().min(1).max(200).optional() })
const Link = z.object({ token: linkToken })
export const AnotherAddress = z.object({ email })

const SignUpToConfirm = z.object({
  company_name: z.string(),
  signed_up_at: moment,
  /** This browser is not signed in by it. */
  asks_password: z.boolean(),
  /** It can no longer be said that it was somebody else. */
  confirmed: z.boolean(),
})

/** What the page of the link shows; null if the link is no longer valid. */
export const toConfirm = read('/auth/address-to-confirm', Link, z.object({ sign_up: SignUpToConfirm.nullable() }))
/**
 * Opening the mail and having signed up prove that the address is one's own, together: with the session that signed up, or with its
 * password. A link works for 7 days, or until a newer one is sent.
 */
export const confirmAddress = write('/auth/confirm-address', Confirmation, nothing)
/** Whoever opens the mail has not signed up: the address is taken off, and is written to no more. Only while it is not confirmed. */
export const notMe = write('/auth/not-me', Link, nothing)
/** In place of an address that was taken off, within 7 days. It is sent a link. */
export const anotherAddress = write('/auth/another-address', AnotherAddress, nothing)
/** Sends the link to the signed-in user again; does nothing for a customer that waits for no confirmation. */
export const sendConfirmation = write('/auth/send-confirmation', nothing, nothing)
