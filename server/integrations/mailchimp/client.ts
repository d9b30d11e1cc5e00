// Mailchimp's client: the few calls that Foyer makes, and how it reads their answers.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '#server/start/config.ts'
import type { OutgoingAnswer, OutgoingCall } from '#server/outbound/safe-fetch.ts'
import type { Account, Left, MarketingProvider, Subscriber } from '#server/integrations/marketing-provider.ts'
import {
  failureOf,
  jsonIn,
  ProviderFailure,
  readAnswer,
  type Ask,
  type Choices,
} from '#server/integrations/provider.ts'
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
const Member = z.object({ id: z.string(), status: z.string(), last_changed: z.string().nullish() })
const Members = z.object({ members: z.array(Member) })
const Problem = z.object({ title: z.string().nullish(), detail: z.string().nullish() })

/** For addresses that Mailchimp never accepts through its API: only the person can subscribe again. */
const in_compliance = ['Member In Compliance State', 'Forgotten Email Not Subscribed']

/** The host depends on the account's data centre; `tenant_id` is the data centre's name, a dot, and the account's number. */
const hostOf = (api_url: string | null, tenant_id: string): string => {
  const [dc = ''] = tenant_id.split('.')
  if (!Metadata.shape.dc.safeParse(dc).success) throw new ProviderFailure('reconnect', `Please reconnect ${name}.`)
  return api_url ?? `https://${dc}.api.mailchimp.com`
}

async function answerOf(ask: Ask, url: string, call?: OutgoingCall & { scheme?: string }): Promise<OutgoingAnswer> {
  const answer = await ask(url, call)
  if (answer.status >= 200 && answer.status < 300) return answer
  throw failureOf(name, answer, problemIn(answer).detail ?? null)
}

const problemIn = ({ body }: OutgoingAnswer) => Problem.safeParse(jsonIn(body)).data ?? {}

export function mailchimp({ login_url, api_url }: Pick<NonNullable<Config['mailchimp']>, 'login_url' | 'api_url'>) {
  const at = (tenant_id: string, path: string) => `${hostOf(api_url, tenant_id)}/3.0${path}`
  const member = (tenant_id: string, audience_id: string, key: string, rest = '') =>
    at(tenant_id, `/lists/${encodeURIComponent(audience_id)}/members/${key}${rest}`)

  async function account(ask: Ask): Promise<Account> {
    const answer = await answerOf(ask, `${login_url}/oauth2/metadata`, { scheme: 'OAuth' })
    const { dc, accountname, user_id } = readAnswer(name, Metadata, answer)
    return { tenant_id: `${dc}.${user_id ?? ''}`, name: accountname || name }
  }

  async function audiences(ask: Ask, tenant_id: string): Promise<Choices> {
    const query = 'fields=lists.id,lists.name,total_items&count=1000'
    return readAnswer(name, Lists, await answerOf(ask, at(tenant_id, `/lists?${query}`))).lists
  }

  async function upsert(ask: Ask, tenant_id: string, audience_id: string, subscriber: Subscriber) {
    const { email, confirmed, again, language, ip, agreed_at } = subscriber
    const [first = '', ...others] = (subscriber.name ?? '').split(' ')
    const body = JSON.stringify({
      email_address: email,
      // No status for an existing member: an unsubscribed person stays unsubscribed.
      status_if_new: confirmed ? 'subscribed' : 'pending',
      // People who agree again after leaving have to confirm by mail.
      ...(again ? { status: 'pending' } : {}),
      merge_fields: { FNAME: first, LNAME: others.join(' ') },
      ...(language === null ? {} : { language }),
      ...(ip === null ? {} : { ip_opt: ip }),
      timestamp_opt: agreed_at.toISOString().slice(0, 19),
      ...(subscriber.property === null ? {} : { tags: [subscriber.property] }),
    })
    const url = member(tenant_id, audience_id, keyOf(email), '?skip_merge_validation=true')
    const answer = await ask(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
    const { title } = problemIn(answer)
    if (answer.status === 400 && title && in_compliance.includes(title))
      throw new ProviderFailure('refused', `${name} takes this address only from its owner: ${title}.`)
    if (answer.status < 200 || answer.status >= 300) throw failureOf(name, answer, problemIn(answer).detail ?? null)
    const { status } = readAnswer(name, Member, answer)
    return status === 'unsubscribed' || status === 'cleaned' ? 'unsubscribed' : 'sent'
  }

  async function* unsubscribed(ask: Ask, tenant_id: string, audience_id: string, since: Date | null) {
    for (let page = 0; page < pages_max; page++) {
      const query = new URLSearchParams({
        status: 'unsubscribed',
        fields: 'members.id,members.status,members.last_changed',
        count: String(members_per_page),
        offset: String(page * members_per_page),
        ...(since === null ? {} : { since_last_changed: since.toISOString() }),
      })
      const url = at(tenant_id, `/lists/${encodeURIComponent(audience_id)}/members?${query.toString()}`)
      const { members } = readAnswer(name, Members, await answerOf(ask, url))
      // The filter of the call is not relied on.
      const gone = members.filter(({ status }) => status === 'unsubscribed')
      if (gone.length > 0) yield gone.map(leftOf)
      if (members.length < members_per_page) return
    }
  }

  /** Ignores that a member to be removed does not exist any more. */
  async function gone(call: Promise<unknown>): Promise<void> {
    try {
      await call
    } catch (error) {
      if (!(error instanceof ProviderFailure && error.failing === 'gone')) throw error
    }
  }

  const provider: MarketingProvider = {
    definition,
    account,
    audiences,
    keyOf,
    upsert,
    unsubscribed,
    withdraw: (ask, tenant_id, audience_id, key) =>
      gone(answerOf(ask, member(tenant_id, audience_id, key), { method: 'DELETE' })),
    erase: (ask, tenant_id, audience_id, key) =>
      gone(answerOf(ask, member(tenant_id, audience_id, key, '/actions/delete-permanent'), { method: 'POST' })),
  }
  return provider
}

const leftOf = ({ id, last_changed }: z.output<typeof Member>): Left => ({
  subscriber_key: id,
  at: last_changed && !Number.isNaN(Date.parse(last_changed)) ? new Date(last_changed) : null,
})

/** MD5 of the address in lower case: not for secrecy, but because it is Mailchimp's id. */
const keyOf = (email: string) => createHash('md5').update(email.toLowerCase()).digest('hex')
