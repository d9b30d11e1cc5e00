// Mailchimp: a stand-in with its behaviour: tokens that never expire, data centres, and audiences with members, some of whom it refuses.
import { createHash, randomBytes } from 'node:crypto'
import { consentPage, openProvider, withQuery, type ProviderRequest, type Reply } from './provider-server.ts'

const client = { id: 'foyer-at-mailchimp', secret: 'another secret of this test' }

export interface Member {
  id: string
  email_address: string
  status: string
  last_changed: string
  merge_fields?: Record<string, string>
  tags?: string[]
}
export interface Audience {
  id: string
  name: string
  members: Map<string, Member>
  /** Permanently erased: the API never accepts them again. */
  barred: Set<string>
}

export const keyOf = (email: string) => createHash('md5').update(email.toLowerCase()).digest('hex')
const problem = (status: number, title: string, detail = title): Reply => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { type: 'https://mailchimp.com/developer/', title, status, detail, instance: '' },
})

export type Mailchimp = Awaited<ReturnType<typeof openMailchimp>>

export async function openMailchimp(port?: number) {
  const codes = new Map<string, string>()
  const tokens = new Set<string>()
  const secret = () => randomBytes(16).toString('hex')
  const anAudience = (name: string): Audience => ({
    id: secret().slice(0, 10),
    name,
    members: new Map(),
    barred: new Set(),
  })
  const audiences = [anAudience('Hotel guests')]

  function token({ body }: ProviderRequest): Reply {
    const form = new URLSearchParams(body)
    if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret)
      return { status: 401, body: { error: 'invalid_client' } }
    const back = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (back === undefined || back !== form.get('redirect_uri'))
      return { status: 400, body: { error: 'invalid_grant' } }
    const access_token = secret()
    tokens.add(access_token)
    return { status: 200, body: { access_token, expires_in: 0, scope: null } }
  }

  function put(audience: Audience, key: string, asked: ProviderRequest): Reply {
    const given = JSON.parse(asked.body) as Partial<Member> & { status_if_new?: string }
    const email = given.email_address ?? ''
    if (audience.barred.has(key)) return problem(400, 'Forgotten Email Not Subscribed')
    if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email) || key !== keyOf(email))
      return problem(400, 'Invalid Resource', `${email} looks fake or invalid, please enter a real email address.`)
    const before = audience.members.get(key)
    if (before?.status === 'compliance') return problem(400, 'Member In Compliance State')
    const member: Member = {
      id: key,
      email_address: email,
      status: given.status ?? before?.status ?? given.status_if_new ?? '',
      last_changed: new Date().toISOString(),
      merge_fields: given.merge_fields ?? {},
      tags: given.tags ?? [],
    }
    if (member.status === '') return problem(400, 'Invalid Resource', 'status_if_new is required')
    audience.members.set(key, member)
    return { status: 200, body: member }
  }

  /** Known ones are errors, and so are those that are refused. */
  function batch(audience: Audience, asked: ProviderRequest): Reply {
    const { members, update_existing } = JSON.parse(asked.body) as { members: Member[]; update_existing?: boolean }
    if (update_existing) return problem(400, 'Invalid Resource', 'this stand-in would subscribe who has left')
    if (members.length > 500) return problem(400, 'Invalid Resource', 'too many')
    const new_members: Member[] = []
    const errors: object[] = []
    for (const given of members) {
      const { email_address } = given
      const key = keyOf(email_address)
      const reply = audience.members.has(key)
        ? problem(400, 'Member Exists')
        : put(audience, key, { ...asked, body: JSON.stringify(given) })
      if (reply.status === 200) new_members.push(reply.body as Member)
      else errors.push({ email_address, error_code: 'ERROR_GENERIC' })
    }
    return { status: 200, body: { new_members, updated_members: [], errors } }
  }

  function ofAudience(asked: ProviderRequest, [audience_id = '', what, key = '', , action]: string[]): Reply {
    const audience = audiences.find(({ id }) => id === audience_id)
    if (audience && what === undefined && asked.method === 'POST') return batch(audience, asked)
    if (!audience || what !== 'members') return problem(404, 'Resource Not Found')
    if (key === '' && asked.method === 'GET') {
      const since = Date.parse(asked.query.get('since_last_changed') ?? '1970-01-01T00:00:00Z')
      const found = [...audience.members.values()].filter(
        ({ status, last_changed }) => status === asked.query.get('status') && Date.parse(last_changed) >= since,
      )
      const [offset, count] = [Number(asked.query.get('offset') ?? 0), Number(asked.query.get('count') ?? 10)]
      return { status: 200, body: { members: found.slice(offset, offset + count), total_items: found.length } }
    }
    if (asked.method === 'PUT') return put(audience, key, asked)
    const member = audience.members.get(key)
    if (!member) return problem(404, 'Resource Not Found')
    if (asked.method === 'GET') return { status: 200, body: { ...member, web_id: 4711 } }
    if (action === 'delete-permanent') {
      audience.members.delete(key)
      audience.barred.add(key)
      return { status: 204 }
    }
    // What is called deleting archives.
    if (member.status === 'archived')
      return problem(405, 'Method Not Allowed', 'This list member cannot be removed. Please contact support.')
    Object.assign(member, { status: 'archived', last_changed: new Date().toISOString() })
    return { status: 204 }
  }

  const provider = await openProvider((asked) => {
    const { path, query } = asked
    if (path === '/oauth2/authorize') {
      const back = query.get('redirect_uri') ?? ''
      const state = query.get('state') ?? ''
      if (query.get('client_id') !== client.id || !back) return { status: 400, body: { error: 'invalid_client' } }
      const code = secret()
      codes.set(code, back)
      const refused = withQuery(back, { error: 'access_denied', state })
      return consentPage('Mailchimp', withQuery(back, { code, state }), refused)
    }
    if (path === '/oauth2/token') return token(asked)
    const sent = (asked.headers.authorization ?? '').replace(/^(Bearer|OAuth) /, '')
    if (!tokens.has(sent)) return problem(401, 'API Key Invalid', 'Your API key may be invalid.')
    if (path === '/oauth2/metadata')
      return { status: 200, body: { dc: 'us21', role: 'owner', accountname: 'Maple Hotels', user_id: 4711 } }
    if (path === '/3.0/lists') return { status: 200, body: { lists: audiences.map(({ id, name }) => ({ id, name })) } }
    const [, rest] = /^\/3\.0\/lists\/(.+)$/.exec(path) ?? []
    return rest === undefined ? problem(404, 'Resource Not Found') : ofAudience(asked, rest.split('/'))
  }, port)

  return {
    ...provider,
    env: {
      MAILCHIMP_CLIENT_ID: client.id,
      MAILCHIMP_CLIENT_SECRET: client.secret,
      MAILCHIMP_LOGIN_URL: provider.url,
      MAILCHIMP_API_URL: provider.url,
      ALLOWED_HOSTS: '127.0.0.1',
    },
    audiences,
    anAudience,
    /** The user gives consent; returns what the browser comes back with. */
    async consent(address: string): Promise<{ code: string; state: string }> {
      const page = await (await fetch(address)).text()
      const back = new URL((/href="([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&'))
      return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' }
    },
    /** The user removes the app at Mailchimp. */
    endConsent: () => tokens.clear(),
  }
}
