// Login passwords: how all nodes know the passwords of the logins that Foyer creates itself. Each is random and stored in the
// comment of its role, sealed under the secret key: it stays the same when that key is changed, so other nodes stay connected.

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { escapeLiteral, type Client } from 'pg'
import { CannotStart } from '#server/start/cannot-start.ts'
import { openSeal, type Seal } from '#server/secrets/seal.ts'
import { passwordPlace } from '#server/secrets/sealed-columns.ts'
import type { SecretKeys } from '#server/start/secret-key.ts'

export const logins = ['foyer_owner', 'foyer_app', 'foyer_auth', 'foyer_guest'] as const
export type DatabaseLogin = (typeof logins)[number]

interface Options {
  secretKeys: SecretKeys
  /** Only this process uses the server, so a key that does not match can only mean that the key was changed. */
  exclusive: boolean
  log: (line: string) => void
}

const sealed_mark = 'Foyer, sealed '
/** For logins whose password was derived from the key itself. */
const former_mark = 'Foyer, key '

/**
 * Creates the login, or takes it as it is; returns its password. A login that somebody else created under this name gets a new
 * password. A second installation on the same server must not change the first one's.
 */
export async function ensureLogin(server: Client, login: DatabaseLogin, { secretKeys, exclusive, log }: Options) {
  const seal = openSeal(secretKeys)
  const comment = await commentOf(server, login)
  if (comment?.startsWith(sealed_mark) || comment?.startsWith(former_mark)) {
    const known = knownPassword(seal, secretKeys, login, comment)
    if (known !== null) {
      if (comment.startsWith(former_mark)) await keep(server, login, seal, known)
      return known
    }
    if (!exclusive)
      throw new CannotStart(
        `SECRET_KEY is not the one with which ${login} was made on this server. All nodes need the same key, and a ` +
          'second installation needs a server of its own. If the key was changed on purpose, give both, the new one ' +
          'first, with a comma between them, and run `npm run rotate-key`. If it is lost, run ' +
          `\`${logins.map((one) => `comment on role ${one} is null`).join('; ')}\` and start again; what the old key has ` +
          'sealed must be entered again.',
      )
    log('SECRET_KEY has changed: provider tokens and gateway secrets that the old key has sealed must be entered again')
  }
  const password = randomBytes(24).toString('base64url')
  const verb = comment === undefined ? 'create' : 'alter'
  await server.query(`${verb} role ${login} login password ${escapeLiteral(verifier(password))}`)
  await keep(server, login, seal, password)
  return password
}

/** Seals the passwords of these logins under the newest key. */
export async function resealLogins(server: Client, logins: readonly string[], secretKeys: SecretKeys): Promise<void> {
  const seal = openSeal(secretKeys)
  for (const login of logins) {
    const password = knownPassword(seal, secretKeys, login, (await commentOf(server, login)) ?? '')
    if (password !== null) await keep(server, login, seal, password)
  }
}

/** Undefined if there is no such role. */
async function commentOf(server: Client, login: string): Promise<string | null | undefined> {
  const { rows } = await server.query<{ comment: string | null }>(
    `select shobj_description(oid, 'pg_authid') as comment from pg_roles where rolname = $1`,
    [login],
  )
  return rows[0]?.comment
}

const keep = (server: Client, login: string, seal: Seal, password: string) =>
  server.query(
    `comment on role ${login} is ` +
      escapeLiteral(sealed_mark + seal.close(password, passwordPlace(login)).toString('base64')),
  )

/** Null if none of the keys opens it. */
function knownPassword(seal: Seal, secretKeys: SecretKeys, login: string, comment: string): string | null {
  if (comment.startsWith(former_mark)) {
    const key = secretKeys().find((one) => comment === former_mark + derive(one, 'mark').slice(0, 12))
    return key === undefined ? null : derive(key, `login ${login}`)
  }
  try {
    return seal.open(Buffer.from(comment.slice(sealed_mark.length), 'base64'), passwordPlace(login))
  } catch {
    return null
  }
}

const derive = (secretKey: string, purpose: string) =>
  createHmac('sha256', secretKey).update(`foyer: ${purpose}`).digest('base64url')

/** What PostgreSQL stores for a password (SCRAM-SHA-256, RFC 5803). Set in this form because a server's log may show the statement. */
function verifier(password: string): string {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const key = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(key('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${key('Server Key').toString('base64')}`
}
