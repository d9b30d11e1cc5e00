// Events: what has happened, for other programs: each is told to the webhooks that want it, and stands in a list for 30 days.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { keysOf } from './keys.ts'
import { anyOf, id, listOf, moment, page, ref } from './shapes.ts'

const { read } = callsOf('events')

/** What happened, in words, and what its `data` hold beside `id`, `property_id` and `sequence`: ids and words, nothing personal. */
export const eventTypes = {
  'account.created': { title: 'A guest account was made', object: 'account', data: z.object({}) },
  'account.ended': {
    title: 'A guest account ended',
    object: 'account',
    data: z.object({ why: z.enum(['deleted', 'disabled']) }),
  },
  'billing_run.approved': { title: 'A billing run was approved', object: 'billing_run', data: z.object({}) },
  'gateway.heard': {
    title: 'A gateway is heard again',
    object: 'gateway',
    data: z.object({ last_seen_at: moment.nullable() }),
  },
  'gateway.silent': {
    title: 'A gateway has fallen silent',
    object: 'gateway',
    // Null: it was never heard, while others at its property were.
    data: z.object({ last_seen_at: moment.nullable() }),
  },
  'guest.consent_given': {
    title: 'A guest agreed to something',
    object: 'guest',
    data: z.object({ purpose: z.string() }),
  },
  'guest.consent_withdrawn': {
    title: 'A guest withdrew a consent',
    object: 'guest',
    data: z.object({ purpose: z.string() }),
  },
  'guest.signed_in': {
    title: 'A guest signed in',
    object: 'guest',
    // `id` is that of the holder: who or what signed in.
    data: z.object({ holder: z.enum(['guest', 'account', 'voucher', 'device']), gateway_id: id, auth_method_id: id }),
  },
  'report.made': { title: 'A report was made', object: 'report_run', data: z.object({ report_id: id.nullable() }) },
  'stay.began': { title: 'A guest checked in', object: 'room_guest', data: z.object({ room_id: id }) },
  'stay.ended': { title: 'A guest checked out', object: 'room_guest', data: z.object({ room_id: id }) },
  'stay.moved': {
    title: 'A guest moved to another room',
    object: 'room_guest',
    data: z.object({ room_id: id, from_room_id: id }),
  },
  'voucher.used_up': {
    title: 'A voucher was used up',
    object: 'voucher',
    data: z.object({ voucher_batch_id: id, why: z.enum(['time', 'data']) }),
  },
} as const
export type EventType = keyof typeof eventTypes
export type EventData<T extends EventType> = z.input<(typeof eventTypes)[T]['data']>
export const eventNames = keysOf(eventTypes)

/** What is read when it is sent, for endpoints that are given personal data: what is known of the guest or account. */
export const PersonalData = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  mobile_number: z.string().nullable(),
})

/** As it is posted to a webhook; `sequence` counts what happened to the same object, from 1, whatever the type. */
export const bodyOf = (type: EventType) =>
  z.object({
    type: z.literal(type),
    timestamp: moment,
    data: z.object({
      id,
      property_id: id.nullable(),
      sequence: id,
      ...eventTypes[type].data.shape,
      personal: PersonalData.optional(),
    }),
  })

export const Event = z
  .object({
    id,
    /** The `webhook-id` of its deliveries. */
    message_id: z.string(),
    /** `webhook.test`: somebody tested a webhook. */
    type: z.enum([...eventNames, 'webhook.test']),
    timestamp: moment,
    data: z.looseObject({ id, property_id: id.nullable(), sequence: id }),
  })
  .meta({ id: 'Event' })

/** The labels of its fields. */
export const fields = fieldsOf([Event], {
  type: 'What',
  timestamp: 'When',
})

/** Those of the last 30 days, so that a program which missed some catches up. */
export const list = read(
  '/events',
  listOf({ type: anyOf(z.enum(eventNames)) }, { property_id: ref('properties').optional() }),
  page(Event),
)
