// Dashboard: how the service stands right now, within what the caller may see.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { amount, count, day, id, moment, nothing } from './shapes.ts'

const { read } = callsOf('dashboard')

/** Something a person should look at, the most pressing kind first. */
export const attentionKinds = [
  'silent_gateway',
  'failed_import',
  'failed_device_import',
  'failed_room_import',
  'voucher_batch_low',
  'property_without_portal',
  'property_without_package',
  'draft_property',
] as const
const Attention = z.object({
  kind: z.enum(attentionKinds),
  /** Of the record itself: a gateway, an import, a batch or a property. */
  id,
  name: z.string(),
  /** The property where it is mended; null where it belongs to none, such as a group's batch. */
  property_id: id.nullable(),
  /** Since when it has been so. */
  since: moment,
  /** Of a batch that runs out: how many of its codes nobody has used. */
  left: count.nullable(),
})
const Day = z.object({ day, sessions: count, data_gb: amount })

export const Dashboard = z
  .object({
    guests_online: count,
    sessions_today: count,
    data_today_gb: amount,
    vouchers_left: count,
    properties: count,
    groups: count,
    packages: count,
    voucher_batches: count,
    accounts: count,
    devices: count,
    gateways: count,
    /** Whether a guest has ever been online: until then an installation is being set up. */
    ever_online: z.boolean(),
    /** The last 30 days, oldest first, days without a session included; the last one is today, so far. */
    days: z.array(Day),
    /** The 30 days before those. */
    days_before: z.array(Day),
    newest_accounts: z.array(z.object({ id, name: z.string(), property_name: z.string(), created_at: moment })),
    attention: z.array(Attention),
  })
  .meta({ id: 'Dashboard' })

export const get = read('/dashboard', nothing, Dashboard)
