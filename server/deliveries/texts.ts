// SMS outbox: text messages are stored with the change that causes them and sent by a job, as mails are. Each costs money,
// so few go to one number, one device and one property in a day.
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import { tooMany } from '#server/errors/refused.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { countAll, inWords, refuseOver, type Count, type Counted } from '#server/fairness/quotas.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { NotTaken, type TextMessage, type Texter } from '#server/deliveries/texter.ts'

const textKind = jobKind<{ customer_id: number; text_id: number }>('text', { limit: 6, after_s: 5, doubles: true })

/** Of one customer, in its own day. */
const a_day = { to_one_number: 5, to_one_device: 5, at_one_property: 500 }

/** Where a guest stands who asks for a code. */
interface Asking {
  property_id: number
  mac_address: string
  /** A code that has run out is not sent any more. */
  good_for_s: number
}

/** Puts a message that a guest asks for in the outbox, in the transaction of the code that it tells. */
export async function queueText(scope: Scope, queue: Queue, message: TextMessage, asking: Asking) {
  const { property_id, mac_address, good_for_s } = asking
  const limits = [
    [`texts to ${message.mobile_number}`, a_day.to_one_number, 'This number has'],
    [`texts for ${mac_address}`, a_day.to_one_device, 'This device has'],
    [`texts at property ${property_id}`, a_day.at_one_property, 'This property has'],
  ] as const
  const counted = await countAll(scope, [daily('texts', 1), ...limits.map(([quota]) => daily(quota, 1))])
  await refuseOver(scope, 'texts', 1, counted.get('texts'))
  for (const [quota, max, who] of limits) refuseOverInADay(counted.get(quota), max, who)
  const good_until = sql`now() + make_interval(secs => ${good_for_s})`
  const text_id = await scope.insert('outbox_texts', { ...message, good_until })
  await queue.send(textKind, { customer_id: scope.customer_id, text_id }, { urgent: true })
}

const daily = (quota: string, amount: number): Count => ({ quota, amount, daily: true })

function refuseOverInADay(counted: Counted | undefined, max: number, who: string) {
  if (counted && counted.used > max)
    throw tooMany(
      counted.wait_s,
      `${who} been sent ${max} text messages today. It goes on in ${inWords(counted.wait_s)}.`,
    )
}

/** A message that is in the outbox, and not counted yet. */
export interface WrittenText {
  id: number
  mobile_number: string
}

/** Puts messages in the outbox that nothing sends yet: `postTexts` does, once all of a transaction are written. */
export async function writeTexts(scope: Scope, texts: TextMessage[]): Promise<WrittenText[]> {
  if (texts.length === 0) return []
  return scope.run(sql<WrittenText>`
    insert into outbox_texts (mobile_number, text)
    select m.mobile_number, m.text from json_to_recordset(${JSON.stringify(texts)}) as m(mobile_number text, text text)
    returning id, mobile_number`)
}

const day_s = 24 * 3600

/** Sends them, so many a day to each number; what is more waits for the days that follow. Counted last in a transaction. */
export async function postTexts(scope: Scope, queue: Queue, written: readonly WrittenText[]) {
  if (written.length === 0) return
  const byNumber = Map.groupBy(written, ({ mobile_number }) => `texts to ${mobile_number}`)
  const numbers = [...byNumber.keys()].toSorted()
  const counted = await countAll(scope, [
    daily('texts', written.length),
    ...numbers.map((quota) => daily(quota, byNumber.get(quota)?.length ?? 0)),
  ])
  await refuseOver(scope, 'texts', written.length, counted.get('texts'))
  const jobs = [...byNumber].flatMap(([quota, texts]) => {
    const { used, wait_s } = counted.get(quota) ?? { used: texts.length, wait_s: 0 }
    return texts.map(({ id: text_id }, index) => {
      const days = Math.floor((used - texts.length + index) / a_day.to_one_number)
      const after_s = days === 0 ? 0 : wait_s + (days - 1) * day_s
      return { carried: { text_id }, after_s }
    })
  })
  await queue.sendMany(textKind, scope.customer_id, jobs)
}

/** The job: sends one message, and forgets its text, which may hold a code or a password. */
export const sendText =
  (tenancy: Tenancy, texter: Texter) =>
  async ({ customer_id, text_id }: { customer_id: number; text_id: number }) => {
    const caller = callerOfJob(customer_id, 'text')
    const [message] = await tenancy.enter(caller, 'read', (scope) =>
      scope.run(sql<TextMessage & { id: number; is_over: boolean }>`
        select t.id, t.mobile_number, t.text, coalesce(t.good_until < now(), false) as is_over from outbox_texts as t
        where t.id = ${text_id} and t.sent_at is null and t.failed_at is null and ${scope.inReach('outbox_texts', 't')}`),
    )
    if (!message) return
    const settle = (values: Record<string, unknown>) =>
      tenancy.enter(caller, 'write', (scope) => scope.change('outbox_texts', [text_id], values))
    const forgotten = { failed_at: sql`now()`, text: '(not sent)' }
    if (message.is_over)
      return void (await settle({ ...forgotten, last_error: 'It has run out before it could be sent.' }))
    try {
      await texter.deliver(message)
    } catch (error) {
      const tried = { attempts: sql`attempts + 1`, last_error: String(error).slice(0, 500) }
      if (error instanceof NotTaken) return void (await settle({ ...tried, ...forgotten }))
      await settle(tried)
      throw error
    }
    await settle({ attempts: sql`attempts + 1`, sent_at: sql`now()`, text: '(sent)', last_error: null })
  }

export const textJob = job({
  kind: textKind,
  run: ({ tenancy, texter }: { tenancy: Tenancy; texter: Texter }, text) => sendText(tenancy, texter)(text),
})
