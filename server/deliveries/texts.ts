// Texts: the channel of messages to telephones. Each costs money, so few go to one number, one device and one property in a day.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import {
  countOrRefuse,
  deliveryJob,
  post,
  send,
  type Carried,
  type Channel,
  type Open,
} from '#server/deliveries/deliveries.ts'
import { renewed } from '#server/deliveries/undelivered.ts'
import type { TextMessage, Texter } from '#server/deliveries/texter.ts'

/** Of one customer, in its own day. */
const a_day = { to_one_number: 5, to_one_device: 5, at_one_property: 500 }

/** Where a guest stands who asks for a code. */
interface Asking {
  property_id: number
  mac_address: string
  /** A code that has run out is not sent any more. */
  good_for_s: number
}

/** What texts to one number count under. */
const textsTo = ({ mobile_number }: { mobile_number: string }) => `texts to ${mobile_number}`

/** Puts a message that a guest asks for in the outbox, in the transaction of the code that it tells. */
export async function queueText(scope: Scope, queue: Queue, message: TextMessage, asking: Asking) {
  const { property_id, mac_address, good_for_s } = asking
  const limits = [
    [textsTo(message), a_day.to_one_number, 'This number has'],
    [`texts for ${mac_address}`, a_day.to_one_device, 'This device has'],
    [`texts at property ${property_id}`, a_day.at_one_property, 'This property has'],
  ] as const
  await countOrRefuse(
    scope,
    'texts',
    limits.map(([counted, max, who]) => ({
      counted,
      max,
      period: 'day',
      sentence: `${who} been sent ${max} text messages today.`,
    })),
  )
  const good_until = sql`now() + make_interval(secs => ${good_for_s})`
  await send(scope, queue, texts, { ...message, good_until }, { to: message.mobile_number, urgent: true })
}

/** A message that is in the outbox, and not counted yet. */
export interface WrittenText {
  id: number
  mobile_number: string
}

/** Puts messages in the outbox that nothing sends yet: `postTexts` does, once all of a transaction are written. */
export async function writeTexts(scope: Scope, written: TextMessage[]): Promise<WrittenText[]> {
  if (written.length === 0) return []
  await renewed(
    scope,
    written.map((message) => ({ ...message, recipient: message.mobile_number })),
  )
  return scope.run(sql<WrittenText>`
    insert into outbox_texts (mobile_number, text, kind, about_id)
    select m.* from json_to_recordset(${JSON.stringify(written)}) as m(mobile_number text, text text, kind text, about_id integer)
    returning id, mobile_number`)
}

/** Sends them, so many a day to each number; what is more waits for the days that follow. Counted last in a transaction. */
export const postTexts = (scope: Scope, queue: Queue, written: readonly WrittenText[]) =>
  post(
    scope,
    queue,
    texts,
    written.map((text) => ({ id: text.id, to: textsTo(text) })),
  )

interface StoredText extends TextMessage, Open {
  created_at: Date
  is_over: boolean
}

interface TextCarried extends Carried {
  text_id: number
}

const texts: Channel<TextCarried, StoredText, { texter: Texter }> = {
  // Of nodes that were killed; whatever else fails is sent again by itself.
  kind: jobKind('text', { limit: 6, after_s: 5, doubles: true }),
  carried: (how, text_id) => ({ ...how, text_id }),
  idIn: ({ text_id }) => text_id,
  table: 'outbox_texts',
  quota: 'texts',
  to_one: { max: a_day.to_one_number, period: 'day' },
  // Over some minutes.
  tries_max: 7,
  async read(scope, id) {
    const [found] = await scope.run(sql<StoredText>`
      select t.id, t.attempts, t.mobile_number, t.text, t.kind, t.about_id, t.created_at,
        coalesce(t.good_until < now(), false) as is_over from outbox_texts as t
      where t.id = ${id} and t.sent_at is null and t.failed_at is null and ${scope.inReach('outbox_texts', 't')}`)
    return found
  },
  noted: ({ id, mobile_number, kind, about_id = null, created_at }) => ({
    text_id: id,
    recipient: mobile_number,
    recipient_name: null,
    kind,
    about_id,
    written_at: created_at,
  }),
  hindrance: ({ is_over }) => Promise.resolve(is_over ? { over: 'It has run out before it could be sent.' } : null),
  deliver: ({ texter }, message) => texter.deliver(message),
  forget: {},
}
export const textJob = deliveryJob(texts)
