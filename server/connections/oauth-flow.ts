// Walks: a person's way to a provider, where they give consent, and back: begun and ended once, by the same person.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { userIdOf, type Caller } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { OpenConsent, Tokens } from './consent.ts'
import { ProviderFailure } from './provider.ts'

/** The time for giving consent at the provider. */
const consent_s = 600
const hashOf = (state: string) => createHash('sha256').update(state).digest()

interface Needs {
  tenancy: Tenancy
  seal: Seal
}

interface Walk {
  /** The word of the kind. */
  kind: string
  /** Which provider of that kind. */
  provider: string
  /** The connection that is renewed; null: a new one. */
  again: number | null
  redirect_uri: string
}

/** Begins it: the provider's address, valid once and for this person only. */
export async function beginWalk(
  { tenancy, seal }: Needs,
  caller: Caller,
  consent: OpenConsent,
  { kind, provider, again, redirect_uri }: Walk,
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

/** Ends it, once: which provider it was, for which connection, and what the consent has given. */
export async function endWalk<O extends { name: string; consent: OpenConsent }>(
  { tenancy, seal }: Needs,
  caller: Caller,
  { code, state }: Returned,
  { kind, redirect_uri, offeredAs }: { kind: string; redirect_uri: string; offeredAs: (provider: string) => O },
): Promise<{ offered: O; again: number | null; tokens: Tokens }> {
  const hash = hashOf(state)
  const [pending] = await tenancy.enter(caller, 'write', (scope) =>
    scope.run(sql<Pending>`select * from finish_connection(${hash}, ${personOf(caller)}, ${kind})`),
  )
  if (!pending) throw invalid({ state: ['This was started elsewhere, or too long ago. Please connect again.'] })
  const { sealed_code_verifier, integration_type, integration_id } = pending
  const offered = offeredAs(integration_type)
  const verifier = sealed_code_verifier && seal.open(sealed_code_verifier, placeOf(caller, hash))
  const tokens = await exchanged(offered.consent, { code, state, redirect_uri, verifier })
  refuseMissing(offered, tokens)
  return { offered, again: integration_id, tokens }
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

function refuseMissing({ name, consent }: { name: string; consent: OpenConsent }, tokens: Tokens) {
  const missing = consent.missing(tokens)
  if (missing.length === 0) return
  throw invalid({
    code: [`${name} did not give the permission ${missing.join(', ')}. Please connect again and allow it.`],
  })
}
