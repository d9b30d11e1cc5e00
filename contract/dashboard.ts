// Dashboard: the present state of the service, within what the caller may see.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { PropertyState } from './properties.ts'
import { amount, count, day, id, moment, nothing } from './shapes.ts'
import { propertyState } from './status.ts'

const { read, write } = callsOf('dashboard')

/** What needs attention beside the states of properties; the most urgent kinds come first. */
export const attentionKinds = [
  'unanswered_gateway',
  'unregistered_gateway',
  'failed_import',
  'failed_device_import',
  'failed_room_import',
  'failed_job',
  'late_nights',
  'stay_list',
  'stay_differences',
  'failed_report',
  'paused_report',
  'undelivered',
  'due_work',
  'voucher_batch_low',
  'draft_property',
] as const
const Attention = z.object({
  kind: z.enum(attentionKinds),
  /**
   * The record's id: a failed job, a gateway, an unregistered gateway, an import, a report, a batch or a property; an interface
   * whose list waits; or the newest message or piece of due work.
   */
  id,
  name: z.string(),
  /** The property where it is fixed; null if it belongs to none, such as a group's batch. */
  property_id: id.nullable(),
  /** Since when. */
  since: moment,
  /**
   * For a batch that runs out: the number of its unused codes; for a list that waits, of the guests whom it moves out. For undelivered
   * messages, due work that was given up, late nights and words of a property's system that wait: how many there are.
   */
  left: count.nullable(),
})
/** A property in numbers. Attempts of devices whose guest has not seen the sign-in page do not count. */
const Standing = z.object({
  id,
  name: z.string(),
  state: PropertyState,
  /** Guests who cannot get online. */
  suffering: count,
  /** Its state is not `served`, or there are far fewer guests than a week ago, or its codes run out. */
  troubled: z.boolean(),
  online: count,
  /** The maximum in this hour a week ago; null if it was not counted. */
  online_before: count.nullable(),
  /** Sign-in attempts of the last 24 hours, and of the same hours a week before. */
  tries: count,
  refused: count,
  tries_before: count,
  refused_before: count,
  /** Sessions of the last seven days in the property's time zone; the last one is today so far. */
  days: z.array(count),
  /** Of its own batches in use; null if it has none. */
  codes_left: count.nullable(),
  /** The day on which they run out at the average rate since the oldest of these batches was made; null if none was used. */
  codes_last_until: day.nullable(),
  /** Whether that day is within a week. */
  codes_run_out: z.boolean(),
})
/** The most guests online in the hour that begins then, and in the same hour a week before. */
const Hour = z.object({ hour: moment, online: count, before: count })
const Day = z.object({ day, sessions: count, data_gb: amount })

/** When each was last done; null: never. */
const Backups = z.object({
  made_at: moment.nullable(),
  /** One that was restored into a spare folder, while it was made or from its file. */
  tried_at: moment.nullable(),
  /** One that was opened and restored from its file, where its identity is. */
  opened_at: moment.nullable(),
  /** Backups that are not what was written. */
  damaged: count,
})

/** After so many hours backups are late: the hours of deploy/prometheus/alerts.yaml. */
export const backups_late_h = { made_at: 26, tried_at: 3 * 24, opened_at: 35 * 24 } as const

export const Dashboard = z
  .object({
    guests_online: count,
    /** The maximum in this hour a week ago; null if it was not counted. */
    guests_online_before: count.nullable(),
    sessions_today: count,
    data_today_gb: amount,
    /** Codes that can still be given out, and the number of their batches. */
    vouchers_left: count,
    batches_left: count,
    properties: count,
    groups: count,
    packages: count,
    voucher_batches: count,
    accounts: count,
    devices: count,
    gateways: count,
    /** Whether a guest of a trial has been online. */
    tried: z.boolean(),
    /** Whether a gateway has ever been heard, by a packet or a guest whom it sent. */
    ever_heard: z.boolean(),
    /** Whether somebody has ever been let in. Who is let in is online once the gateway reports it. */
    ever_accepted: z.boolean(),
    /** The newest gateway, for as long as none has been heard. */
    awaited_gateway: z.object({ id, name: z.string() }).nullable(),
    /** Whether a guest has ever been online; if not, the installation is still being set up. */
    ever_online: z.boolean(),
    /** The last 4 weeks, oldest first, including days without a session; the last one is today, so far. */
    days: z.array(Day),
    /** The 4 weeks before those: each day is the same day of the week. */
    days_before: z.array(Day),
    /** The last 7 days, oldest first; the last hour is not over yet. */
    hours: z.array(Hour),
    /** How many active properties are in each state, the worst first; each is in exactly one. */
    states: z.array(z.object({ word: propertyState, count })),
    /** Active properties, those with the most guests who suffer first; at most 200. */
    standings: z.array(Standing),
    newest_accounts: z.array(z.object({ id, name: z.string(), property_name: z.string(), created_at: moment })),
    /** For who runs the installation; null for others, and where the database is backed up by its own means. */
    backups: Backups.nullable(),
    attention: z.array(Attention),
    /** How many more there are, since a few of each kind are answered. */
    attention_more: count,
  })
  .meta({ id: 'Dashboard' })

/** Thresholds beyond which a property needs attention: the server selects properties by them, and the web explains why. */
export const worth_a_look = {
  /** The drop against a week ago, as a share, if at least `online_min` guests were online then. */
  drop_min: 0.5,
  online_min: 10,
} as const

export const get = read('/dashboard', nothing, Dashboard)

/** What is said of an entry: dealt with, until it happens anew; put off until tomorrow; or neither, which takes the other two back. */
export const attentionMarks = ['done', 'later', 'open'] as const
export const mark = write(
  '/attention-mark',
  z.object({ kind: z.enum(attentionKinds), about_id: id, as: z.enum(attentionMarks) }),
  Dashboard.pick({ attention: true, attention_more: true }),
)
