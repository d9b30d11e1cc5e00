// Property interfaces: the links to the systems that know who stays where, for one property, several, or all.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { Authorization, Callback } from './integrations.ts'
import { fieldsOf } from './describe.ts'
import { hostName } from './host-name.ts'
import { Settings, SettingsInput } from './parameters.ts'
import {
  anyOf,
  byId,
  changesTo,
  count,
  day,
  done,
  id,
  listOf,
  moment,
  named,
  no,
  ownerType,
  page,
  port,
  ref,
  text,
  yes,
} from './shapes.ts'
import { status } from './status.ts'

const { read, write, removal } = callsOf('property_interfaces')

export const InterfaceInput = z.object({
  property_interface_type_id: ref('property_interface_types'),
  /** Without one it is named after its type. */
  name: text().nullish(),
  /** Its owner: the customer, a group, a property or a package. Absent: the caller's owner. */
  owner_type: ownerType.nullish(),
  owner_id: id.nullish(),
  /** The package of the accounts it makes; else the property's. */
  package_id: ref('packages', 'The property’s package').nullish(),
  host: hostName.nullish(),
  port: port.nullish(),
  /** The code under which the other system books charges. */
  sales_outlet: text(50).nullish(),
  /** Both are stored encrypted and never answered. */
  username: text().nullish(),
  password: text(4000).nullish(),
  /** Refuses guests whose bill is in dispute. */
  check_account_in_dispute: no,
  /** By the keys of its kind's parameters (`/property-interface-kinds`). A key that is left out stays as it is; null takes it away. */
  settings: SettingsInput.optional(),
  active: yes,
})
/** Its owner cannot be changed, since its credentials belong to one place. */
export const InterfaceChanges = InterfaceInput.omit({ owner_type: true, owner_id: true })

/**
 * How its link is. `confirm`: a whole list waits for a person, because it would empty many rooms. `behind`: it has been silent for longer
 * than it may be. `off`: nothing is exchanged, since it is disabled, or is for no single property.
 */
export const linkWords = ['up', 'behind', 'down', 'never', 'off', 'confirm'] as const
export const LinkState = z.object({
  word: z.enum(linkWords),
  since: moment,
  /** How long nothing has been heard, where that is too long. */
  behind_s: count.nullable(),
  last_error: z.string().nullable(),
  /** How many guests a list that waits would move out. */
  moves_out: count.nullable(),
  sentence: z.string(),
})

export const InterfaceRow = z.object({
  id,
  name: z.string(),
  property_interface_type: named,
  owner_type: ownerType,
  owner_id: id,
  owner_name: z.string(),
  package: named.nullable(),
  host: z.string().nullable(),
  port: z.number().nullable(),
  /** Of the properties it is for: the other system can identify only those with a reference. */
  number_of_properties_with_external_references: count,
  state: LinkState,
  status,
  active: z.boolean(),
  created_at: moment,
})
export const Interface = z
  .object({
    ...InterfaceRow.shape,
    property_interface_type_id: id,
    package_id: id.nullable(),
    /** The id by which the other system names it when it calls. */
    uuid: z.string(),
    sales_outlet: z.string().nullable(),
    has_username: z.boolean(),
    has_password: z.boolean(),
    check_account_in_dispute: z.boolean(),
    /** Without secrets. */
    settings: Settings,
    /** The keys of those secrets of its settings that are set. */
    settings_set: z.array(z.string()),
    /** Somebody has given consent at the system. */
    is_connected: z.boolean(),
    /** Where the other system posts what happens. */
    hook_url: z.string(),
    /** Where it sends its lists, with the identifier as the user name; null where files are not received by SFTP. */
    drop_url: z.string().nullable(),
  })
  .meta({ id: 'PropertyInterface' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [InterfaceInput, Interface, InterfaceRow],
  {
    property_interface_type_id: 'Type',
    property_interface_type: 'Type',
    owner_id: 'Belongs to',
    check_account_in_dispute: 'Check for accounts in dispute',
    number_of_properties_with_external_references: 'Properties with a reference',
    username: 'User name or client ID',
    password: 'Password or token',
    hook_url: 'Address for webhooks',
    drop_url: 'Address for files',
  },
  {
    interface: ['property_interface_type_id', 'name'],
    owner: ['owner_type', 'owner_id'],
    connection: ['host', 'port', 'sales_outlet', 'username', 'password', 'settings'],
    guests: ['package_id', 'check_account_in_dispute'],
  },
)

export const list = read(
  '/property-interfaces',
  listOf(
    { status: anyOf(status), property_interface_type_id: anyOf(id), owner_type: anyOf(ownerType) },
    {
      property_id: ref('properties').optional(),
      /** The group's own interfaces, and those of its properties. */
      group_id: ref('groups').optional(),
      owner_package_id: ref('packages').optional(),
    },
    ['-created_at', 'created_at'],
  ),
  page(InterfaceRow),
)
export const get = read('/property-interfaces/{id}', byId('property_interfaces'), Interface)
export const create = write('/property-interfaces-create', InterfaceInput, Interface)
export const update = write(
  '/property-interfaces-update',
  changesTo('property_interfaces', InterfaceChanges),
  Interface,
)
export const activate = write('/property-interfaces-activate/{id}', byId('property_interfaces'), Interface)
export const deactivate = write('/property-interfaces-deactivate', byId('property_interfaces'), Interface)
/** Active becomes disabled, disabled becomes active. */
export const toggle = write('/property-interface-toggle-active', byId('property_interfaces'), Interface)
export const remove = removal('/property-interfaces-delete/{id}', byId('property_interfaces'), done)
/** Has everything told anew, where the system can be asked. */
export const sync = write('/property-interfaces-sync', byId('property_interfaces'), Interface)
/** Takes over the list that waits. `moves_out` says how many guests that moves out, as it was read. */
export const confirm = write(
  '/property-interfaces-confirm',
  byId('property_interfaces').extend({ moves_out: count }),
  Interface,
)
/** The system's page on which a person gives consent. It sends them back to `/customer/property-interfaces`, or that of a group. */
export const authorize = write('/property-interfaces-authorize', byId('property_interfaces'), Authorization)
/** Takes up what the consent has given: with what the system sent the browser back with. */
export const connect = asking(write('/property-interfaces-connect', Callback, Interface))
export const TrialStep = z
  .object({
    /** As the other side sends them. */
    records: z.array(z.string()),
    /** What happens, and what was done, in words. */
    sentences: z.array(z.string()),
    /** Who is in house then, as the system says. */
    house: z.array(z.object({ room: z.string(), name: z.string(), departs_on: day.nullable() })),
  })
  .meta({ id: 'TrialStep' })
/** What a link would do at a property, told by a system that is made up. All of it is taken back before it is answered. */
export const tryOut = write(
  '/property-interfaces-try',
  z.object({ property_id: ref('properties') }),
  z.object({ steps: z.array(TrialStep) }),
)
export const LinkRecord = z.object({ id, at: moment, sentence: z.string() }).meta({ id: 'LinkRecord' })
/** Latest from the system, newest first: at most 200 records. Names stand in it for those who may write. */
export const log = read('/property-interfaces-log/{id}', byId('property_interfaces'), z.array(LinkRecord))
