// Fortinet: FortiGate, with FortiAPs or without. A form is sent to its authentication port, with the number that it gave the guest.
import {
  addressIn,
  arrivalBy,
  withoutPort,
  claimedPath,
  externalPortal,
  takesEnd,
} from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'
import { wisprRadius } from '#server/gateways/wispr-radius.ts'
import { vendorText, type VendorAttribute } from '#server/radius-codec/vendor.ts'

const group_name: VendorAttribute = { vendor: 12_356, type: 1, holds: 'text', name: 'Fortinet-Group-Name' }

const read = arrivalBy({
  marks: ['post', 'magic', 'usermac'],
  gateway_mac: ['apmac'],
  access_point: 'apname',
  device: 'usermac',
})

export const fortinet = externalPortal({
  id: 16,
  name: 'Fortinet',
  honours: takesEnd,
  note: 'The host is the address at which guests reach the FortiGate. Speed is limited by its own policies, not by RADIUS.',
  parameters: [
    {
      key: 'group',
      label: 'User group',
      kind: 'text',
      choices: [],
      required: false,
      once: false,
      help: 'Fortinet-Group-Name: the group that its policies let through.',
    },
  ],
  where:
    'On the guest SSID or interface, choose a captive portal with external authentication at this page, and a user group with the ' +
    'server; add the server for accounting, and allow RADIUS CoA.',
  arrival(redirect) {
    const found = read(redirect)
    return found && { ...found, host: addressIn(first(redirect.query, 'post'))?.hostname ?? null }
  },
  letIn({ query }, { host }, { username, password }) {
    const { port, isSecure } = claimedPath(addressIn(first(query, 'post')), '', ['1000', '1003'])
    return {
      by: 'form',
      address: `${isSecure ? 'https' : 'http'}://${withoutPort(host)}${port === '' ? (isSecure ? ':1003' : ':1000') : port}/fgtauth`,
      fields: { username, password, magic: query['magic'] ?? '' },
    }
  },
  radius: {
    dictionary: { ...wisprRadius.dictionary, group_name },
    accept: (limits, request, settings) => [
      ...wisprRadius.accept({ ...limits, speed_mbps: null }, request, settings),
      ...(typeof settings['group'] === 'string' ? [vendorText(group_name, settings['group'])] : []),
    ],
  },
})
