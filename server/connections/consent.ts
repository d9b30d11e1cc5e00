// Consent: OAuth by a maintained library, whose calls all go through safe fetch.
import * as oauth from 'oauth4webapi'
import { NotReached, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import { jsonBody, ProviderFailure, type Consent } from './provider.ts'

/** What a provider gave. */
export interface Tokens {
  access_token: string
  refresh_token: string | null
  /** Null: it does not expire. */
  expires_in_s: number | null
  scope: string | null
}

const timeout_ms = 10_000

export function openConsent(safeFetch: SafeFetch, name: string, consent: Consent) {
  const server: oauth.AuthorizationServer = {
    issuer: new URL(consent.authorize_url).origin,
    authorization_endpoint: consent.authorize_url,
    token_endpoint: consent.token_url,
    ...(consent.revoke_url === null ? {} : { revocation_endpoint: consent.revoke_url }),
  }
  const client: oauth.Client = { client_id: consent.client_id }
  const proof =
    consent.secret_in === 'header'
      ? oauth.ClientSecretBasic(consent.client_secret)
      : oauth.ClientSecretPost(consent.client_secret)
  const options = {
    // The destination comes from the settings; without TLS it must be in ALLOWED_HOSTS.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: throughGuard(safeFetch, consent.repair),
  }

  return {
    /** The address for the browser, and the verifier to keep meanwhile. */
    async address(redirect_uri: string, state: string): Promise<{ url: string; verifier: string | null }> {
      const url = new URL(consent.authorize_url)
      const verifier = consent.pkce ? oauth.generateRandomCodeVerifier() : null
      const asked = {
        response_type: 'code',
        client_id: consent.client_id,
        redirect_uri,
        state,
        ...(consent.scopes.length > 0 ? { scope: consent.scopes.join(' ') } : {}),
        ...(verifier === null
          ? {}
          : { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }),
      }
      for (const [field, value] of Object.entries(asked)) url.searchParams.set(field, value)
      return { url: url.href, verifier }
    },
    exchange: ({ code, state, redirect_uri, verifier }: Exchanged) =>
      withFailures(name, async () => {
        const params = oauth.validateAuthResponse(server, client, new URLSearchParams({ code, state }), state)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          proof,
          params,
          redirect_uri,
          verifier ?? oauth.nopkce,
          options,
        )
        return tokensIn(await oauth.processAuthorizationCodeResponse(server, client, response))
      }),
    renew: (refresh_token: string) =>
      withFailures(name, async () => {
        const response = await oauth.refreshTokenGrantRequest(server, client, proof, refresh_token, options)
        return tokensIn(await oauth.processRefreshTokenResponse(server, client, response))
      }),
    /** Without anybody's consent: the client's own rights. */
    byCredentials: () =>
      withFailures(
        name,
        async () => {
          const asked = new URLSearchParams(consent.scopes.length > 0 ? { scope: consent.scopes.join(' ') } : {})
          const response = await oauth.clientCredentialsGrantRequest(server, client, proof, asked, options)
          return tokensIn(await oauth.processClientCredentialsResponse(server, client, response))
        },
        consent.client_of,
      ),
    async revoke(token: string): Promise<void> {
      if (consent.revoke_url === null) return
      await withFailures(name, async () =>
        oauth.processRevocationResponse(await oauth.revocationRequest(server, client, proof, token, options)),
      )
    },
    /** The permissions that were requested but not granted. `offline_access` was granted if there is a refresh token. */
    missing: ({ scope, refresh_token }: Tokens): string[] => {
      const granted = scope?.split(' ')
      return consent.scopes.filter((one) =>
        one === 'offline_access' ? refresh_token === null : granted !== undefined && !granted.includes(one),
      )
    },
  }
}
export type OpenConsent = ReturnType<typeof openConsent>

interface Exchanged {
  code: string
  state: string
  redirect_uri: string
  verifier: string | null
}

const tokensIn = (given: oauth.TokenEndpointResponse): Tokens => ({
  access_token: given.access_token,
  refresh_token: given.refresh_token ?? null,
  expires_in_s: given.expires_in ? given.expires_in : null,
  scope: given.scope ?? null,
})

const failures = [oauth.ResponseBodyError, oauth.WWWAuthenticateChallengeError, oauth.OperationProcessingError]

/** Distinguishes an ended consent from a provider that is out of order. */
async function withFailures<R>(
  name: string,
  work: () => Promise<R>,
  client_of = 'this installation’s settings',
): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotReached) throw new ProviderFailure('later', `${name} could not be reached.`)
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant')
      throw new ProviderFailure('reconnect', `${name} says that Foyer no longer has access. Please reconnect.`)
    if (error instanceof oauth.ResponseBodyError && error.status < 500)
      throw new ProviderFailure('later', `${name} does not accept ${client_of} (${error.error}).`)
    if (failures.some((kind) => error instanceof kind))
      throw new ProviderFailure('later', `${name} is not working at the moment.`)
    throw error
  }
}

const throughGuard =
  (safeFetch: SafeFetch, repair: Consent['repair']) =>
  async (
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
  ) => {
    const answer = await safeFetch(url, {
      method: method === 'GET' ? 'GET' : 'POST',
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      redirects_max: 0,
      timeout_ms,
    })
    const json = jsonBody(answer.body)
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
    const text = repair && isObject ? JSON.stringify(repair({ ...json })) : answer.body.toString('utf8')
    return new Response(text === '' ? null : text, {
      status: Math.min(Math.max(answer.status, 200), 599),
      headers: { 'content-type': answer.headers['content-type'] ?? '' },
    })
  }
