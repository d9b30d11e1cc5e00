// Consented: connections by consent, of kinds without calls of their own: a person's way to the provider and back, and the calls that are
// made with what they gave.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { clash } from '#server/errors/refused.ts'
import type { Config } from '#server/start/config.ts'
import { openConsent, type OpenConsent, type Tokens } from './consent.ts'
import type { Holder, Provider, SealedTokens } from './kind.ts'
import { kinds } from './kinds.ts'
import { ProviderFailure, type Ask } from './provider.ts'
import { askWith, askWithNew, forgetTokens, keepTokens, tokenToRevoke, type Access, type Connection } from './tokens.ts'
import { beginWalk, endWalk, type Returned } from './walks.ts'

const connection: Holder = {
  word: 'connection',
  table: 'connections',
  tokens: {
    column: 'connection_id',
    placeOf: (id) => `connection ${id}`,
    read: (id) => sql<SealedTokens>`select * from connection_tokens(${id})`,
  },
}
const of = (id: number): Connection => ({ kind: connection, id })

/** Which provider a connection has. */
export interface Named {
  kind: string
  integration_type: string
}

/** Undefined for a kind with calls of its own, and for what only a later release knows. */
export const providerOf = ({ kind, integration_type }: Named): Provider | undefined =>
  kinds.find(({ word }) => word === kind)?.providers.find((one) => one.integration_type === integration_type)

interface Offered {
  name: string
  consent: OpenConsent
  /** Providers say whole addresses. */
  api_url: string
}

export interface Needs extends Access {
  clients: Config['clients']
}

const wordOf = (integration_type: string) => integration_type.toUpperCase().replaceAll('-', '_')

/** Whether people can connect it here: by a key they always can. */
export const isAvailable = ({ clients }: Pick<Needs, 'clients'>, { consent, integration_type }: Provider) =>
  consent === undefined || wordOf(integration_type) in clients

function offered({ clients, safeFetch }: Pick<Needs, 'clients' | 'safeFetch'>, named: Named): Offered {
  const provider = providerOf(named)
  if (!provider?.consent) throw clash('This is not connected by consent.')
  const client = clients[wordOf(provider.integration_type)]
  if (!client) throw clash(`This installation is not set up for ${provider.name}. Ask whoever runs Foyer.`)
  const { name } = provider
  return { name, consent: openConsent(safeFetch, name, { ...provider.consent, ...client }), api_url: '' }
}

const redirectUri = (public_url: string) => `${public_url}/customer/connections`

/** The provider's address, valid once and for this person only. */
export const beginConsent = async (
  { public_url, ...needs }: Needs & { public_url: string },
  caller: Caller,
  { id, ...named }: Named & { id: number },
): Promise<{ url: string }> =>
  beginWalk(needs, caller, offered(needs, named).consent, {
    kind: connection.word,
    provider: `${named.kind} ${named.integration_type}`,
    again: id,
    redirect_uri: redirectUri(public_url),
  })

/** For which connection it was, and a way to call with what was given before that is stored. */
export async function endConsent(
  { public_url, ...needs }: Needs & { public_url: string },
  caller: Caller,
  returned: Returned,
): Promise<{ id: number; tokens: Tokens; call: Ask }> {
  const {
    offered: chosen,
    again,
    tokens,
  } = await endWalk(needs, caller, returned, {
    kind: connection.word,
    redirect_uri: redirectUri(public_url),
    offeredAs: (provider) => {
      const [kind = '', integration_type = ''] = provider.split(' ')
      return offered(needs, { kind, integration_type })
    },
  })
  return { id: again ?? 0, tokens, call: askWithNew(needs.safeFetch, chosen, tokens) }
}

export const keepConsent = (scope: Scope, { seal }: Pick<Needs, 'seal'>, id: number, tokens: Tokens) =>
  keepTokens(scope, seal, of(id), tokens)
export const forgetConsent = (scope: Scope, id: number) => forgetTokens(scope, of(id))

/** Takes consent back. The provider may be unreachable; our tokens are deleted in any case. */
export async function revokeConsent(needs: Needs, caller: Caller, { id, ...named }: Named & { id: number }) {
  try {
    const token = await tokenToRevoke(needs, caller, of(id))
    if (token !== null) await offered(needs, named).consent.revoke(token)
  } catch {
    // The token is no longer used, and it expires.
  }
}

/** Calls with what a consent has given. */
export const callConsented = (
  needs: Needs,
  caller: Caller,
  provider: Provider,
  { id, ...named }: Named & { id: number },
): Ask =>
  isAvailable(needs, provider)
    ? askWith(needs, caller, of(id), offered(needs, named))
    : () =>
        Promise.reject(new ProviderFailure('later', `This installation is not set up for ${provider.name} any more.`))
