// Extreme: ExtremeCloud IQ (HiveOS) takes a form at an address that is the same for all access points. ExtremeCloud IQ Controller
// signs its redirects and is only recognised.
import { arrivalBy, externalPortal, recognised, takesEnd } from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'

const usual_host = '1.1.1.1'

const read = arrivalBy({
  marks: ['autherr', 'STA-IP', 'Calling-Station-Id'],
  nas_identifier: 'NAS-ID',
  gateway_mac: ['MGT-MAC-Address', 'Called-Station-Id'],
  device: 'Calling-Station-Id',
  wanted: 'url',
})

export const extreme = externalPortal({
  id: 15,
  name: 'Extreme',
  honours: takesEnd,
  note: 'Guests are signed in at access points of ExtremeCloud IQ. ExtremeCloud IQ Controller is not served yet.',
  walled_garden: [usual_host],
  where:
    'Add a captive web portal of the type external with this page, without encryption of passwords, to the guest SSID, and the server ' +
    'for authentication and accounting with dynamic authorisation.',
  arrival(redirect) {
    const { query } = redirect
    if (query['X-Amz-Signature'] !== undefined && query['token'] !== undefined) return recognised(first(query, 'apmac'))
    const found = read(redirect)
    return found && { ...found, outcome: query['autherr'] === '0' || query['autherr'] === '' ? null : 'refused' }
  },
  hostOf: () => usual_host,
  letIn: ({ query }, { host }, { username, password, back }) => ({
    by: 'form',
    address: `http://${host}/reg.php`,
    fields: { username, password, url: back, ssid: query['ssid'] ?? '', autherr: '0', Submit2: 'Submit' },
  }),
})
