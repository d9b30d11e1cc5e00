// Device import: what people call the columns of a list of devices, what may stand in each, and where it goes.
import { text as line } from '#contract/shapes.ts'
import { textOrSentinelIn } from './cells.ts'
import { checkOf } from './check.ts'
import { macAddress, reference, text, truth, type ImportDefinition } from './definition.ts'

export const deviceImport: ImportDefinition = {
  kind: 'devices',
  table: 'devices',
  checker: import.meta.resolve('#server/imports/devices.ts'),
  columns: {
    name: text(line(), ['name', 'devicename', 'device', 'hostname', 'description', 'label']),
    mac_address: macAddress(['macaddress', 'mac', 'hardwareaddress', 'physicaladdress', 'ethernetaddress', 'wifimac'], {
      needed: true,
      unique: { noun: 'MAC address', taken: 'Another device of the property has this MAC address' },
    }),
    external_reference: text(
      line(),
      ['externalreference', 'externalref', 'externalid', 'reference', 'ref', 'assettag'],
      {
        read: textOrSentinelIn(line()),
      },
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
      {
        finds: { table: 'rooms', by: 'number', stored: 'room_id', noun: 'room' },
      },
    ),
    active: truth(true, ['active', 'enabled', 'status']),
  },
  key: { columns: ['name'], unique: false, ambiguous: 'Two devices of the property have this name' },
  withoutKey: 'noName',
}

export const check = checkOf(deviceImport)
