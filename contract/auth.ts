// Sessions: signing up and in, forgotten passwords, invitations, switching users.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { constants } from './constants.ts'
import { languages } from './languages.ts'
import { Endings } from './made-since.ts'
import { actions, areas } from './permissions.ts'
import { email, id, mailedName, named, nothing, ownerType, rowOf } from './shapes.ts'

const { read, write } = callsOf('sessions')

/** Its length is checked here; the server also compares it with a list of common passwords. */
export const password = z.string().min(constants.password_length_min).max(200)
/** From a link in a mail, or from a challenge. */
export const linkToken = z.string().min(20).max(200)

/** What somebody may do: `{ accounts: ['read', 'write'], packages: ['read'] }`. */
export const Can = z.partialRecord(z.enum(areas), z.array(z.enum(actions)))
/** One of the users that a login may act as. */
export const SessionUser = z.object({
  id,
  name: z.string(),
  email: z.string(),
  owner_type: ownerType,
  owner_id: id,
  owner_name: z.string(),
  user_type_id: id,
  customer: named,
  can: Can,
  /** The customer requires a second factor, and there is none yet: until it is set up, only calls of `/auth` are allowed. */
  second_factor_due: z.boolean(),
  /** The customer's mails to others wait until this person has confirmed the address they signed up with. */
  mails_wait: z.boolean(),
  /** That the person has chosen for the app; null: none yet. */
  language: z.enum(languages).nullable(),
  /** Acts in a sample: everything there is invented, and nothing leaves it. */
  sample: z.boolean(),
  /** The customer whose sample it is; null: it is none. */
  sample_of: id.nullable(),
})
/** `users`: the others that the same login may switch to. */
export const Me = SessionUser.extend({ users: z.array(SessionUser) }).meta({ id: 'Me' })
export const SignedIn = z.object({ access_token: z.string(), user: SessionUser, users: z.array(SessionUser) })
/**
 * `device` is answered if the request had an `X-Device`: 16 to 64 letters, digits, hyphens or underscores that the client chose.
 * If the client sends `device` as its `X-Device` from then on, its sign-in attempts are throttled separately from those of its address.
 */
export const NewSession = SignedIn.extend({ device: z.string().nullable() })
/** The password was right, and a second factor is needed: send both to `/auth/second-factor` within five minutes. */
export const Challenge = z.object({ challenge: z.string() })
/** From the app, or one of the recovery codes. */
export const secondFactorCode = z.string().trim().min(6).max(40)

export const Credentials = z.object({ email, password: z.string().min(1).max(200) })
export const SignUp = z.object({ company_name: mailedName(), name: mailedName(), email, password })
export const ResetRequest = z.object({ email })
/** `end`: what was made under the former password, and ends with it. */
export const NewPassword = z.object({ token: linkToken, password, end: Endings.optional() })
/** For an address that already has a login, `password` is that login's password and `name` is ignored. */
export const Acceptance = z.object({
  token: linkToken,
  name: mailedName().optional(),
  password: z.string().min(1).max(200),
})

export const login = write('/auth/login', Credentials, z.union([NewSession, Challenge]))
/** Answers like the log-in. Each code works once, and a challenge allows five attempts. */
export const secondFactor = write(
  '/auth/second-factor',
  z.object({ challenge: linkToken, code: secondFactorCode }),
  NewSession,
)
/** An address that has a login opens another customer with its existing password, and is asked for its second factor. */
export const signup = write('/auth/signup', SignUp, z.union([NewSession, Challenge]))
export const forgotPassword = write('/auth/forgot-password', ResetRequest, nothing)
export const resetPassword = write('/auth/reset-password', NewPassword, nothing)
export const acceptInvitation = write('/auth/accept-invitation', Acceptance, z.union([NewSession, Challenge]))
export const me = read('/auth/me', nothing, Me)
export const switchUser = write('/auth/switch', z.object({ user_id: rowOf('users') }), SignedIn)
/** For whichever user one acts as; null: that of the browser. */
export const chooseLanguage = write('/auth/language', z.object({ language: z.enum(languages).nullish() }), nothing)
/** 'Sign out everywhere': ends every session of the login. Signing out of one browser is local and needs no call. */
export const logout = write('/auth/logout', nothing, nothing)
