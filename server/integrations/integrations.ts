// Integrations: the providers of the books and of marketing that this installation knows, and the consent of a user at one of them.
import type { z } from 'zod'
import { oneOf } from '#contract/field-errors.ts'
import type { Provider as ProviderShape } from '#contract/integrations.ts'
import type { Caller } from '#server/access/principal.ts'
import { accounting } from '#server/connections/accounting/kind.ts'
import { openConsent } from '#server/connections/consent.ts'
import type { TokenOwner } from '#server/connections/kind.ts'
import { marketing } from '#server/connections/marketing/kind.ts'
import { openOAuth } from '#server/connections/oauth-flow.ts'
import type { TokenAccess } from '#server/connections/tokens.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Config } from '#server/start/config.ts'
import type { AccountingProvider } from './accounting-provider.ts'
import type { IntegrationKind } from './kind.ts'
import { integrationKinds } from './kinds.ts'
import type { MarketingProvider } from './marketing-provider.ts'

interface Options extends TokenAccess {
  config: Config
}

export type Integrations = ReturnType<typeof openIntegrations>

export const openIntegrations = (options: Options) => ({
  accounting: openProviders(options, accounting, integrationKinds.accounting),
  marketing: openProviders(options, marketing, integrationKinds.marketing),
})

function openProviders<P extends AccountingProvider | MarketingProvider>(
  { config, ...access }: Options,
  owner: TokenOwner,
  kinds: readonly IntegrationKind<P>[],
) {
  const offered = kinds.flatMap(({ definition: { name }, open }) => {
    const opened = open(config)
    return opened ? [{ ...opened, name, consent: openConsent(access.safeFetch, name, opened.consent) }] : []
  })
  const find = (integration_type: string) =>
    offered.find(({ provider }) => provider.definition.integration_type === integration_type)

  function offeredOf(integration_type: string) {
    const found = find(integration_type)
    if (!found) throw invalid({ integration_type: ['This installation is not set up for it. Ask whoever runs Foyer.'] })
    return found
  }

  const words = kinds.map(({ definition }) => definition.integration_type)

  const redirect_uri = `${config.public_url}/customer/user-profile?context=integrations`
  const oauth = openOAuth(access, { owner, offeredOf, redirectUri: () => redirect_uri })

  return {
    ...oauth,

    /** The providers that can be connected, and the form fields of each. */
    providers: (): z.output<typeof ProviderShape>[] =>
      kinds.map(({ definition: { integration_type, name, parameters } }) => ({
        integration_type,
        name,
        parameters,
        available: find(integration_type) !== undefined,
      })),

    /** The provider that consent is asked of: that of the connection that is renewed, else the one that was asked for, else the first. */
    wordOf(asked: string | undefined, renewed: { integration_type: string } | undefined): string {
      const those = renewed ? [renewed.integration_type] : words
      const [word = ''] = asked === undefined ? those : [asked]
      if (!those.includes(word)) throw invalid({ integration_type: [oneOf(those)] })
      return word
    },

    /** Refuses a filter by words of no provider. */
    refuseUnknown(filter: string | string[] | undefined): void {
      const at = (index: number) => (Array.isArray(filter) ? `.${index}` : '')
      const unknown = [filter ?? []].flat().flatMap((word, index) => (words.includes(word) ? [] : [at(index)]))
      if (unknown.length > 0)
        throw invalid(Object.fromEntries(unknown.map((index) => [`filters.integration_type${index}`, [oneOf(words)]])))
    },

    /** The provider of a connection, and the function that calls it. */
    use: (caller: Caller, id: number, integration_type: string) => ({
      provider: offeredOf(integration_type).provider,
      ask: oauth.ask(caller, id, integration_type),
    }),
  }
}
