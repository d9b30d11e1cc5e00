// Gateways: the boxes at a property that ask us who may go online.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { hostName } from './host-name.ts'
import { macAddress } from './mac-address.ts'
import {
  anyOf,
  byId,
  byIds,
  changesTo,
  done,
  id,
  listOf,
  moment,
  named,
  no,
  page,
  port,
  ref,
  text,
  yes,
} from './shapes.ts'
import { status } from './status.ts'

const { listFile, read, write, removal } = callsOf('gateways')

const ip_address = z.union([z.ipv4(), z.ipv6()], 'Please enter an IP address')
/** What stands in a RADIUS attribute: printable, and at most what one attribute holds. */
const nas_identifier = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^[\x21-\x7e]+$/, 'Please use letters, digits and signs, without spaces')

export const loginMethod = z.enum(['get', 'post'])
export const GatewayInput = z.object({
  property_id: ref('properties'),
  gateway_type_id: ref('gateway_types'),
  /** Without one it is called after its type. */
  name: text().nullish(),
  mac_address: macAddress.nullish(),
  /** Where its packets come from; a private one is fine. */
  ip_address: ip_address.nullish(),
  dns_name: hostName.nullish(),
  gateway_dns_setting: text().nullish(),
  /** How the gateway names itself to RADIUS: unique in its customer, made by the server unless it is given. */
  nas_identifier: nas_identifier.optional(),
  username: text(100).nullish(),
  /** Stored sealed, and never answered. */
  password: text(200).nullish(),
  /** Its accounting has up and down the other way round than RFC 2866. */
  counts_from_gateway_side: no,
  /** Old software that signs no request for access (Message-Authenticator): it is answered all the same. */
  takes_unsigned: no,
  /**
   * How a gateway of the type Generic RADIUS takes a sign-in. From a portal on https to a gateway on http browsers stop a form
   * (`post`) with a warning; what stands in the address (`get`) is a one-time pass.
   */
  login_method: loginMethod.default('post'),
  /** Where it listens for our request to disconnect a guest. */
  disconnect_port: port.default(3799),
  active: yes,
})
export const GatewayRow = z.object({
  id,
  name: z.string(),
  property: named,
  gateway_type: named,
  mac_address: z.string().nullable(),
  ip_address: z.string().nullable(),
  dns_name: z.string().nullable(),
  nas_identifier: z.string(),
  /** When it last asked something of RADIUS. Null: never. */
  last_seen_at: moment.nullable(),
  status,
  active: z.boolean(),
  created_at: moment,
})
export const Gateway = z
  .object({
    ...GatewayRow.shape,
    property_id: id,
    gateway_type_id: id,
    gateway_dns_setting: z.string().nullable(),
    username: z.string().nullable(),
    has_password: z.boolean(),
    /** When its RADIUS secret was made. */
    radius_secret_made_at: moment.nullable(),
    counts_from_gateway_side: z.boolean(),
    takes_unsigned: z.boolean(),
    login_method: loginMethod,
    disconnect_port: z.int(),
    /** When a packet of it was last left unanswered, and why. */
    refused_at: moment.nullable(),
    refused_for: z.enum(['wrong_secret', 'unsigned']).nullable(),
    /** Where it sends guests: the page of its property's portal. Null: the property shows none. */
    portal_url: z.string().nullable(),
    /**
     * Where phones can ask how they stand (RFC 8908), to be told by DHCP. Null where they would hear nothing: the portal is not on
     * TLS, or the gateway's guests have not been seen by their own addresses within 30 days.
     */
    captive_url: z.string().nullable(),
    /** Where it asks and reports. */
    radius: z.object({ host: z.string(), authentication_port: z.int(), accounting_port: z.int() }),
  })
  .meta({ id: 'Gateway' })

/** What people call its fields. */
export const fields = fieldsOf(
  [GatewayInput, Gateway, GatewayRow],
  {
    gateway_type_id: 'Type',
    gateway_type: 'Type',
    gateway_dns_setting: 'DNS setting',
    last_seen_at: 'Last heard',
    counts_from_gateway_side: 'Counts traffic from its own side',
    takes_unsigned: 'Old software that signs no requests',
    login_method: 'How it takes a sign-in',
  },
  {
    gateway: ['name', 'gateway_type_id', 'property_id'],
    network: ['mac_address', 'ip_address', 'dns_name', 'gateway_dns_setting', 'nas_identifier'],
    access: ['username', 'password', 'counts_from_gateway_side', 'takes_unsigned', 'login_method', 'disconnect_port'],
  },
)

export const UnregisteredGateway = z
  .object({
    id,
    property: named,
    /** Where its packets come from; null for who sent guests to the portal. */
    address: z.string().nullable(),
    /** How it names itself. */
    nas_identifier: z.string().nullable(),
    mac_address: z.string().nullable(),
    /**
     * `asks`: it asks by RADIUS. The others sent a guest to the portal: `unknown`: nobody has its name. `not_genuine`: it is not
     * the one that it says it is. `other_kind`: that one is registered as another kind. `not_served`: nobody reads its make.
     */
    why: z.enum(['asks', 'unknown', 'not_genuine', 'other_kind', 'not_served']),
    /** The registered one that it names. */
    gateway: named.nullable(),
    /** The make as which it speaks, of the look-up `gateway_types`. */
    make: named.nullable(),
    last_seen_at: moment,
    created_at: moment,
  })
  .meta({ id: 'UnregisteredGateway' })
/** Told once, when it is made. */
const radius_secret = z.string()
export const NewGateway = Gateway.extend({ radius_secret }).meta({ id: 'NewGateway' })
export const GatewaySecret = z.object({ id, radius_secret }).meta({ id: 'GatewaySecret' })

export const list = read(
  '/gateways',
  listOf(
    { status: anyOf(status), gateway_type_id: anyOf(id), property_id: anyOf(id) },
    { property_id: ref('properties').optional(), group_id: ref('groups').optional() },
    ['-created_at', 'created_at'],
  ),
  page(GatewayRow),
)
/**
 * Those that asked of late from where a gateway of the property asks, and are not registered: a mistyped name, or a new box. Beside
 * them those that sent guests to the property's portal and that nobody could be let online through.
 */
export const unregistered = read(
  '/gateways-unregistered',
  z.object({ property_id: ref('properties') }),
  z.array(UnregisteredGateway),
)
export const exportList = listFile('/gateways-list-export', list)
export const get = read('/gateways/{id}', byId('gateways'), Gateway)
export const create = write('/gateways-create', GatewayInput, NewGateway)
export const update = write('/gateways-update', changesTo('gateways', GatewayInput), Gateway)
/** Active becomes disabled, disabled becomes active. */
export const toggle = write('/gateways-toggle-active', byId('gateways'), Gateway)
export const deactivate = write('/gateways-deactivate', byIds('gateways'), done)
export const activate = write('/gateways-activate/{id}', byId('gateways'), Gateway)
/** Makes a new RADIUS secret. The former one holds no longer. */
export const makeSecret = write('/gateways-secret', byId('gateways'), GatewaySecret)
export const remove = removal('/gateways-delete/{id}', byId('gateways'), done)
