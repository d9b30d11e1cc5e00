// Dashboard: how the service stands right now, within what the caller may see.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { amount, count, day, id, moment, nothing } from './shapes.ts'

const { read } = callsOf('dashboard')

/** Something a person should look at, worst first. */
export const attentionKinds = [
  'draft_property',
  'silent_gateway',
  'failed_import',
  'property_without_portal',
  'property_without_package',
] as const

export const Dashboard = z
  .object({
    guests_online: count,
    sessions_today: count,
    data_today_gb: amount,
    vouchers_left: count,
    properties: count,
    groups: count,
    accounts: count,
    devices: count,
    /** The last 30 days, oldest first, days without a session included. */
    days: z.array(z.object({ day, sessions: count, data_gb: amount })),
    newest_accounts: z.array(z.object({ id, name: z.string(), property_name: z.string(), created_at: moment })),
    attention: z.array(z.object({ kind: z.enum(attentionKinds), id, name: z.string() })),
  })
  .meta({ id: 'Dashboard' })

export const get = read('/dashboard', nothing, Dashboard)
