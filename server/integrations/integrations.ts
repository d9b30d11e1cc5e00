// Integrations: the providers that this installation knows, and the consent flow of a user at one of them.
import type { z } from 'zod'
import type { Provider as ProviderShape } from '#contract/integrations.ts'
import type { Caller } from '#server/access/principal.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Config } from '#server/start/config.ts'
import { openConsent, type OpenConsent, type Tokens } from '#server/connections/consent.ts'
import type { Opened, Providers } from './known-provider.ts'
import type { Ask } from '#server/connections/provider.ts'
import type { Kind } from '#server/integrations/definition.ts'
import { providers } from './providers.ts'
import {
  askWith,
  askWithNew,
  forgetTokens,
  keepTokens,
  moveTokens,
  tokenToRevoke,
  type Access,
  type Connection,
} from '#server/connections/tokens.ts'
import { beginWalk, endWalk, type Returned } from '#server/connections/walks.ts'

interface Offered<P> extends Omit<Opened<P>, 'consent'> {
  consent: OpenConsent
}

interface Of<K extends Kind> {
  word: K
}

interface Options extends Access {
  config: Config
}

export type Integrations = ReturnType<typeof openIntegrations>

export function openIntegrations({ config, ...access }: Options) {
  const { seal, safeFetch } = access
  const offeredIn = <K extends Kind>(kind: K): Offered<Providers[K]>[] =>
    providers[kind].flatMap(({ definition, open }) => {
      const opened = open(config)
      return opened ? [{ ...opened, consent: openConsent(safeFetch, definition.name, opened.consent) }] : []
    })
  const offered: { [K in Kind]: readonly Offered<Providers[K]>[] } = {
    accounting: offeredIn('accounting'),
    marketing: offeredIn('marketing'),
  }

  function offeredOf<K extends Kind>(kind: K, integration_type: string): Offered<Providers[K]> {
    const found = offered[kind].find(({ provider }) => provider.definition.integration_type === integration_type)
    if (!found) throw invalid({ integration_type: ['This installation is not set up for it. Ask whoever runs Foyer.'] })
    return found
  }
  const provided = <K extends Kind>({ provider, consent, api_url }: Offered<Providers[K]>) => ({
    name: provider.definition.name,
    consent,
    api_url,
  })

  return {
    /** The providers that can be connected, and the form fields of each. */
    providers: ({ word: kind }: Of<Kind>): z.output<typeof ProviderShape>[] =>
      providers[kind].map(({ definition: { integration_type, name, parameters } }) => ({
        integration_type,
        name,
        parameters,
        available: offered[kind].some(({ provider }) => provider.definition.integration_type === integration_type),
      })),

    /** Begins the flow: the provider's address, valid once and for this user only. */
    begin: (
      caller: Caller,
      { word: kind }: Of<Kind>,
      integration_type: string,
      again: number | null,
    ): Promise<{ url: string }> =>
      beginWalk(access, caller, offeredOf(kind, integration_type).consent, {
        kind,
        provider: integration_type,
        again,
        redirect_uri: redirectUri(config.public_url),
      }),

    /** Ends the flow, once, and returns what the consent has given. */
    async finish<K extends Kind>(caller: Caller, { word: kind }: Of<K>, returned: Returned) {
      const {
        offered: chosen,
        again,
        tokens,
      } = await endWalk(access, caller, returned, {
        kind,
        redirect_uri: redirectUri(config.public_url),
        offeredAs: (integration_type) => {
          const found = offeredOf(kind, integration_type)
          return { ...found, name: found.provider.definition.name }
        },
      })
      return { provider: chosen.provider, tokens, again, ask: askWithNew(safeFetch, provided(chosen), tokens) }
    },

    /** The provider of a connection, and the function that calls it. */
    use<K extends Kind>(caller: Caller, connection: Connection & { kind: Of<K> }, integration_type: string) {
      const chosen = offeredOf(connection.kind.word, integration_type)
      const ask: Ask = askWith(access, caller, connection, provided(chosen))
      return { provider: chosen.provider, ask }
    },

    /** Revokes consent. The provider may be unreachable; our tokens are deleted in any case. */
    async revoke(caller: Caller, connection: Connection & { kind: Of<Kind> }, integration_type: string): Promise<void> {
      try {
        const token = await tokenToRevoke(access, caller, connection)
        if (token !== null) await offeredOf(connection.kind.word, integration_type).consent.revoke(token)
      } catch {
        // The token is no longer used, and it expires.
      }
    },

    keepTokens: (scope: Parameters<typeof keepTokens>[0], connection: Connection, tokens: Tokens) =>
      keepTokens(scope, seal, connection, tokens),
    moveTokens: (scope: Parameters<typeof moveTokens>[0], from: Connection, to: Connection) =>
      moveTokens(scope, seal, from, to),
    forgetTokens,
  }
}

const redirectUri = (public_url: string) => `${public_url}/customer/user-profile?context=integrations`
