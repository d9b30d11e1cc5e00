// OAuth flow: a person is sent to a provider, gives consent there and comes back, once and as the same person; what they gave is kept with
// their connection, called with, and revoked.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { userIdOf, type Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { OpenConsent, Tokens } from './consent.ts'
import type { TokenOwner } from './kind.ts'
import { ProviderFailure, type Ask } from './provider.ts'
import {
  askWith,
  askWithNew,
  forgetTokens,
  keepTokens,
  moveTokens,
  tokenToRevoke,
  type TokenAccess,
  type Connection,
  type Offered,
} from './tokens.ts'

/** The time for giving consent at the provider. */
const consent_s = 600
const hashOf = (state: string) => createHash('sha256').update(state).digest()

interface Flow<O extends Offered> {
  owner: TokenOwner
  /** By the word under which a flow stores its provider. Throws a refusal where this installation is not set up for it. */
  offeredOf: (provider: string) => O
  /** Where the provider sends people back to. */
  redirectUri: (caller: Caller) => string
}

export function openOAuth<O extends Offered>(access: TokenAccess, { owner, offeredOf, redirectUri }: Flow<O>) {
  const { seal, safeFetch } = access
  const of = (id: number): Connection => ({ kind: owner, id })
  return {
    /** The provider's address, valid once and for this person only. `again`: the connection that is renewed; null: a new one. */
    begin: async (caller: Caller, provider: string, again: number | null): Promise<{ url: string }> =>
      beginOAuth(access, caller, offeredOf(provider).consent, {
        kind: owner.word,
        provider,
        again,
        redirect_uri: redirectUri(caller),
      }),

    /** Once: which provider it was, for which connection, what the consent has given, and how to call with that before it is kept. */
    async finish(caller: Caller, returned: Returned) {
      const { provider, again, ...proof } = await finishOAuth(access, caller, owner.word, returned)
      const offered = offeredOf(provider)
      const { code, state } = returned
      const tokens = await exchanged(offered.consent, { code, state, redirect_uri: redirectUri(caller), ...proof })
      refuseMissing(offered, tokens)
      return { offered, again, tokens, ask: askWithNew(safeFetch, offered, tokens) }
    },

    keep: (scope: Scope, id: number, tokens: Tokens) => keepTokens(scope, seal, of(id), tokens),
    /** To another connection of the same consent. */
    move: (scope: Scope, from: number, to: number) => moveTokens(scope, seal, of(from), of(to)),
    forget: (scope: Scope, id: number) => forgetTokens(scope, of(id)),

    /** The provider may be unreachable; our tokens are deleted in any case. */
    async revoke(caller: Caller, id: number, provider: string): Promise<void> {
      try {
        const token = await tokenToRevoke(access, caller, of(id))
        if (token !== null) await offeredOf(provider).consent.revoke(token)
      } catch {
        // The token is no longer used, and it expires.
      }
    },

    /** Calls with what the consent has given. */
    ask: (caller: Caller, id: number, provider: string): Ask => askWith(access, caller, of(id), offeredOf(provider)),
  }
}

interface Needs {
  tenancy: Tenancy
  seal: Seal
}

interface Begun {
  kind: string
  provider: string
  again: number | null
  redirect_uri: string
}

async function beginOAuth(
  { tenancy, seal }: Needs,
  caller: Caller,
  consent: OpenConsent,
  { kind, provider, again, redirect_uri }: Begun,
): Promise<{ url: string }> {
  const person = personOf(caller)
  // The page that they return to reads the kind from it.
  const state = `${kind}.${randomBytes(32).toString('base64url')}`
  const { url, verifier } = await consent.address(redirect_uri, state)
  const hash = hashOf(state)
  const sealed = verifier === null ? null : seal.close(verifier, placeOf(caller, hash))
  await tenancy.enter(caller, 'write', (scope) =>
    scope.run(sql`
      select begin_connection(${hash}, ${person}, ${kind}, ${provider}, ${sealed}::bytea, ${again}::integer, ${consent_s})`),
  )
  return { url }
}

/** What the provider has sent the browser back with. */
export interface Returned {
  code: string
  state: string
}

interface Pending {
  integration_type: string
  sealed_code_verifier: Buffer | null
  integration_id: number | null
}

async function finishOAuth({ tenancy, seal }: Needs, caller: Caller, kind: string, { state }: Returned) {
  const hash = hashOf(state)
  const [pending] = await tenancy.enter(caller, 'write', (scope) =>
    scope.run(sql<Pending>`select * from finish_connection(${hash}, ${personOf(caller)}, ${kind})`),
  )
  if (!pending) throw invalid({ state: ['This was started elsewhere, or too long ago. Please connect again.'] })
  const { sealed_code_verifier, integration_type, integration_id } = pending
  const verifier = sealed_code_verifier && seal.open(sealed_code_verifier, placeOf(caller, hash))
  return { provider: integration_type, again: integration_id, verifier }
}

const placeOf = (caller: Caller, hash: Buffer) =>
  placeIn('oauth_states.sealed_code_verifier', caller, hash.toString('hex'))

/** Only a person can give consent. */
function personOf(caller: Caller): number {
  const person = userIdOf(caller)
  if (person === null) throw clash('Only a person can give consent. Sign in, and connect it there.')
  return person
}

async function exchanged(consent: OpenConsent, given: Parameters<OpenConsent['exchange']>[0]): Promise<Tokens> {
  try {
    return await consent.exchange(given)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const sentence = error.failing === 'reconnect' ? 'The provider did not accept this code.' : error.message
    throw invalid({ code: [`${sentence} Please connect again.`] })
  }
}

function refuseMissing({ name, consent }: Offered, tokens: Tokens) {
  const missing = consent.missing(tokens)
  if (missing.length === 0) return
  throw invalid({
    code: [`${name} did not give the permission ${missing.join(', ')}. Please connect again and allow it.`],
  })
}
