// Authenticate: how a request becomes a caller. Sessions and API keys are opaque tokens of which only a SHA-256 is stored,
// looked up on each request, so that a downgrade or a disabled user takes effect at once and on every node.
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import Negotiator from 'negotiator'
import { isLanguage, languages, type Language } from '#contract/languages.ts'
import { reachOfKey, rightsOfKey, type Key } from '#server/access/key-rights.ts'
import { rightsOf, rightsWithoutSecondFactor, type Role } from '#server/access/policies.ts'
import { Refused, tooMuch } from '#server/errors/refused.ts'
import type { Caller } from '#server/access/principal.ts'
import { ownerOf, reachOf } from '#server/access/reach.ts'
import type { Tenancy } from '#server/access/tenancy.ts'

/** A signed-in person, acting as one user. */
export interface WebSession {
  caller: Caller
  user: LoginUser
  login_id: number
  token_hash: Buffer
  /** What it is known by, whichever of its users it is switched to. */
  handle: string
  /** The password was given within the last hour, at the sign-in or again. */
  proven: boolean
}

/** A row of `door_users`: one of the users of a login. */
export interface LoginUser {
  user_id: number
  customer_id: number
  customer_name: string
  group_id: number | null
  property_id: number | null
  owner_name: string
  user_type_id: number
  role: Role
  name: string
  email: string
  second_factor_due: boolean
  mails_wait: boolean
}

/** A row of `door_api_key`. */
interface KeyHolder extends Pick<Key, 'role' | 'permissions' | 'property_ids'> {
  api_key_id: number
  customer_id: number
  group_id: number | null
  property_id: number | null
  name: string
}

/** Who asks: a person in a session, or a program with an API key and no session. */
export interface Admitted {
  caller: Caller
  session: WebSession | null
}

/** The session of a call that a key may not make. Refuses with 401 where there is none. */
export function signedIn(session: WebSession | null): WebSession {
  if (!session) throw new Refused('unauthenticated')
  return session
}

export interface Authenticator {
  /** Refuses with 401 unless the request carries a live token, and with 429 when that token asks too often. */
  byToken(request: FastifyRequest): Promise<Admitted>
}

export const newToken = () => randomBytes(32).toString('base64url')
/** Marks API keys: one that turns up in a file is recognised, and only one table needs to be asked. */
const key_prefix = 'foyer_'
export const newKeyToken = () => key_prefix + newToken()
export const isKeyToken = (token: string) => token.startsWith(key_prefix)
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

export function callerOf(user: LoginUser, ip: string | null): Caller {
  const owner = ownerOf(user)
  return {
    customer_id: user.customer_id,
    principal: { kind: 'user', id: user.user_id, name: user.name, email: user.email },
    owner,
    reach: reachOf(owner),
    can: user.second_factor_due ? rightsWithoutSecondFactor : rightsOf(owner.owner_type, user.role),
    ip,
  }
}

function callerOfKey({ api_key_id, name, ...holder }: KeyHolder, ip: string | null): Caller {
  const owner = ownerOf(holder)
  const key: Key = { ...holder, owner }
  return {
    customer_id: holder.customer_id,
    principal: { kind: 'api_key', id: api_key_id, name, email: null },
    owner,
    reach: reachOfKey(key),
    can: rightsOfKey(key),
    ip,
  }
}

/** Of those that the app speaks, the one that is asked for. */
const languageIn = (headers: FastifyRequest['headers']): Language =>
  new Negotiator({ headers }).languages([...languages]).find(isLanguage) ?? 'en'

/** How long the password that was given proves who acts in a session. */
const proof_life_s = 3600

interface Bounds {
  session_idle_s: number
  /** For each principal. */
  requests_per_minute: number
}

export function openAuthenticator(tenancy: Tenancy, { session_idle_s, requests_per_minute }: Bounds): Authenticator {
  async function bySession(token_hash: Buffer, { headers, ip }: FastifyRequest): Promise<WebSession> {
    // Polling in the background does not keep a session alive.
    const used = headers['x-background'] === undefined
    const [found] = await tenancy.callFunction(
      sql<LoginUser & { login_id: number; session: string; proven: boolean; wait_s: number }>`
        select * from door_admit(${token_hash}, ${session_idle_s}, ${requests_per_minute}, ${used}, ${proof_life_s})`,
    )
    if (!found) throw new Refused('unauthenticated')
    const { login_id, session: handle, proven, wait_s, ...user } = found
    if (wait_s > 0) throw tooMuch(wait_s)
    const caller = { ...callerOf(user, ip), session: handle, language: languageIn(headers) }
    return { caller, user, login_id, token_hash, handle, proven }
  }

  async function byKey(token_hash: Buffer, { ip }: FastifyRequest): Promise<Caller> {
    const [found] = await tenancy.callFunction(
      sql<KeyHolder & { wait_s: number }>`select * from door_api_key(${token_hash}, ${requests_per_minute})`,
    )
    if (!found) throw new Refused('unauthenticated')
    const { wait_s, ...holder } = found
    if (wait_s > 0) throw tooMuch(wait_s)
    return callerOfKey(holder, ip)
  }

  return {
    async byToken(request) {
      const token = /^Bearer (\S{20,200})$/.exec(request.headers.authorization ?? '')?.[1]
      if (token === undefined) throw new Refused('unauthenticated')
      const token_hash = hashOf(token)
      if (isKeyToken(token)) return { caller: await byKey(token_hash, request), session: null }
      const session = await bySession(token_hash, request)
      return { caller: session.caller, session }
    },
  }
}
