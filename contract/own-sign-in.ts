// Own sign-in: the sessions, the password and the second factor of the signed-in user.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { password, secondFactorCode } from './auth.ts'
import { Endings } from './made-since.ts'
import { moment, nothing } from './shapes.ts'

const { read, write } = callsOf('sessions')

const present = z.string().min(1).max(200)

/** A browser or program in which the user is signed in. */
export const OwnSession = z.object({
  /** The id by which it can be ended. */
  session: z.string(),
  /** Such as `Firefox on Windows`. */
  device: z.string(),
  ip: z.string().nullable(),
  /** The user it acts as. */
  owner_name: z.string(),
  created_at: moment,
  last_used_at: moment,
  /** The session that makes this call. */
  current: z.boolean(),
})
export const SecondFactor = z.object({
  /** When it was set up; null without one. */
  on_since: moment.nullable(),
  recovery_codes_left: z.int().min(0),
})
export const PresentPassword = z.object({ current_password: present })
/** `end`: what was made under the former password, and ends with it. */
export const PasswordChange = PresentPassword.extend({ password, end: Endings.optional() })
/** What is needed to change an existing second factor. */
export const PasswordAndCode = PresentPassword.extend({ code: secondFactorCode })
export const FirstCode = z.object({ code: secondFactorCode })
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** `code`: of the app, or a recovery code; needed where there is a second factor. */
export const Proof = z.object({ password: present, code: secondFactorCode.optional() })

export const list = read('/auth/sessions', nothing, z.array(OwnSession))
export const end = write('/auth/sessions-end', z.object({ session: z.string().min(1).max(40) }), nothing)
/** Gives the password again, for the calls that ask for it. Wrong ones count against this session alone. */
export const prove = write('/auth/prove', Proof, nothing)
/** Ends all other sessions. */
export const changePassword = write('/auth/password', PasswordChange, nothing)

export const secondFactorState = read('/auth/second-factor-state', nothing, SecondFactor)
/** What an app needs to show codes; codes are not required yet. `address` is for its camera, as a QR code. */
export const beginSecondFactor = asking(
  write('/auth/second-factor-begin', PresentPassword, z.object({ secret: z.string(), address: z.string() })),
)
/** Takes the first code; from then on each sign-in needs one. The recovery codes are answered only this once. */
export const confirmSecondFactor = asking(write('/auth/second-factor-confirm', FirstCode, RecoveryCodes))
export const renewRecoveryCodes = asking(write('/auth/second-factor-recovery-codes', PasswordAndCode, RecoveryCodes))
export const removeSecondFactor = asking(write('/auth/second-factor-remove', PasswordAndCode, nothing))
