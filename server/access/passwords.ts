// Passwords: hashed with argon2id. Which may be chosen is in chosen-passwords.ts.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { atOnce, Turns } from '#server/turns/turns.ts'

const argon2Async = promisify(argon2)
/** OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** A flood of logins must not stop everyone else's work. Whose login is next is decided earlier (server/turns/shares.ts). */
const turns = new Turns(atOnce(2))

async function digest(password: string, nonce: Buffer) {
  using _turn = await turns.take()
  return await argon2Async('argon2id', { message: password.normalize('NFC'), nonce, ...cost })
}

/** In the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await digest(password, nonce)
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`
}

const dummyHash = await hashPassword(randomBytes(16).toString('hex'))

/** Takes as long without a stored hash as with one, so that timing does not reveal whether a login exists. */
export async function passwordMatches(password: string, stored: string | undefined): Promise<boolean> {
  const [, , , , nonce, tag] = (stored ?? dummyHash).split('$')
  const expected = Buffer.from(tag ?? '', 'base64')
  const found = await digest(password, Buffer.from(nonce ?? '', 'base64'))
  return found.length === expected.length && timingSafeEqual(found, expected) && stored !== undefined
}
