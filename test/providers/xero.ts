// Xero: a stand-in with its behaviour: consent with PKCE, rotating tokens with a grace period for the former one after a lost answer,
// organisations, contacts by pages, and its error messages.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { consentPage, openProvider, withQuery, type ProviderRequest, type Reply } from './provider-server.ts'
import { draftBooks, type XeroOrganisation } from './xero-drafts.ts'

const client = { id: 'foyer-at-xero', secret: 'a secret of this test' }
const access_s = 1800
const grace_ms = 30 * 60_000

interface Code {
  challenge: string | null
  redirect_uri: string
  scope: string
}
interface Grant {
  scope: string
  refresh: string
  former: { token: string; until: number } | null
  access: { token: string; until: number }[]
  over: boolean
}

export type Xero = Awaited<ReturnType<typeof openXero>>

export async function openXero(port?: number) {
  const codes = new Map<string, Code>()
  const grants: Grant[] = []
  const organisations: XeroOrganisation[] = []
  const books = draftBooks()
  /** The scopes that the next consent does not grant. */
  let withheld: string[] = []
  let skew_ms = 0
  const now = () => Date.now() + skew_ms
  const secret = () => randomBytes(24).toString('base64url')

  const anOrganisation = (name: string): XeroOrganisation => ({
    tenantId: randomUUID(),
    name,
    connected: true,
    contacts: [],
    currencies: ['GBP'],
    lock_date: null,
  })
  organisations.push(anOrganisation('Maple Hotels Ltd'))

  const tokensOf = (grant: Grant) => {
    const access = secret()
    grant.access.push({ token: access, until: now() + access_s * 1000 })
    const { scope, refresh: refresh_token } = grant
    return { access_token: access, token_type: 'Bearer', expires_in: access_s, refresh_token, scope }
  }
  const wrong = (error: string, status = 400): Reply => ({ status, body: { error } })

  function token({ headers, body }: ProviderRequest): Reply {
    const form = new URLSearchParams(body)
    const proof = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
    const [id = '', given = ''] = proof.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    if (id !== client.id || given !== client.secret) return wrong('invalid_client', 401)
    if (form.get('grant_type') === 'authorization_code') {
      const code = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      if (!code || form.get('redirect_uri') !== code.redirect_uri) return wrong('invalid_grant')
      const hashed = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (code.challenge !== null && hashed !== code.challenge) return wrong('invalid_grant')
      const grant: Grant = { scope: code.scope, refresh: secret(), former: null, access: [], over: false }
      grants.push(grant)
      return { status: 200, body: tokensOf(grant) }
    }
    if (form.get('grant_type') !== 'refresh_token') return wrong('unsupported_grant_type')
    const sent = form.get('refresh_token')
    const grant = grants.find(({ refresh, former }) => refresh === sent || former?.token === sent)
    const isFormer = grant !== undefined && grant.refresh !== sent
    if (!grant || grant.over || (isFormer && (grant.former?.until ?? 0) < now())) return wrong('invalid_grant')
    if (!isFormer) grant.former = { token: grant.refresh, until: now() + grace_ms }
    // The former token is revoked: only one is valid.
    grant.access = []
    grant.refresh = secret()
    return { status: 200, body: tokensOf(grant) }
  }

  function grantOf({ headers }: ProviderRequest): Grant | Reply {
    const sent = (headers.authorization ?? '').replace(/^Bearer /, '')
    const grant = grants.find(({ access }) => access.some((one) => one.token === sent))
    const found = grant?.access.find((one) => one.token === sent)
    const Detail = found && found.until < now() ? 'TokenExpired: token expired' : 'AuthenticationUnsuccessful'
    if (!grant || !found || grant.over || found.until < now())
      return { status: 401, body: { Type: null, Title: 'Unauthorized', Status: 401, Detail, Extensions: {} } }
    return grant
  }

  function accounting(asked: ProviderRequest, organisation: XeroOrganisation): Reply {
    const path = asked.path.replace('/api.xro/2.0', '')
    switch (path) {
      case '/Organisation':
        return {
          status: 200,
          body: {
            Organisations: [
              {
                OrganisationID: organisation.tenantId,
                Name: organisation.name,
                BaseCurrency: organisation.currencies[0],
                ShortCode: '!abc',
                ...(organisation.lock_date
                  ? { PeriodLockDate: `/Date(${Date.parse(organisation.lock_date)}+0000)/` }
                  : {}),
              },
            ],
          },
        }
      case '/Accounts':
        return {
          status: 200,
          body: {
            Accounts: [
              { Code: '200', Name: 'Sales', Class: 'REVENUE', Status: 'ACTIVE', Type: 'REVENUE' },
              { Code: '260', Name: 'Other Revenue', Class: 'REVENUE', Status: 'ACTIVE', Type: 'REVENUE' },
            ],
          },
        }
      case '/TaxRates':
        return {
          status: 200,
          body: {
            TaxRates: [
              { Name: '20% (VAT on Income)', TaxType: 'OUTPUT2', Status: 'ACTIVE', CanApplyToRevenue: true },
              { Name: 'No VAT', TaxType: 'NONE', Status: 'ACTIVE', CanApplyToRevenue: true },
              { Name: '20% (VAT on Expenses)', TaxType: 'INPUT2', Status: 'ACTIVE', CanApplyToRevenue: false },
            ],
          },
        }
      case '/Contacts': {
        const since = Date.parse(`${asked.headers['if-modified-since'] ?? '1970-01-01T00:00:00'}Z`)
        const [page, size] = [Number(asked.query.get('page') ?? 1), Number(asked.query.get('pageSize') ?? 100)]
        const found = organisation.contacts.filter(({ at }) => at.getTime() >= since)
        return { status: 200, body: { Contacts: found.slice((page - 1) * size, page * size) } }
      }
      default:
        return books.answer(path, asked, organisation)
    }
  }

  const provider = await openProvider((asked) => {
    const { path, query } = asked
    if (path === '/identity/connect/authorize') {
      const back = query.get('redirect_uri') ?? ''
      const state = query.get('state') ?? ''
      if (query.get('client_id') !== client.id || !back) return wrong('unauthorized_client')
      const scope = (query.get('scope') ?? '').split(' ').filter((one) => !withheld.includes(one))
      const code = secret()
      codes.set(code, { challenge: query.get('code_challenge'), redirect_uri: back, scope: scope.join(' ') })
      const allowed = withQuery(back, { code, scope: scope.join(' '), state })
      return consentPage('Xero', allowed, withQuery(back, { error: 'access_denied', state }))
    }
    if (path === '/connect/token') return token(asked)
    if (path === '/connect/revocation') {
      const sent = new URLSearchParams(asked.body).get('token')
      for (const grant of grants) if (grant.refresh === sent) grant.over = true
      return { status: 200 }
    }
    const grant = grantOf(asked)
    if ('status' in grant) return grant
    if (path === '/connections')
      return {
        status: 200,
        body: organisations
          .filter(({ connected }) => connected)
          .map(({ tenantId, name }) => ({ id: randomUUID(), tenantId, tenantType: 'ORGANISATION', tenantName: name })),
      }
    const organisation = organisations.find(({ tenantId }) => tenantId === asked.headers['xero-tenant-id'])
    if (!organisation?.connected)
      return { status: 403, body: { Title: 'Forbidden', Status: 403, Detail: 'AuthenticationUnsuccessful' } }
    return accounting(asked, organisation)
  }, port)

  return {
    ...provider,
    env: {
      XERO_CLIENT_ID: client.id,
      XERO_CLIENT_SECRET: client.secret,
      XERO_LOGIN_URL: provider.url,
      XERO_TOKEN_URL: provider.url,
      XERO_API_URL: provider.url,
      ALLOWED_HOSTS: '127.0.0.1',
    },
    organisations,
    anOrganisation,
    books,
    grants,
    /** The user gives consent; returns what the browser comes back with. */
    async consent(address: string, without: string[] = []): Promise<{ code: string; state: string }> {
      withheld = without
      const page = await (await fetch(address)).text()
      withheld = []
      const back = new URL((/href="([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&'))
      return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' }
    },
    /** The user removes the app at Xero. */
    endConsent: () => grants.forEach((grant) => (grant.over = true)),
    /** All access tokens expire, as they do after half an hour. */
    expire: () => grants.forEach(({ access }) => access.forEach((one) => (one.until = 0))),
    /** Moves Xero's clock forward. */
    later: (ms: number) => void (skew_ms += ms),
  }
}
