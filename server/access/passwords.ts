// Passwords: argon2id, and the list of those that everybody tries first.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { dictionary } from '@zxcvbn-ts/language-common'
import { Refused } from '#server/access/refused.ts'

const argon2Async = promisify(argon2)
/** OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

const common = new Set(dictionary['passwords-common'].map((password) => password.toLowerCase()))
export const isCommon = (password: string) => common.has(password.toLowerCase())

/** Two at a time, and a short queue: a flood of logins must not stop everyone else's work. */
const turns = { running: 0, running_max: 2, waiting: [] as (() => void)[], waiting_max: 20 }
async function inTurn<R>(work: () => Promise<R>): Promise<R> {
  if (turns.running >= turns.running_max) {
    if (turns.waiting.length >= turns.waiting_max) throw new Refused('unavailable', { retry_after_s: 1 })
    await new Promise<void>((resolve) => turns.waiting.push(resolve))
  }
  turns.running++
  try {
    return await work()
  } finally {
    turns.running--
    turns.waiting.shift()?.()
  }
}

const digest = (password: string, nonce: Buffer) =>
  inTurn(() => argon2Async('argon2id', { message: password.normalize('NFC'), nonce, ...cost }))

/** In the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await digest(password, nonce)
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`
}

const nobodys = await hashPassword(randomBytes(16).toString('hex'))

/** Takes as long without a stored hash as with one, so that time does not tell whether a login exists. */
export async function passwordFits(password: string, stored: string | undefined): Promise<boolean> {
  const [, , , , nonce, tag] = (stored ?? nobodys).split('$')
  const expected = Buffer.from(tag ?? '', 'base64')
  const found = await digest(password, Buffer.from(nonce ?? '', 'base64'))
  return found.length === expected.length && timingSafeEqual(found, expected) && stored !== undefined
}
