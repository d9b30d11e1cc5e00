// Integrations: the providers that this installation knows, and the consent flow of a user at one of them.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Provider as ProviderShape } from '#contract/integrations.ts'
import { userIdOf, type Caller } from '#server/access/principal.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Config } from '#server/start/config.ts'
import type { AccountingProvider } from './accounting-provider.ts'
import { openConsent, type OpenConsent, type Tokens } from './consent.ts'
import { mailchimp } from './mailchimp/client.ts'
import * as mailchimpsDefinition from './mailchimp/definition.ts'
import type { MarketingProvider } from './marketing-provider.ts'
import { ProviderFailure, type Ask, type Definition, type Kind } from './provider.ts'
import {
  askWith,
  askWithNew,
  forgetTokens,
  keepTokens,
  moveTokens,
  tokenToRevoke,
  type Access,
  type Connection,
} from './tokens.ts'
import { xero } from './xero/client.ts'
import * as xerosDefinition from './xero/definition.ts'

interface Providers {
  accounting: AccountingProvider
  marketing: MarketingProvider
}
interface Offered<P> {
  provider: P
  consent: OpenConsent
  api_url: string
}

interface Options extends Access {
  config: Pick<Config, 'xero' | 'mailchimp' | 'public_url'>
}

/** The time for giving consent at the provider. */
const consent_s = 600
const hashOf = (state: string) => createHash('sha256').update(state).digest()

export type Integrations = ReturnType<typeof openIntegrations>

export function openIntegrations({ config, ...access }: Options) {
  const { tenancy, seal, safeFetch } = access
  const offered: { [K in Kind]: readonly Offered<Providers[K]>[] } = {
    accounting: config.xero
      ? [
          {
            provider: xero,
            consent: openConsent(safeFetch, xero.definition.name, xerosDefinition.consentOf(config.xero)),
            api_url: config.xero.api_url,
          },
        ]
      : [],
    marketing: config.mailchimp
      ? [
          {
            provider: mailchimp(config.mailchimp),
            consent: openConsent(safeFetch, 'Mailchimp', mailchimpsDefinition.consentOf(config.mailchimp)),
            api_url: config.mailchimp.api_url ?? '',
          },
        ]
      : [],
  }
  const known: Definition[] = [xerosDefinition.definition, mailchimpsDefinition.definition]

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
    providers: (kind: Kind): z.output<typeof ProviderShape>[] =>
      known
        .filter((definition) => definition.kind === kind)
        .map(({ integration_type, name, parameters }) => ({
          integration_type,
          name,
          parameters,
          available: offered[kind].some(({ provider }) => provider.definition.integration_type === integration_type),
        })),

    /** Begins the flow: the provider's address, valid once and for this user only. */
    async begin(caller: Caller, kind: Kind, integration_type: string, again: number | null): Promise<{ url: string }> {
      const { consent } = offeredOf(kind, integration_type)
      const person = personOf(caller)
      // The page that they return to reads the kind from it.
      const state = `${kind}.${randomBytes(32).toString('base64url')}`
      const { url, verifier } = await consent.address(redirectUri(config.public_url), state)
      const hash = hashOf(state)
      const sealed =
        verifier === null
          ? null
          : seal.close(verifier, placeIn('oauth_states.sealed_code_verifier', caller, hash.toString('hex')))
      await tenancy.enter(caller, 'write', (scope) =>
        scope.run(sql`
          select begin_connection(${hash}, ${person}, ${kind}, ${integration_type}, ${sealed}::bytea, ${again}::integer, ${consent_s})`),
      )
      return { url }
    },

    /** Ends the flow, once, and returns what the consent has given. */
    async finish<K extends Kind>(caller: Caller, kind: K, { code, state }: { code: string; state: string }) {
      const hash = hashOf(state)
      const [pending] = await tenancy.enter(caller, 'write', (scope) =>
        scope.run(sql<PendingConsent>`select * from finish_connection(${hash}, ${personOf(caller)}, ${kind})`),
      )
      if (!pending) throw invalid({ state: ['This was begun elsewhere, or too long ago. Please connect again.'] })
      const { sealed_code_verifier, integration_type, integration_id } = pending
      const chosen = offeredOf(kind, integration_type)
      const place = placeIn('oauth_states.sealed_code_verifier', caller, hash.toString('hex'))
      const tokens = await exchanged(chosen.consent, {
        code,
        state,
        redirect_uri: redirectUri(config.public_url),
        verifier: sealed_code_verifier && seal.open(sealed_code_verifier, place),
      })
      refuseMissing(chosen, tokens)
      return {
        provider: chosen.provider,
        tokens,
        again: integration_id,
        ask: askWithNew(safeFetch, provided(chosen), tokens),
      }
    },

    /** The provider of a connection, and the function that calls it. */
    use<K extends Kind>(caller: Caller, connection: Connection & { kind: K }, integration_type: string) {
      const chosen = offeredOf(connection.kind, integration_type)
      const ask: Ask = askWith(access, caller, connection, provided(chosen))
      return { provider: chosen.provider, ask }
    },

    /** Revokes consent. The provider may be unreachable; our tokens are deleted in any case. */
    async revoke(caller: Caller, connection: Connection, integration_type: string): Promise<void> {
      try {
        const token = await tokenToRevoke(access, caller, connection)
        if (token !== null) await offeredOf(connection.kind, integration_type).consent.revoke(token)
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

interface PendingConsent {
  integration_type: string
  sealed_code_verifier: Buffer | null
  integration_id: number | null
}

const redirectUri = (public_url: string) => `${public_url}/customer/user-profile?context=integrations`

/** Only a person can give consent. */
function personOf(caller: Caller): number {
  const person = userIdOf(caller)
  if (person === null) throw forbidden()
  return person
}

async function exchanged(consent: OpenConsent, given: Parameters<OpenConsent['exchange']>[0]): Promise<Tokens> {
  try {
    return await consent.exchange(given)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const sentence = error.failing === 'reconnect' ? 'The provider does not take this code.' : error.message
    throw invalid({ code: [`${sentence} Please connect again.`] })
  }
}

function refuseMissing({ provider, consent }: Offered<{ definition: Definition }>, tokens: Tokens) {
  const missing = consent.missing(tokens)
  if (missing.length === 0) return
  const { name } = provider.definition
  throw invalid({
    code: [`${name} did not give the permission ${missing.join(', ')}. Please connect again and allow it.`],
  })
}
