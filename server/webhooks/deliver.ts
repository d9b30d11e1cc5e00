// Webhook delivery: the due work that posts an event to an endpoint. Events of one object come one after the other; an endpoint that cannot
// be reached waits with all that it is to be told, and is paused after days.
import { sql, type RawBuilder } from 'kysely'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { tellEditors } from '#server/deliveries/tell-editors.ts'
import { TriedInVain, wake, type DueWork, type Failed, type Held, type Settle } from '#server/due/due-work.ts'
import { webhookLane, webhookKind } from '#server/events/emit.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { NotReached, type OutgoingAnswer, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { bodyText, personalOf, type Recorded } from './body.ts'
import { signingSecrets } from './secrets.ts'
import { signedHeaders } from './signature.ts'

const timeout_ms = 10_000
/** Enough for an answer that nobody reads; a longer one is refused. */
const answer_bytes_max = 64 * 1024
const kept_chars = 1000
/** Waits of Standard Webhooks: the last try is a little more than two days after the first. */
const waits_s = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000]
/** How long the rest of an endpoint waits when it could not be reached. */
const lane_wait_s = 30
const asked_wait_max_s = 24 * 3600
const failing_max = '5 days'
/** Longer than any wait between two tries: where nothing was tried for so long, nothing is known of that time. */
const untried_max = '2 days'

interface Needs {
  tenancy: Tenancy
  seal: Seal
  safeFetch: SafeFetch
  queue: Queue
  public_url: string
}

interface Told extends Recorded {
  delivery_id: number
  webhook_id: number
  url: string
  personal_data: boolean
  /** When the one before it, of the same object, is tried; null if there is none left. */
  waits_s: number | null
}

/**
 * Whether a webhook, called `w`, hears an event, called `e`, by now: its property may have left the group, or the type is wanted no more. A
 * test goes to its own endpoint alone.
 */
export const stillHears = sql<boolean>`(e.type = 'webhook.test' or webhook_hears(w, e.type, e.group_id, e.property_id))`

/** Null: it was told, or is to be told nothing any more. A test, which somebody is waiting for, goes before those that failed. */
async function readDelivery(scope: Scope, id: number): Promise<Told | null> {
  const [told] = await scope.run(sql<Told>`
    select t.id as delivery_id, t.webhook_id, w.url, w.personal_data, e.uuid, e.type, e.object, e.object_id, e.sequence, e.property_id,
      e.data, e.created_at, (select greatest(1, ceil(extract(epoch from min(d.next_at) - now())))::integer
        from webhook_deliveries as o join events as b on b.customer_id = o.customer_id and b.id = o.event_id
          and ${scope.inReach('events', 'b')}
        join due_work as d on d.customer_id = o.customer_id and d.kind = ${webhookKind.name} and d.about_id = o.id
          and d.state in ('waiting', 'trying') and ${scope.inReach('due_work', 'd')}
        where o.webhook_id = t.webhook_id and o.state = 'waiting' and b.object = e.object and b.object_id = e.object_id
          and b.id < e.id and e.type <> 'webhook.test' and ${scope.inReach('webhook_deliveries', 'o')} having count(*) > 0) as waits_s
    from webhook_deliveries as t
    join webhooks as w on w.customer_id = t.customer_id and w.id = t.webhook_id and w.active and w.paused_at is null
      and ${scope.inReach('webhooks', 'w')}
    join events as e on e.customer_id = t.customer_id and e.id = t.event_id and ${stillHears} and ${scope.inReach('events', 'e')}
    where t.id = ${id} and t.state = 'waiting' and ${scope.inReach('webhook_deliveries', 't')}`)
  return told ?? null
}

/** What the endpoint answered, if it did. */
class Refused extends TriedInVain {
  readonly answered: { status: number | null; answer: string | null }
  constructor(message: string, answered: { status: number | null; answer: string | null }, how: TriedInVain['how']) {
    super(message, how)
    this.answered = answered
  }
}

async function deliver(
  { tenancy, seal, safeFetch, queue }: Needs,
  { about_id, caller, tries }: Held,
): Promise<Settle | void> {
  const read = await tenancy.enter(caller, 'read', async (scope) => {
    const told = await readDelivery(scope, about_id)
    if (told?.waits_s !== null) return told && { told, secrets: [], personal: null }
    const secrets = await signingSecrets(scope, seal, told.webhook_id)
    return { told, secrets, personal: told.personal_data ? await personalOf(scope, told) : null }
  })
  // Recorded while its webhook was being disabled, out of reach by now, or no longer heard: it can be sent again, and holds up nothing.
  if (!read) return async (scope) => void (await giveUp(scope, sql<boolean>`t.id = ${about_id}`))
  const { told, secrets, personal } = read
  const { waits_s: waits } = told
  if (waits !== null) return () => Promise.resolve({ waits_s: waits })
  const body = bodyText(told, personal)
  const headers = signedHeaders(secrets, messageId(told), new Date(), body)
  const answer = await post(safeFetch, told.url, headers, body)
  return async (scope) => {
    await scope.change('webhook_deliveries', [about_id], { state: 'delivered', tries, ...answer })
    await hasAnswered(scope, queue, told)
  }
}

export const messageId = ({ uuid }: Pick<Recorded, 'uuid'>) => `msg_${uuid}`

const textOf = ({ body }: OutgoingAnswer) => body.toString('utf8').replaceAll('\0', '').slice(0, kept_chars)

async function post(safeFetch: SafeFetch, url: string, headers: Record<string, string>, body: string) {
  const call = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body } as const
  const answer = await safeFetch(url, { ...call, timeout_ms, answer_bytes_max, redirects_max: 0 }).catch(
    (cause: unknown) => {
      if (!(cause instanceof NotReached)) throw cause
      const answered = { status: null, answer: cause.message.slice(0, kept_chars) }
      throw new Refused(`There was no answer: ${cause.message}.`, answered, { lane: 'waits', lane_wait_s, cause })
    },
  )
  const { status } = answer
  const answered = { status, answer: textOf(answer) }
  if (status >= 200 && status < 300) return answered
  const later = status === 429 || status >= 500
  throw new Refused(`It answered ${status}.`, answered, {
    hopeless: status === 410,
    ...(later && { lane: 'waits', lane_wait_s, retry_after_s: retryAfter(answer), counts: true }),
  })
}

/** Seconds or a date, at most a day. */
function retryAfter({ headers }: OutgoingAnswer): number | undefined {
  const given = headers['retry-after']
  if (given === undefined) return undefined
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(asked_wait_max_s, Math.max(0, seconds)) : undefined
}

/**
 * It can be reached: what waits for it goes at once where it could not be, but for what it has refused; and the next of the same object
 * in any case.
 */
async function hasAnswered(scope: Scope, queue: Queue, { webhook_id, object, object_id }: Told) {
  const recovered = await scope.change(
    'webhooks',
    sql<boolean>`(t.id = ${webhook_id} and t.failing_since is not null)`,
    {
      failing_since: null,
    },
  )
  const unreached = sql`(o.status is null or o.status = 429 or o.status >= 500)`
  const ofObject = sql`(e.object = ${object} and e.object_id = ${object_id})`
  const woken = await scope.change(
    'due_work',
    sql<boolean>`(t.kind = ${webhookKind.name} and t.lane = ${webhookLane(webhook_id)} and t.state = 'waiting' and not t.rests
      and t.next_at > now()
      and t.about_id in (select o.id from webhook_deliveries as o join events as e on e.customer_id = o.customer_id
        and e.id = o.event_id and ${scope.inReach('events', 'e')}
        where o.webhook_id = ${webhook_id} and o.state = 'waiting' and ${scope.inReach('webhook_deliveries', 'o')}
          and ${recovered.length > 0 ? sql`(${unreached} or ${ofObject})` : ofObject}))`,
    { next_at: sql`now()` },
  )
  if (woken.length > 0) await wake(queue, webhookKind.name)
}

async function recordFailed(
  scope: Scope,
  { about_id, tries }: Pick<Held, 'about_id' | 'tries'>,
  { as, error, last_error }: Failed,
  { queue, public_url }: Needs,
): Promise<'forget'> {
  const answered = error instanceof Refused ? error.answered : { status: null, answer: last_error }
  const isOver = as !== 'again'
  const failed = { tries, ...answered, ...(isOver && { state: 'failed' }) }
  await scope.change('webhook_deliveries', [about_id], failed)
  const [webhook] = await scope.run(sql<{ id: number; url: string; is_tired: boolean }>`
    update webhooks as t set failed_at = now(), failing_since =
      case when t.failed_at > now() - ${untried_max}::interval then coalesce(t.failing_since, now()) else now() end
    where t.id = (select d.webhook_id from webhook_deliveries as d where d.id = ${about_id} and ${scope.inReach('webhook_deliveries', 'd')})
      and t.paused_at is null and ${scope.inReach('webhooks', 't')}
    returning t.id, t.url, t.failing_since < now() - ${failing_max}::interval as is_tired`)
  const isGone = answered.status === 410
  if (webhook && (isGone || webhook.is_tired))
    await pause(scope, { queue, public_url }, webhook, isGone ? 'gone' : 'failed')
  return 'forget'
}

const giveUp = (scope: Scope, which: ReturnType<typeof sql<boolean>>) =>
  scope.change('webhook_deliveries', sql<boolean>`(${which} and t.state = 'waiting')`, { state: 'failed' })

/** What waits for it is given up, and can be sent again. What is recorded meanwhile keeps its work, which finds that out. */
export async function giveUpWaiting(scope: Scope, id: number): Promise<void> {
  const given_up = await giveUp(scope, sql<boolean>`t.webhook_id = ${id}`)
  await scope.run(sql`
    delete from due_work as t where t.kind = ${webhookKind.name} and t.about_id = any(${given_up}) and t.state = 'waiting'
      and ${scope.inReach('due_work', 't')}`)
}

/** Nothing is told to it any more until somebody activates it. */
async function pause(
  scope: Scope,
  telling: Pick<Needs, 'queue' | 'public_url'>,
  { id, url }: { id: number; url: string },
  paused_for: 'failed' | 'gone',
) {
  await scope.change('webhooks', [id], { active: false, paused_at: sql`now()`, paused_for })
  await giveUpWaiting(scope, id)
  const { host } = new URL(url)
  await tellEditors(
    scope,
    telling,
    paused_for === 'gone'
      ? `The webhook to ${host} is paused: it says that nobody listens there any more.`
      : `The webhook to ${host} is paused: nothing could be delivered to it for five days.`,
  )
}

/** The host of an address, by which those know a webhook who may not read where it leads. */
export const hostIn = (url: RawBuilder<unknown>) => sql<string>`substring(${url} from '://([^/?#]+)')`

const toldIn = (scope: Scope, to: RawBuilder<unknown>) => sql`
  (select concat(e.type, ' to ', ${to}) from webhook_deliveries as d
    join webhooks as w on w.customer_id = d.customer_id and w.id = d.webhook_id and ${scope.inReach('webhooks', 'w')}
    join events as e on e.customer_id = d.customer_id and e.id = d.event_id and ${scope.inReach('events', 'e')}
    where d.id = t.about_id and ${scope.inReach('webhook_deliveries', 'd')})`

export const webhookWork: DueWork<Needs> = {
  kind: webhookKind,
  about: (scope) => toldIn(scope, sql`w.url`),
  logged: (scope) => toldIn(scope, hostIn(sql`w.url`)),
  promise: 'repeated',
  at_once: 24,
  of_one_customer: 6,
  of_one_lane: 1,
  tries_max: waits_s.length + 1,
  wait_s: (tries) => Math.ceil((waits_s[tries - 1] ?? 0) * (1 + Math.random() / 5)),
  run: deliver,
  failed: recordFailed,
}
