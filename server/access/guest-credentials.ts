// Guest credentials: what a guest shows beside a name: a password, proof of one (CHAP), or nothing.
import { createHash, timingSafeEqual } from 'node:crypto'

export type Credentials =
  | { kind: 'none' }
  | { kind: 'password'; password: string }
  | { kind: 'chap'; id: number; challenge: Buffer; response: Buffer }

/** Whether they are of this password. As typed: spaces around it do not count, nor how a letter's accent is written. */
export function fit(credentials: Credentials, expected: string): boolean {
  if (credentials.kind === 'none') return expected === ''
  if (credentials.kind === 'password')
    return timingSafeEqual(digest(credentials.password.trim()), digest(expected.trim()))
  const { id, challenge, response } = credentials
  const proof = createHash('md5').update(Buffer.of(id)).update(expected).update(challenge).digest()
  return proof.length === response.length && timingSafeEqual(proof, response)
}

const digest = (text: string) => createHash('sha256').update(text.normalize('NFC')).digest()
