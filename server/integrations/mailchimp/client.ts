// Mailchimp's client: the few calls that Foyer makes, and how it reads their answers.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '#server/start/config.ts'
import type { OutgoingAnswer, OutgoingCall } from '#server/outbound/safe-fetch.ts'
import {
  subscriberStates,
  type MarketingAccount,
  type AskedAudience,
  type Changed,
  type Contact,
  type FoundSubscriber,
  type MarketingProvider,
  type Subscriber,
  type SubscriberState,
} from '#server/integrations/marketing-provider.ts'
import { failureOf, jsonBody, ProviderFailure, readAnswer, type Ask } from '#server/connections/provider.ts'
import type { Choices } from '#server/integrations/definition.ts'
import { definition } from './definition.ts'

const { name } = definition
const members_per_page = 500
const pages_max = 1000

const Metadata = z.object({
  dc: z.string().regex(/^[a-z]{2}\d{1,3}$/),
  accountname: z.string().nullish(),
  user_id: z.union([z.string(), z.number()]).nullish(),
})
const Lists = z.object({ lists: z.array(z.object({ id: z.string(), name: z.string() })) })
const Member = z.object({ id: z.string(), status: z.enum(subscriberStates), last_changed: z.string().nullish() })
const AnyMember = z.object({ id: z.string(), status: z.string(), last_changed: z.string().nullish() })
const Located = z.object({ web_id: z.union([z.string(), z.number()]).nullish() })
const Added = z.object({ new_members: z.array(AnyMember) })
const Members = z.object({ members: z.array(AnyMember) })
const Problem = z.object({ title: z.string().nullish(), detail: z.string().nullish() })

const forgotten = 'Forgotten Email Not Subscribed'
/** For addresses that Mailchimp never accepts through its API: only the person can subscribe again. */
const in_compliance = ['Member In Compliance State', forgotten]

/** The host depends on the account's data centre; `tenant_id` is the data centre's name, a dot, and the account's number. */
const hostOf = (api_url: string | null, tenant_id: string): string => {
  const [dc = ''] = tenant_id.split('.')
  if (!Metadata.shape.dc.safeParse(dc).success) throw new ProviderFailure('reconnect', `Please reconnect ${name}.`)
  return api_url ?? `https://${dc}.api.mailchimp.com`
}

/** Where people see a contact, whom addresses there know by another number. */
const pageOf = (tenant_id: string, { web_id }: z.output<typeof Located>) =>
  web_id == null ? null : `https://${tenant_id.split('.')[0]}.admin.mailchimp.com/lists/members/view?id=${web_id}`

const answerOf = async (ask: Ask, url: string, call?: OutgoingCall & { scheme?: string }): Promise<OutgoingAnswer> =>
  taken(await ask(url, call))

function taken(answer: OutgoingAnswer): OutgoingAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw failureOf(name, answer, problemIn(answer).detail ?? null)
}

/** Null: there is none. */
async function recordAt(ask: Ask, url: string): Promise<OutgoingAnswer | null> {
  const answer = await ask(url)
  return isGone(answer) ? null : taken(answer)
}
const isGone = ({ status }: OutgoingAnswer) => status === 404 || status === 410

/** One to be removed: is there no more, is erased, or (405) is not written to anyway, because they are archived or their mails bounce. */
const isOut = (answer: OutgoingAnswer, { method }: OutgoingCall) =>
  isGone(answer) || problemIn(answer).title === forgotten || (method === 'DELETE' && answer.status === 405)

const problemIn = ({ body }: OutgoingAnswer) => Problem.safeParse(jsonBody(body)).data ?? {}

export function openClient({ login_url, api_url }: Pick<NonNullable<Config['mailchimp']>, 'login_url' | 'api_url'>) {
  const at = (tenant_id: string, path: string) => `${hostOf(api_url, tenant_id)}/3.0${path}`
  const member = (tenant_id: string, audience_id: string, key: string, rest = '') =>
    at(tenant_id, `/lists/${encodeURIComponent(audience_id)}/members/${key}${rest}`)

  async function account(ask: Ask): Promise<MarketingAccount> {
    const answer = await answerOf(ask, `${login_url}/oauth2/metadata`, { scheme: 'OAuth' })
    const { dc, accountname, user_id } = readAnswer(name, Metadata, answer)
    return { tenant_id: `${dc}.${user_id ?? ''}`, name: accountname || name }
  }

  async function audiences(ask: Ask, tenant_id: string): Promise<Choices> {
    const query = 'fields=lists.id,lists.name,total_items&count=1000'
    return readAnswer(name, Lists, await answerOf(ask, at(tenant_id, `/lists?${query}`))).lists
  }

  /** When a person left whom the audience knows already; null: they have not. */
  async function leftBefore({ ask, tenant_id, audience_id }: AskedAudience, email: string): Promise<Changed | null> {
    const answer = await recordAt(ask, member(tenant_id, audience_id, keyOf(email), '?fields=id,status,last_changed'))
    if (!answer) return null
    const found = AnyMember.safeParse(jsonBody(answer.body)).data
    return found?.status === 'unsubscribed' ? changedOf(found) : null
  }

  async function upsert(audience: AskedAudience, subscriber: Subscriber): Promise<FoundSubscriber> {
    const { ask, tenant_id, audience_id } = audience
    // Asked first, because any change of the record would hide when they left.
    const left = subscriber.known || subscriber.again ? null : await leftBefore(audience, subscriber.email)
    if (left) return { state: 'unsubscribed', at: left.at }
    const body = JSON.stringify({
      ...bodyOf(subscriber),
      // No status for an existing member: an unsubscribed person stays unsubscribed.
      status_if_new: statusOf(subscriber),
      // People who agree again after leaving have to confirm by mail.
      ...(subscriber.again ? { status: 'pending' } : {}),
    })
    const url = member(tenant_id, audience_id, keyOf(subscriber.email), '?skip_merge_validation=true')
    const answer = await ask(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
    const { title } = problemIn(answer)
    if (answer.status === 400 && title && in_compliance.includes(title))
      throw new ProviderFailure('refused', `${name} takes this address only from its owner: ${title}.`)
    if (answer.status < 200 || answer.status >= 300) throw failureOf(name, answer, problemIn(answer).detail ?? null)
    return { state: readAnswer(name, Member, answer).status, at: null }
  }

  /** Existing members are left as they are, whatever their status. */
  async function add({ ask, tenant_id, audience_id }: AskedAudience, all: readonly Subscriber[]) {
    const members = all.map((one) => ({ ...bodyOf(one), status: statusOf(one) }))
    const body = JSON.stringify({ members, update_existing: false })
    const url = at(
      tenant_id,
      `/lists/${encodeURIComponent(audience_id)}?skip_merge_validation=true&skip_duplicate_check=true`,
    )
    const answer = await answerOf(ask, url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const states = new Map<string, SubscriberState>()
    for (const { id, status } of readAnswer(name, Added, answer).new_members) {
      const known = Member.shape.status.safeParse(status)
      if (known.success) states.set(id, known.data)
    }
    return states
  }

  async function* inState({ ask, tenant_id, audience_id }: AskedAudience, state: SubscriberState, since: Date | null) {
    for (let page = 0; page < pages_max; page++) {
      const query = new URLSearchParams({
        status: state,
        fields: 'members.id,members.status,members.last_changed',
        count: String(members_per_page),
        offset: String(page * members_per_page),
        ...(since === null ? {} : { since_last_changed: since.toISOString() }),
      })
      const url = at(tenant_id, `/lists/${encodeURIComponent(audience_id)}/members?${query.toString()}`)
      const { members } = readAnswer(name, Members, await answerOf(ask, url))
      // The filter of the call is not relied on.
      const found = members.filter(({ status }) => status === state)
      if (found.length > 0) yield found.map(changedOf)
      if (members.length < members_per_page) return
    }
  }

  async function find({ ask, tenant_id, audience_id }: AskedAudience, key: string): Promise<Contact | null> {
    const answer = await recordAt(ask, member(tenant_id, audience_id, key, '?fields=id,web_id'))
    return answer && { page: pageOf(tenant_id, readAnswer(name, Located, answer)) }
  }

  /** Ignores that a member to be removed does not exist any more. */
  async function gone({ ask, tenant_id, audience_id }: AskedAudience, key: string, rest: string, call: OutgoingCall) {
    const answer = await ask(member(tenant_id, audience_id, key, rest), call)
    if (!isOut(answer, call)) taken(answer)
  }

  const provider: MarketingProvider = {
    definition,
    account,
    audiences,
    keyOf,
    upsert,
    added_max: 500,
    add,
    inState,
    withdraw: (audience, key) => gone(audience, key, '', { method: 'DELETE' }),
    find,
    erase: (audience, key) => gone(audience, key, '/actions/delete-permanent', { method: 'POST' }),
  }
  return provider
}

const statusOf = ({ confirmed, again }: Subscriber) => (confirmed && !again ? 'subscribed' : 'pending')

function bodyOf({ email, name: named, language, ip, agreed_at, property }: Subscriber) {
  const [first = '', ...others] = (named ?? '').split(' ')
  return {
    email_address: email,
    merge_fields: { FNAME: first, LNAME: others.join(' ') },
    ...(language === null ? {} : { language }),
    ...(ip === null ? {} : { ip_opt: ip }),
    timestamp_opt: agreed_at.toISOString().slice(0, 19),
    ...(property === null ? {} : { tags: [property] }),
  }
}

const changedOf = ({ id, last_changed }: z.output<typeof AnyMember>): Changed => ({
  subscriber_key: id,
  at: last_changed && !Number.isNaN(Date.parse(last_changed)) ? new Date(last_changed) : null,
})

/** MD5 of the address in lower case: not for secrecy, but because it is Mailchimp's id. */
const keyOf = (email: string) => createHash('md5').update(email.toLowerCase()).digest('hex')
