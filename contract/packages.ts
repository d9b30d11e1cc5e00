// Packages: what a guest gets: data volume, speed, time and number of devices. 0 means no limit.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import {
  amount,
  anyOf,
  byId,
  changesTo,
  count,
  done,
  id,
  byIds,
  listOf,
  moment,
  named,
  no,
  nothing,
  page,
  text,
  yes,
  namesOf,
} from './shapes.ts'
import { status } from './status.ts'

const { lookup, read, write, listFile, removal } = callsOf('packages')

export const recurrences = ['none', 'daily', 'weekly', 'monthly'] as const

export const PackageInput = z.object({
  name: text(),
  volume_gb: amount.default(0),
  /** Limits download and upload alike, in megabits per second. */
  speed_mbps: amount.default(0),
  max_users: count.default(0),
  session_time_hrs: amount.default(0),
  idle_timeout_hrs: amount.default(0),
  /** How often the allowance renews, at midnight in the property's time zone. */
  recurs: z.enum(recurrences).default('none'),
  /** Guests whose bill is in dispute, as their property's system says, do not get it. */
  refused_in_dispute: no,
  active: yes,
})
/** When a change takes effect for guests who are online: at once, or at their next sign-in. */
const applications = ['now', 'next'] as const
export const PackageChange = PackageInput.extend({ apply: z.enum(applications).optional() })

export const PackageRow = z.object({
  id,
  name: z.string(),
  volume_gb: z.number(),
  speed_mbps: z.number(),
  max_users: count,
  session_time_hrs: z.number(),
  idle_timeout_hrs: z.number(),
  recurs: z.enum(recurrences),
  refused_in_dispute: z.boolean(),
  status,
  active: z.boolean(),
  created_at: moment,
})

export const Package = PackageRow.extend({
  /** Number of devices online with it. */
  online: count,
}).meta({ id: 'Package' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [PackageInput, Package, PackageRow],
  {
    volume_gb: 'Data',
    speed_mbps: 'Speed',
    max_users: 'Devices at once',
    session_time_hrs: 'Session time',
    idle_timeout_hrs: 'Idle time',
    recurs: 'Renews',
    refused_in_dispute: 'Not for guests whose bill is in dispute',
  },
  {
    package: ['name'],
    allowance: ['volume_gb', 'recurs'],
    speed: ['speed_mbps', 'max_users'],
    time: ['session_time_hrs', 'idle_timeout_hrs'],
    guests: ['refused_in_dispute'],
  },
)

export const list = read(
  '/packages',
  listOf({ status: anyOf(status), recurs: anyOf(z.enum(recurrences)) }, {}, [
    '-created_at',
    'created_at',
    'name',
    '-name',
  ]),
  page(PackageRow),
)
export const exportList = listFile('/packages-list-export', list)
export const PackageName = named.extend({ status })
export const names = lookup('/packages-list', nothing, z.array(PackageName))
export const nameList = read('/packages-list', namesOf(), page(PackageName))
export const get = read('/packages/{id}', byId('packages'), Package)
export const create = write('/packages-create', PackageInput, Package)
/** Without `apply`, changed limits take effect at the next sign-in. */
export const update = write('/packages-update', changesTo('packages', PackageChange), Package)
export const deactivate = write('/packages-deactivate', byIds('packages'), done)
export const activate = write('/packages-activate/{id}', byId('packages'), Package)
export const remove = removal('/packages-delete/{id}', byId('packages'), done)
