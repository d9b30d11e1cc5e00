// Guest credentials: what a guest presents along with a name: a password, proof of one (CHAP), or nothing.
import { createHash, timingSafeEqual } from 'node:crypto'

export type Credentials =
  | { kind: 'none' }
  | { kind: 'password'; password: string }
  | { kind: 'chap'; id: number; challenge: Buffer; response: Buffer }

/** Whether they match this password. Spaces around it and its Unicode normalisation do not count. */
export function matches(credentials: Credentials, expected: string): boolean {
  if (credentials.kind === 'none') return expected === ''
  if (credentials.kind === 'password')
    return timingSafeEqual(digest(credentials.password.trim()), digest(expected.trim()))
  // The password behind a proof cannot be seen, so each way to encode the expected one is tried.
  return (['NFC', 'NFD', 'NFKC'] as const).some((form) => proves(credentials, expected.normalize(form)))
}

interface Named {
  /** The name that the credentials may repeat: a code, or a conference's user name. */
  name: string
  /** The name as the guest typed it. */
  typed: string
  /** Maps all ways to write the name to one. */
  fold: (text: string) => string
  /** Other common ways to write it. */
  forms?: readonly string[]
}
/** Whether they only repeat the name: gateways with a single input field send it in both. */
export function repeatName(credentials: Credentials, { name, typed, fold, forms = [] }: Named): boolean {
  if (credentials.kind === 'none') return false
  if (credentials.kind === 'password') return fold(credentials.password) === fold(name)
  return [typed, typed.trim(), name, ...forms].some((form) => proves(credentials, form))
}

function proves({ id, challenge, response }: Extract<Credentials, { kind: 'chap' }>, password: string): boolean {
  const proof = createHash('md5').update(Buffer.of(id)).update(password).update(challenge).digest()
  return proof.length === response.length && timingSafeEqual(proof, response)
}

const digest = (text: string) => createHash('sha256').update(text.normalize('NFKC')).digest()
