// Guest sessions: when each device was online and how much it used, as gateways report it.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { ipAddress } from './ip-address.ts'
import { anyOf, byId, byIds, count, done, id, listOf, moment, named, page, ref, text } from './shapes.ts'

const { read, write, desk } = callsOf('guest_sessions')

/** The gateways' reasons for an end, in words for the guest and the desk. The last ones are our own. */
export const terminationReasons: Record<string, string> = {
  'User-Request': 'Logged out',
  'Lost-Carrier': 'The device left',
  'Lost-Service': 'The device left',
  'Idle-Timeout': 'Not used for a while',
  'Session-Timeout': 'Session time ran out',
  'Admin-Reset': 'Disconnected at the desk',
  'Admin-Reboot': 'The gateway was restarted',
  'NAS-Reboot': 'The gateway was restarted',
  'User-Error': 'The device left',
  'Host-Request': 'The device left',
  'Data-Used-Up': 'Data allowance used up',
  'Time-Used-Up': 'Time allowance used up',
  'Account-Disabled': 'Account disabled',
  'Account-Deleted': 'Account deleted',
  'Device-Disabled': 'Device disabled',
  'Voucher-Disabled': 'Voucher disabled',
  'Property-Disabled': 'Guest Wi-Fi switched off',
  'Stay-Over': 'Stay ended',
  'Device-Blocked': 'Device blocked',
  'Package-Disabled': 'Package disabled',
  'In-Dispute': 'Bill in dispute',
  'Package-Changed': 'Package changed',
  'Gateway-Disabled': 'Gateway disabled',
  'Moved-Away': 'Moved to another property',
  'Session-Unknown': 'Lost by the gateway',
}
export const terminationReason = (cause: string) => terminationReasons[cause] ?? 'Ended by the gateway'

export const GuestSessionRow = z
  .object({
    id,
    /** What the guest signed in with: a user name, a code, a device. Callers who may not hand out codes see only the end of a code. */
    identifier: z.string().nullable(),
    /** The name of its account, guest or device, if it has one. */
    guest_name: z.string().nullable(),
    mac_address: z.string().nullable(),
    /** Its present or last address; null if its gateway does not report it. */
    ip: z.string().nullable(),
    /** Addresses, and prefixes as `2001:db8:1::/64`. */
    ipv6: z.array(z.string()),
    account_id: id.nullable(),
    device_id: id.nullable(),
    voucher_batch_id: id.nullable(),
    property: named,
    /** Of the account, guest or device; null if none is known. */
    room: named.nullable(),
    package: named.nullable(),
    gateway: named,
    auth_method: named.nullable(),
    online: z.boolean(),
    started_at: moment,
    last_seen_at: moment,
    stopped_at: moment.nullable(),
    seconds: z.int().min(0),
    /** From the guest's point of view. */
    bytes_up: z.int().min(0),
    bytes_down: z.int().min(0),
    /** What its package or the voucher's batch allows. Null: no limit. */
    speed_mbps: z.number().min(0).nullable(),
    /** What its holder has left, on all devices together. Null if the session is over; each is null if there is no limit. */
    left: z.object({ seconds: z.int().min(0).nullable(), bytes: z.int().min(0).nullable() }).nullable(),
    /** When its gateway was last asked to end it. */
    disconnect_asked_at: moment.nullable(),
    /** Why it ended, in words. Null while it is open. */
    termination_reason: z.string().nullable(),
  })
  .meta({ id: 'GuestSession' })

/** The labels of its fields. */
export const fields = fieldsOf([GuestSessionRow], {
  online: 'State',
  started_at: 'Since',
  seconds: 'Online for',
  auth_method: 'Signed in by',
  stopped_at: 'Ended',
})

/** Those of former months may be in reports alone: `meta.listed_since` says since when all are listed. */
export const list = read(
  '/sessions',
  listOf(
    {
      online: anyOf(z.boolean()),
      /** By each property's own day. */
      started: anyOf(z.enum(['today'])),
      property_id: anyOf(id),
      group_id: anyOf(id),
      auth_method_id: anyOf(id),
    },
    {
      property_id: ref('properties').optional(),
      group_id: ref('groups').optional(),
      account_id: ref('accounts').optional(),
      device_id: ref('devices').optional(),
      guest_id: ref('guests').optional(),
      voucher_batch_id: ref('voucher_batches').optional(),
    },
  ),
  page(GuestSessionRow),
)
export const get = read('/sessions/{id}', byId('radius_sessions'), GuestSessionRow)
/** As quoted in a complaint about misuse. */
export const AddressAsked = z.object({
  ip_address: ipAddress,
  at: moment,
})
/** A session that had the address then, or within five minutes of it. */
export const AddressHolder = GuestSessionRow.pick({
  identifier: true,
  guest_name: true,
  mac_address: true,
  account_id: true,
  device_id: true,
  voucher_batch_id: true,
  property: true,
  room: true,
}).extend({
  session_id: id,
  /** The address, or the prefix that contains it. */
  address: z.string(),
  since: moment,
  /** Null: it still has it. */
  until: moment.nullable(),
})
/** Who had an address. The question is recorded in the activity log. */
export const whoseAddress = write('/sessions-address', AddressAsked, z.array(AddressHolder))

/** For the activity log. */
export const DisconnectReason = z.object({ reason: text(200) })
/** Asks the gateways to end them; those that are already over stay as they are. */
export const disconnect = desk(
  '/sessions-disconnect',
  byIds('radius_sessions').extend(DisconnectReason.shape),
  z.object({ ...done.shape, asked: count }),
)
