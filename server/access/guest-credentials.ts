// Guest credentials: what a guest shows beside a name: a password, proof of one (CHAP), or nothing.
import { createHash, timingSafeEqual } from 'node:crypto'

export type Credentials =
  | { kind: 'none' }
  | { kind: 'password'; password: string }
  | { kind: 'chap'; id: number; challenge: Buffer; response: Buffer }

/** Whether they are of this password. As typed: spaces around it do not count, nor how a letter is written in bytes. */
export function fit(credentials: Credentials, expected: string): boolean {
  if (credentials.kind === 'none') return expected === ''
  if (credentials.kind === 'password')
    return timingSafeEqual(digest(credentials.password.trim()), digest(expected.trim()))
  // What proof is of cannot be seen, so it is compared with each way to write it.
  return (['NFC', 'NFD', 'NFKC'] as const).some((form) => proves(credentials, expected.normalize(form)))
}

interface Named {
  /** Whom the credentials are to name once more: a code, or a conference's user name. */
  name: string
  /** How the guest typed it. */
  typed: string
  /** In which two ways to write it are one. */
  fold: (text: string) => string
  /** How else people write it. */
  forms?: readonly string[]
}
/** Whether they only say again who it is, as gateways with one field send it in both. */
export function repeat(credentials: Credentials, { name, typed, fold, forms = [] }: Named): boolean {
  if (credentials.kind === 'none') return false
  if (credentials.kind === 'password') return fold(credentials.password) === fold(name)
  return [typed, typed.trim(), name, ...forms].some((form) => proves(credentials, form))
}

function proves({ id, challenge, response }: Extract<Credentials, { kind: 'chap' }>, password: string): boolean {
  const proof = createHash('md5').update(Buffer.of(id)).update(password).update(challenge).digest()
  return proof.length === response.length && timingSafeEqual(proof, response)
}

const digest = (text: string) => createHash('sha256').update(text.normalize('NFKC')).digest()
