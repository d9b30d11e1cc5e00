// Generic OAuth: connections by consent of kinds without calls of their own: this installation's client at their provider, the flow of
// consent, and the calls that are made with what it gave.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import { clash } from '#server/errors/refused.ts'
import type { Config } from '#server/start/config.ts'
import { openConsent } from './consent.ts'
import type { TokenOwner, Provider, SealedTokens } from './kind.ts'
import { kinds } from './kinds.ts'
import { openOAuth, type Returned } from './oauth-flow.ts'
import { ProviderFailure, type Ask } from './provider.ts'
import type { TokenAccess, Offered } from './tokens.ts'

const connection: TokenOwner = {
  word: 'connection',
  table: 'connections',
  tokens: {
    column: 'connection_id',
    placeOf: (id) => `connection ${id}`,
    read: (id) => sql<SealedTokens>`select * from connection_tokens(${id})`,
  },
}

/** Which provider a connection has. */
export interface Named {
  kind: string
  integration_type: string
}

/** Undefined for a kind with calls of its own, and for what only a later release knows. */
export const providerOf = ({ kind, integration_type }: Named): Provider | undefined =>
  kinds.find(({ word }) => word === kind)?.providers.find((one) => one.integration_type === integration_type)

export interface GenericNeeds extends TokenAccess {
  clients: Config['clients']
  public_url: string
}

const wordOf = (integration_type: string) => integration_type.toUpperCase().replaceAll('-', '_')

/** Whether people can connect it here: by a key they always can. */
export const isAvailable = ({ clients }: Pick<GenericNeeds, 'clients'>, { consent, integration_type }: Provider) =>
  consent === undefined || wordOf(integration_type) in clients

/** What a flow stores of it. */
const inFlow = ({ kind, integration_type }: Named) => `${kind} ${integration_type}`

function offeredOf({ clients, safeFetch }: Pick<GenericNeeds, 'clients' | 'safeFetch'>, stored: string): Offered {
  const [kind = '', integration_type = ''] = stored.split(' ')
  const provider = providerOf({ kind, integration_type })
  if (!provider?.consent) throw clash('This is not connected by consent.')
  const client = clients[wordOf(provider.integration_type)]
  if (!client) throw clash(`This installation is not set up for ${provider.name}. Ask whoever runs Foyer.`)
  const { name } = provider
  return { name, consent: openConsent(safeFetch, name, { ...provider.consent, ...client }) }
}

export function openConnectionConsents(needs: GenericNeeds) {
  const oauth = openOAuth(needs, {
    owner: connection,
    offeredOf: (stored) => offeredOf(needs, stored),
    redirectUri: () => `${needs.public_url}/customer/connections`,
  })
  return {
    ...oauth,

    begin: (caller: Caller, { id, ...named }: Named & { id: number }) => oauth.begin(caller, inFlow(named), id),

    async finish(caller: Caller, returned: Returned) {
      const { again, tokens, ask } = await oauth.finish(caller, returned)
      return { id: again ?? 0, tokens, ask }
    },

    revoke: (caller: Caller, { id, ...named }: Named & { id: number }) => oauth.revoke(caller, id, inFlow(named)),

    ask: (caller: Caller, provider: Provider, { id, ...named }: Named & { id: number }): Ask =>
      isAvailable(needs, provider)
        ? oauth.ask(caller, id, inFlow(named))
        : () =>
            Promise.reject(
              new ProviderFailure('later', `This installation is not set up for ${provider.name} any more.`),
            ),
  }
}
