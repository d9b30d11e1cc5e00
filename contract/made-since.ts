// Made since: what somebody has made since their password was last changed that goes on without it: keys, users, schedules, connections,
// webhooks and gateways. Whoever changes a password because it was known to others ends what they made.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { id, moment } from './shapes.ts'

const { read } = callsOf('sessions')

export const madeKinds = ['keys', 'users', 'schedules', 'connections', 'webhooks', 'gateways'] as const
export type MadeKind = (typeof madeKinds)[number]

const Made = z.object({
  id,
  name: z.string(),
  /** Of whom it was made: the customer, in which one's user did it. */
  customer_name: z.string(),
  made_at: moment,
  /** The session in which it was made, null of what was made with an API key; `device` and `current` only while that lasts. */
  session: z.object({
    session: z.string().nullable(),
    device: z.string().nullable(),
    ip: z.string().nullable(),
    current: z.boolean(),
  }),
  may_end: z.boolean(),
})
export const MadeSince = z.object({
  since: moment,
  keys: z.array(Made),
  /** Invited, made editors, or enabled again. */
  users: z.array(Made),
  /** Reports with a frequency that were made, or given other recipients. */
  schedules: z.array(Made),
  /** Of any kind, by their ids in `/connections`. */
  connections: z.array(Made),
  /** Made, or told otherwise: at another address, of other events, or with names of guests. */
  webhooks: z.array(Made),
  /** Made, or given another RADIUS secret. */
  gateways: z.array(Made),
})

const ids = z.array(id).max(500).default([])
/**
 * What ends with the password: keys are deleted, connections removed, all else is disabled, also a property's system. Ids as
 * `/auth/made-since` answers them.
 */
export const Endings = z.object({
  keys: ids,
  users: ids,
  schedules: ids,
  connections: ids,
  webhooks: ids,
  gateways: ids,
})

/** Absent: since the last change of the password. At most 90 days. */
export const madeSince = read('/auth/made-since', z.object({ since: moment.optional() }), MadeSince)
/** The same for whoever holds a link to reset the password; null if it is no longer valid. */
export const madeSinceByLink = read(
  '/auth/reset-made-since',
  z.object({ token: z.string().min(20).max(200) }),
  z.object({ made: MadeSince.nullable() }),
)
