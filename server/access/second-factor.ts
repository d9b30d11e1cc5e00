// Second factor: codes of an app that change every half minute (TOTP, RFC 6238), and recovery codes for a lost telephone.
import { Secret, TOTP } from 'otpauth'
import type { Fingerprint } from '#server/secrets/seal.ts'
import type { SealedPlace } from '#server/secrets/sealed-columns.ts'

/** What apps assume by default; some ignore other values. */
const kind = { issuer: 'Foyer', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Clocks differ, and people type slowly: the previous code and the next one are accepted, too. */
const steps_tolerated = 1
const secret_bytes = 20

export const newFactorSecret = () => new Secret({ size: secret_bytes }).base32

/** The `otpauth:` address in the QR code that an app reads. */
export const setUpAddressOf = (secret: string, email: string) => new TOTP({ ...kind, secret, label: email }).toString()

/** The half minute that a code belongs to, counted since 1970; null where it is not valid. */
export function timeStepOf(secret: string, code: string, now_ms = Date.now()): number | null {
  const totp = new TOTP({ ...kind, secret })
  const delta = totp.validate({ token: code, window: steps_tolerated, timestamp: now_ms })
  return delta === null ? null : Math.floor(now_ms / 1000 / kind.period) + delta
}

/** Six digits come from the app; anything else can only be a recovery code. */
export const isOfApp = (typed: string) => /^\d{6}$/.test(typed.replaceAll(/\s/g, ''))

export const secretPlace = (login_id: number): SealedPlace => ({
  column: 'second_factors.sealed_secret',
  customer_id: null,
  row: login_id,
})

/** Keyed, so that the stored hashes are of no use without the installation's key; different for each login. */
export const recoveryHash = (fingerprint: Fingerprint, login_id: number, code: string) =>
  fingerprint(`recovery code ${login_id} ${code}`).toString('hex')
