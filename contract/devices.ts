// Devices: MAC addresses that go online without a login page, in one property. The list is called `/macs`.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { macAddress } from './mac-address.ts'
import {
  anyOf,
  anyOrNone,
  byId,
  byIds,
  changesTo,
  done,
  id,
  idOrIds,
  listOf,
  moment,
  named,
  namesOf,
  nothing,
  page,
  ref,
  text,
  yes,
} from './shapes.ts'
import { status } from './status.ts'

const { desk, lookup, read, write, listFile, removal } = callsOf('devices')

export const DeviceInput = z.object({
  property_id: ref('properties'),
  name: text(),
  /** Unique within the property. */
  mac_address: macAddress,
  external_reference: text().nullish(),
  mac_category_id: ref('mac_categories').nullish(),
  package_id: ref('packages', 'The room’s, or the property’s').nullish(),
  room_id: ref('rooms').nullish(),
  accounting_contact_id: ref('accounting_contacts', 'Nobody of its own').nullish(),
  active: yes,
})
export const DeviceRow = z.object({
  id,
  name: z.string(),
  /** As `aa:bb:cc:dd:ee:ff`. */
  mac_address: z.string(),
  /** The device made it up for this network, and may change it: see `isRandomised`. */
  randomised: z.boolean(),
  external_reference: z.string().nullable(),
  property: named,
  /** Devices of a category that `blocks` are refused, however they sign in. */
  mac_category: named.extend({ blocks: z.boolean() }).nullable(),
  package: named.nullable(),
  room: named.nullable(),
  status,
  active: z.boolean(),
  created_at: moment,
})
export const Device = z
  .object({
    ...DeviceRow.shape,
    property_id: id,
    mac_category_id: id.nullable(),
    package_id: id.nullable(),
    room_id: id.nullable(),
    accounting_contact_id: id.nullable(),
    accounting_contact: named.nullable(),
  })
  .meta({ id: 'Device' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [DeviceInput, Device, DeviceRow],
  { mac_category_id: 'Category', mac_category: 'Category' },
  {
    device: ['name', 'mac_address', 'mac_category_id', 'external_reference'],
    place: ['property_id', 'room_id'],
    service: ['package_id', 'accounting_contact_id'],
  },
)

const DeviceFilters = {
  status: anyOf(status),
  mac_category_id: anyOrNone(id),
  package_id: anyOrNone(id),
  property_id: anyOf(id),
}
const DeviceParams = {
  property_id: ref('properties').optional(),
  group_id: ref('groups').optional(),
  room_id: ref('rooms').optional(),
  mac_category_id: ref('mac_categories').optional(),
}

export const list = read(
  '/macs',
  listOf(DeviceFilters, DeviceParams, ['-created_at', 'created_at', 'name', '-name']),
  page(DeviceRow),
)
export const exportList = listFile('/devices-list-export', list)
export const DeviceName = named.extend({ status, property_id: id })
export const names = lookup('/devices-list', nothing, z.array(DeviceName))
export const nameList = read('/devices-list', namesOf({ property_id: ref('properties').optional() }), page(DeviceName))
export const get = read('/devices/{id}', byId('devices'), Device)
export const create = write('/devices-create', DeviceInput, Device)
export const update = write('/devices-update', changesTo('devices', DeviceInput), Device)
/** For a guest with a new device, or a device with a new address: the new one gets the permissions of the old one. */
export const replaceMac = desk('/devices-replace-mac', byId('devices').extend({ mac_address: macAddress }), Device)
export const deactivate = write('/devices-deactivate', byIds('devices'), done)
export const activate = desk('/devices-activate/{id}', byId('devices'), Device)
export const remove = removal('/devices-delete', idOrIds('devices'), done)
