// Dashboard: how the service stands right now, within what the caller may see.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { amount, count, day, id, moment, nothing } from './shapes.ts'

const { read } = callsOf('dashboard')

/** Something a person should look at, the most pressing kind first. */
export const attentionKinds = [
  'silent_gateway',
  'unanswered_gateway',
  'unregistered_gateway',
  'failed_import',
  'failed_device_import',
  'failed_room_import',
  'failed_report',
  'paused_report',
  'undelivered',
  'voucher_batch_low',
  'property_without_portal',
  'property_without_package',
  'draft_property',
] as const
const Attention = z.object({
  kind: z.enum(attentionKinds),
  /** Of the record itself: a gateway, one that is not registered, an import, a report, a batch or a property; the newest message. */
  id,
  name: z.string(),
  /** The property where it is mended; null where it belongs to none, such as a group's batch. */
  property_id: id.nullable(),
  /** Since when it has been so. */
  since: moment,
  /** Of a batch that runs out: how many of its codes nobody has used. Of undelivered messages: how many there are. */
  left: count.nullable(),
})
/** How a property stands. Attempts of devices whose guest has not seen the sign-in page do not count. */
const Standing = z.object({
  id,
  name: z.string(),
  /** Something is wrong: a silent gateway, more refusals than usual, far fewer guests than a week ago, codes that run out. */
  troubled: z.boolean(),
  silent_gateways: count,
  /** When the first of the silent gateways was last heard. */
  down_since: moment.nullable(),
  online: count,
  /** At most in this hour a week ago; null where it was not counted. */
  online_before: count.nullable(),
  /** Attempts to sign in of the last 24 hours, and of the same hours a week before. */
  tries: count,
  refused: count,
  tries_before: count,
  refused_before: count,
  /** Sessions of the last seven days of the property's clock, the last one today so far. */
  days: z.array(count),
  /** Of its own batches that are in use; null where it has none. */
  codes_left: count.nullable(),
  /** The day on which they are used up if they go on as since the oldest of these batches was made; null where none was used. */
  codes_last_until: day.nullable(),
  /** That day is within a week. */
  codes_run_out: z.boolean(),
})
/** Guests online at most, in an hour that begins then and in the same one a week before. */
const Hour = z.object({ hour: moment, online: count, before: count })
const Day = z.object({ day, sessions: count, data_gb: amount })

export const Dashboard = z
  .object({
    guests_online: count,
    /** In this hour a week ago, at most; null where it was not counted. */
    guests_online_before: count.nullable(),
    sessions_today: count,
    data_today_gb: amount,
    /** Codes that can still be given out, and the batches that they are of. */
    vouchers_left: count,
    batches_left: count,
    properties: count,
    groups: count,
    packages: count,
    voucher_batches: count,
    accounts: count,
    devices: count,
    gateways: count,
    /** Whether a guest has ever been online: until then an installation is being set up. */
    ever_online: z.boolean(),
    /** The last 4 weeks, oldest first, days without a session included; the last one is today, so far. */
    days: z.array(Day),
    /** The 4 weeks before those: each day is the same day of the week. */
    days_before: z.array(Day),
    /** The last 7 days, oldest first; the last hour is going on. */
    hours: z.array(Hour),
    /** Active properties, the worst first; at most 200. */
    standings: z.array(Standing),
    newest_accounts: z.array(z.object({ id, name: z.string(), property_name: z.string(), created_at: moment })),
    attention: z.array(Attention),
  })
  .meta({ id: 'Dashboard' })

/** From when on something of a property is worth a look: the server picks properties out by it, the web says why. */
export const worth_a_look = {
  /** Fewer attempts than these say nothing of a place. */
  tries_min: 5,
  refused_share_max: 0.2,
  /** So much less than a week ago, where there were that many. */
  drop_min: 0.5,
  online_min: 10,
} as const

export const get = read('/dashboard', nothing, Dashboard)
