// Webhooks: addresses of other programs that are told what happens, signed by Standard Webhooks; and the log of what they were told.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { eventNames } from './events.ts'
import { ofCustomer } from './reserved.ts'
import {
  anyOf,
  byId,
  byIds,
  changesTo,
  count,
  done,
  id,
  listOf,
  moment,
  ownerType,
  page,
  pageAddress,
  ref,
  storedMoment,
  yes,
} from './shapes.ts'
import { status } from './status.ts'

const { read, removal, write } = callsOf('webhooks')

export const WebhookInput = z.object({
  /** Its owner: the customer, a group or a property. Absent: the caller's owner. It hears what happens in the owner's reach. */
  owner_type: ownerType.nullish(),
  owner_id: id.nullish(),
  url: pageAddress,
  events: z.array(z.enum(eventNames)).min(1).max(eventNames.length),
  /** Names, addresses and numbers of guests go along. Only editors of the customer may change it. */
  personal_data: ofCustomer(z.boolean()).default(false),
  active: yes,
})
/** Its owner cannot be changed, since what it was told belongs to one place. */
export const WebhookChanges = WebhookInput.omit({ owner_type: true, owner_id: true })

export const Webhook = z
  .object({
    id,
    url: z.string(),
    events: z.array(z.enum(eventNames)),
    personal_data: z.boolean(),
    owner_type: ownerType,
    owner_id: id,
    owner_name: z.string(),
    status,
    active: z.boolean(),
    /** `failed`: it could not be told anything for five days; `gone`: it answered 410. Activating it goes on. */
    paused_for: z.enum(['failed', 'gone']).nullable(),
    paused_at: moment.nullable(),
    /** Since when nothing could be delivered. */
    failing_since: moment.nullable(),
    /** How many deliveries wait for it. */
    waiting: count,
    created_at: moment,
  })
  .meta({ id: 'Webhook' })
/** The secret is answered once. It begins with `whsec_`. */
export const MadeWebhook = Webhook.extend({ secret: z.string() }).meta({ id: 'MadeWebhook' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [WebhookInput, Webhook],
  {
    url: 'Address',
    owner_id: 'Belongs to',
  },
  { webhook: ['owner_type', 'owner_id', 'url', 'events', 'personal_data'] },
)

export const list = read(
  '/webhooks',
  listOf(
    { status: anyOf(status), owner_type: anyOf(ownerType) },
    { property_id: ref('properties').optional(), group_id: ref('groups').optional() },
  ),
  page(Webhook),
)
export const get = read('/webhooks/{id}', byId('webhooks'), Webhook)
export const create = asking(write('/webhooks-create', WebhookInput, MadeWebhook))
export const update = asking(write('/webhooks-update', changesTo('webhooks', WebhookChanges), Webhook))
export const remove = removal('/webhooks-delete/{id}', byId('webhooks'), done)
/** A new secret, answered once. For a day the former one signs, too; two of them at most, or it is refused. */
export const renewSecret = asking(write('/webhooks-secret', byId('webhooks'), MadeWebhook))
/** Tells it something of no consequence: `webhook.test`. */
export const test = write('/webhooks-test', byId('webhooks'), done)
/** Tells it again everything since then that it wants, each under its own id. */
export const replay = write(
  '/webhooks-replay',
  byId('webhooks').extend({ since: storedMoment }),
  z.object({ sent: count }),
)

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export const WebhookDelivery = z
  .object({
    id,
    webhook_id: id,
    /** The `webhook-id` that it is sent under. */
    event: z.string(),
    type: z.string(),
    state: z.enum(deliveryStates),
    tries: count,
    /** The code of the last answer. */
    status: z.int().nullable(),
    /** The first of what was answered, or why there was no answer. */
    answer: z.string().nullable(),
    next_at: moment.nullable(),
    /** Another delivery to the same address is tried before it: it follows as soon as that is answered, at the latest at `next_at`. */
    waits_for_answer: z.boolean(),
    created_at: moment,
  })
  .meta({ id: 'WebhookDelivery' })
/** The labels of the fields of a delivery. */
export const deliveryFields = fieldsOf([WebhookDelivery], {
  event: 'Message',
  type: 'Event',
  status: 'Answer code',
  next_at: 'Next try',
  created_at: 'Happened',
})
export const deliveries = read(
  '/webhook-deliveries',
  listOf({ state: anyOf(z.enum(deliveryStates)), type: anyOf(z.string()) }, { webhook_id: ref('webhooks').optional() }),
  page(WebhookDelivery),
)
/** Sends it again, under the same id. */
export const send = write('/webhook-deliveries-send', byIds('webhook_deliveries'), done)
