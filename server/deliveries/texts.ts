// Texts: the channel of messages to telephones. Each costs money, so their number is limited per telephone, device and property.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { dueKind } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import {
  closedInJson,
  deliveryWork,
  pendingColumns,
  post,
  send,
  type Channel,
  type Pending,
} from '#server/deliveries/deliveries.ts'
import { countOrRefuse, whoPresses } from '#server/deliveries/limits.ts'
import { askedColumns } from '#server/access/present-rights.ts'
import { clearUndelivered } from '#server/deliveries/undelivered.ts'
import type { StoredText } from '#server/secrets/sealed-messages.ts'
import type { TextMessage, Texter } from '#server/deliveries/texter.ts'

/** Limits of one customer, in its own day. */
const a_day = { to_one_number: 5, to_one_device: 5, at_one_property: 500, of_one_person: 100 }

/** A guest's request for a code. */
interface GuestRequest {
  property_id: number
  mac_address: string
  /** How long the code is valid: an expired one is not sent. */
  good_for_s: number
}

/** The counter of texts to one number. */
const textsTo = ({ mobile_number }: { mobile_number: string }) => `texts to ${mobile_number}`

/** Puts a message that a guest asks for in the outbox, in the transaction of the code in it. */
export async function queueText(scope: Scope, queue: Queue, message: TextMessage, request: GuestRequest) {
  const { property_id, mac_address, good_for_s } = request
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
  await send(scope, queue, texts, { ...message, property_id, good_until }, { to: message.mobile_number, urgent: true })
}

/** Puts a message that a user asks for in the outbox, in the transaction of what it is about. */
export async function queuePressedText(
  scope: Scope,
  queue: Queue,
  message: TextMessage & { property_id: number },
): Promise<void> {
  const limits = [
    [`texts of ${await whoPresses(scope)}`, a_day.of_one_person, 'You have'],
    [textsTo(message), a_day.to_one_number, 'This number has been'],
  ] as const
  await countOrRefuse(
    scope,
    'texts',
    limits.map(([counted, max, who]) => ({
      counted,
      max,
      period: 'day',
      sentence: `${who} sent ${max} text messages today.`,
    })),
  )
  await send(scope, queue, texts, { ...message }, { to: message.mobile_number, urgent: false })
}

/** A message that is in the outbox, and not counted yet. */
export interface WrittenText {
  id: number
  mobile_number: string
}

/**
 * Puts messages in the outbox without sending them: `postTexts` does that, once all of a transaction are stored. `good_for_s`: what would
 * be sent later is of no use.
 */
export async function writeTexts(
  scope: Scope,
  written: readonly (TextMessage & { good_for_s?: number })[],
): Promise<WrittenText[]> {
  if (written.length === 0) return []
  await clearUndelivered(
    scope,
    written.map((message) => ({ ...message, recipient: message.mobile_number })),
  )
  const rows = written.map((message) => ({
    ...message,
    ...closedInJson(scope, texts, message.mobile_number, message.text),
    ...askedColumns(scope),
  }))
  return scope.run(sql<WrittenText>`
    insert into outbox_texts (mobile_number, text, sealed_text, kind, about_id, asked_by_user_id, asked_by_key_id, asked_right,
      good_until)
    select m.mobile_number, m.text, m.sealed_text, m.kind, m.about_id, m.asked_by_user_id, m.asked_by_key_id, m.asked_right,
      now() + make_interval(secs => m.good_for_s) from json_to_recordset(${JSON.stringify(rows)})
      as m(mobile_number text, text text, sealed_text bytea, kind text, about_id integer, asked_by_user_id integer, asked_by_key_id integer,
      asked_right text, good_for_s integer)
    returning id, mobile_number`)
}

/** Queues them, with a limit a day to each number; more wait for the following days. Call it last in a transaction. */
export const postTexts = (scope: Scope, queue: Queue, written: readonly WrittenText[]) =>
  post(
    scope,
    queue,
    texts,
    written.map((text) => ({ id: text.id, to: textsTo(text) })),
  )

interface StoredMessage extends TextMessage, StoredText, Pending {
  created_at: Date
  is_over: boolean
  has_end: boolean
}

export const texts: Channel<StoredMessage, { texter: Texter }> = {
  kind: dueKind('text_message'),
  table: 'outbox_texts',
  quota: 'texts',
  to_one: { max: a_day.to_one_number, period: 'day' },
  // One with a code, until the code ends.
  ends: ({ has_end }) => has_end,
  async read(scope, id) {
    const [found] = await scope.run(sql<StoredMessage>`
      select ${pendingColumns}, m.mobile_number, m.text, m.sealed_text, m.created_at, coalesce(m.good_until < now(), false) as is_over,
        m.good_until is not null as has_end
      from outbox_texts as m
      where m.id = ${id} and m.sent_at is null and m.failed_at is null and ${scope.inReach('outbox_texts', 'm')}`)
    return found
  },
  opened: async (scope, message) => ({
    ...message,
    text: scope.messages.open('outbox_texts', message.mobile_number, message),
  }),
  to: textsTo,
  noted: ({ id, mobile_number, kind, about_id = null, created_at }) => ({
    text_id: id,
    recipient: mobile_number,
    recipient_name: null,
    kind,
    about_id,
    written_at: created_at,
  }),
  over: ({ is_over }) => (is_over ? 'It expired before it could be sent.' : null),
  deliver: ({ texter }, message) => texter.deliver(message),
  forget: {},
  handed_in_at: 'The provider of text messages',
  about: sql`concat('To ', m.mobile_number)`,
}
export const textWork = deliveryWork(texts)
