// CHAP response: what boxes of ChilliSpot's family take in place of a password: a hash of it and of the challenge of their redirect.
import { md5Hash } from './read.ts'

/** A hash of the password and of the challenge, which is first hashed with the secret. */
export function chapResponse(challenge: string, secret: string, password: string): string {
  const bytes = Buffer.from(challenge, 'hex')
  const changed = secret === '' ? bytes : md5Hash(bytes, secret)
  return md5Hash(Uint8Array.of(0), password, changed).toString('hex')
}
