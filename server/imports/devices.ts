// Device import: what people call the columns of a list of devices, what may stand in each, and where it goes.
import { DeviceInput } from '#contract/devices.ts'
import type { deviceColumns } from '#contract/imports.ts'
import { text as line } from '#contract/shapes.ts'
import { textOrSentinelIn } from './cells.ts'
import { checkOf, likenessOf } from './check.ts'
import { macAddress, reference, text, truth, type Column, type ImportDefinition } from './definition.ts'

const shape = DeviceInput.shape

const columns = {
  name: text(shape.name, ['name', 'devicename', 'device', 'hostname', 'description', 'label']),
  mac_address: macAddress(['macaddress', 'mac', 'hardwareaddress', 'physicaladdress', 'ethernetaddress', 'wifimac'], {
    needed: true,
    unique: { noun: 'MAC address', taken: 'Another device of the property has this MAC address' },
  }),
  external_reference: text(
    shape.external_reference,
    ['externalreference', 'externalref', 'externalid', 'reference', 'ref', 'assettag'],
    { read: textOrSentinelIn(shape.external_reference) },
  ),
  mac_category_id: reference('mac_categories', [
    'maccategoryid',
    'maccategory',
    'categoryid',
    'category',
    'devicetype',
    'type',
  ]),
  package_id: reference('packages', ['packageid', 'package', 'plan', 'planid']),
  room_number: text(
    line(100),
    ['roomnumber', 'room', 'roomno', 'unitnumber', 'unit', 'unitno', 'apartment', 'flat', 'suite'],
    { finds: { table: 'rooms', by: 'number', stored: 'room_id', noun: 'room' } },
  ),
  active: truth(true, ['active', 'enabled', 'status']),
} satisfies Record<Exclude<(typeof deviceColumns)[number], 'property_id'>, Column>

export const deviceImport: ImportDefinition = {
  kind: 'devices',
  table: 'devices',
  checker: import.meta.resolve('#server/imports/devices.ts'),
  columns,
  key: { columns: ['name'], unique: false, ambiguous: 'Two devices of the property have this name' },
  withoutKey: 'noName',
}

export const check = checkOf(deviceImport)
export const likeness = likenessOf(deviceImport)
