// Activity: who did what, when, to which record. Written with each change, in its transaction; never edited.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { anyOf, day, id, listOf, moment, page } from './shapes.ts'

const { read, listFile } = callsOf('activity')

export const actions = [
  'create', 'update', 'activate', 'deactivate', 'delete', 'invite', 'permission',
  'import', 'export', 'login', 'failed_login', 'integration', 'denied', 'reset_asked', 'reset', 'key_use', 'looked_up',
] as const // prettier-ignore

export const ActivityRow = z.object({
  id: z.int().positive(),
  action: z.enum(actions),
  /** The table of the record, as the API names it: `properties`, `users`. */
  object_type: z.string().nullable(),
  object_id: z.int().positive().nullable(),
  object_name: z.string().nullable(),
  /** Who did it: a person, a program with a key, a gateway, a guest, or Foyer itself. */
  principal_kind: z.enum(['user', 'api_key', 'gateway', 'guest', 'job']),
  user_id: id.nullable(),
  actor_name: z.string().nullable(),
  actor_email: z.string().nullable(),
  /** The changed fields only, and never a secret. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  ip: z.string().nullable(),
  created_at: moment,
})

export const list = read(
  '/activity',
  listOf({
    action: anyOf(z.enum(actions)),
    object_type: anyOf(z.string().max(60)),
    object_id: anyOf(id),
    user_id: anyOf(id),
    /** Days of the customer's time zone, as those of `days`. */
    from: day.optional(),
    to: day.optional(),
    /** How many days back, with today: `1` is today alone. */
    days: z.enum(['1', '7', '30', '90']).optional(),
  }),
  page(ActivityRow),
)
export const exportList = listFile('/activity-list-export', list)
