// Owls: a kind of connection that no release has, put into the list of kinds: a company at which people give consent, and its stand-in: an
// OAuth server that takes a code and a refresh token once, asks for PKCE, for the client's secret and for the very address that it was
// registered with, and ends a consent of which a used token is sent again.
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { ConnectionKind, Provider } from '#server/connections/kind.ts'
import { kinds } from '#server/connections/kinds.ts'
import { failureOf, readAnswer } from '#server/connections/provider.ts'
import { consentPage, openProvider, withQuery, type ProviderRequest, type Reply } from './provider-server.ts'

const name = 'Acme Owls'
const client = { id: 'foyer-at-owls', secret: 'a secret of the owls' }
const scopes = ['nests.read', 'offline_access']
const access_s = 1800
const Nest = z.object({ nest: z.string() })

interface Code {
  challenge: string
  redirect_uri: string
  scope: string
}
interface Grant {
  access: string
  refresh: string
  used: string[]
  is_over: boolean
}

/** @param isRegistered whether it sends people back there */
export async function openOwls(
  isRegistered: (address: string) => boolean = (address) => address === 'http://foyer.test/customer/connections',
) {
  const codes = new Map<string, Code>()
  const grants: Grant[] = []
  const nest = { name: 'Barn nest' }
  let withheld: string[] = []
  const token = () => randomBytes(24).toString('base64url')
  const wrong = (error: string, status = 400): Reply => ({ status, body: { error } })
  const tokensOf = ({ access, refresh }: Grant, scope: string): Reply => ({
    status: 200,
    body: { access_token: access, token_type: 'Bearer', expires_in: access_s, refresh_token: refresh, scope },
  })

  function authorize({ query }: ProviderRequest): Reply {
    const [back, state] = [query.get('redirect_uri') ?? '', query.get('state') ?? '']
    if (query.get('client_id') !== client.id) return wrong('unauthorized_client')
    if (!isRegistered(back)) return wrong('invalid_request')
    if (query.get('code_challenge_method') !== 'S256') return wrong('invalid_request')
    const scope = (query.get('scope') ?? '').split(' ').filter((one) => !withheld.includes(one))
    const code = token()
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect_uri: back, scope: scope.join(' ') })
    const refused = withQuery(back, { error: 'access_denied', state })
    return consentPage(name, withQuery(back, { code, state }), refused)
  }

  function tokens({ headers, body }: ProviderRequest): Reply {
    const form = new URLSearchParams(body)
    const proof = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
    const [id = '', given = ''] = proof.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    if (id !== client.id || given !== client.secret) return wrong('invalid_client', 401)
    if (form.get('grant_type') === 'authorization_code') {
      const code = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const hashed = createHash('sha256').update(form.get('code_verifier') ?? '')
      if (!code || form.get('redirect_uri') !== code.redirect_uri || hashed.digest('base64url') !== code.challenge)
        return wrong('invalid_grant')
      const grant: Grant = { access: token(), refresh: token(), used: [], is_over: false }
      grants.push(grant)
      return tokensOf(grant, code.scope)
    }
    const sent = form.get('refresh_token') ?? ''
    const grant = grants.find(({ refresh, used }) => refresh === sent || used.includes(sent))
    if (grant?.used.includes(sent)) grant.is_over = true
    if (!grant || grant.is_over) return wrong('invalid_grant')
    grant.used.push(sent)
    Object.assign(grant, { access: token(), refresh: token() })
    return tokensOf(grant, scopes.join(' '))
  }

  const endConsent = () => {
    for (const grant of grants) grant.is_over = true
  }

  const server = await openProvider((asked) => {
    const { path, headers, body } = asked
    if (path === '/authorize') return authorize(asked)
    if (path === '/token') return tokens(asked)
    // From its own page: somebody takes their consent back.
    if (path === '/end') {
      endConsent()
      return { status: 200 }
    }
    if (path === '/revoke') {
      const sent = new URLSearchParams(body).get('token')
      for (const grant of grants) if (grant.refresh === sent) grant.is_over = true
      return { status: 200 }
    }
    const grant = grants.find(({ access }) => headers.authorization === `Bearer ${access}`)
    return grant && !grant.is_over ? { status: 200, body: { nest: nest.name } } : { status: 401 }
  })

  const provider: Provider = {
    integration_type: 'acme-owls',
    name,
    parameters: [
      { key: 'wood', label: 'Wood', kind: 'text', choices: [], required: true, once: true, help: null },
      { key: 'hoot', label: 'Hoot', kind: 'secret', choices: [], required: false, once: false, help: null },
    ],
    consent: {
      authorize_url: `${server.url}/authorize`,
      token_url: `${server.url}/token`,
      revoke_url: `${server.url}/revoke`,
      scopes,
      secret_in: 'header',
      pkce: true,
    },
    account: async (call, { wood }) => {
      const answer = await call(`${server.url}/nest/${String(wood)}`)
      if (answer.status !== 200) throw failureOf(name, answer, null)
      return readAnswer(name, Nest, answer).nest
    },
  }
  const owls: ConnectionKind = { word: 'night_owls', name: 'Night owls', calls: null, providers: [provider] }
  ;(kinds as ConnectionKind[]).push(owls)

  return {
    server,
    grants,
    nest,
    client,
    env: { ACME_OWLS_CLIENT_ID: client.id, ACME_OWLS_CLIENT_SECRET: client.secret, ALLOWED_HOSTS: '127.0.0.1' },
    asked: { kind: owls.word, integration_type: provider.integration_type, settings: { wood: 'oak' } },
    /** Those that the next consent does not give. */
    withhold: (...scope: string[]) => void (withheld = scope),
    endConsent,
    /** What a person is sent back with who allows it. */
    async consent(address: string): Promise<{ code: string; state: string }> {
      const page = await fetch(address)
      const link = /href="([^"]+)">Allow/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&')
      if (!link) throw new Error(`no consent at ${address}: ${page.status}`)
      const { searchParams } = new URL(link)
      return { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
    },
    async close() {
      ;(kinds as ConnectionKind[]).splice(kinds.indexOf(owls), 1)
      await server.close()
    },
  }
}
