// Extreme: ExtremeCloud IQ (HiveOS) takes a form at an address that is the same for all access points. ExtremeCloud IQ Controller signs its
// redirects, and lets in whom it is sent back with a signature.
import { arrivalBy, externalPortal, takesEnd } from '#server/gateways/external-portal.ts'
import type { Query } from '#server/gateways/kind.ts'
import { settingText } from '#server/gateways/controller.ts'
import { signedArrival } from './arrival.ts'
import { approval } from './let-in.ts'

const usual_host = '1.1.1.1'

const read = arrivalBy({
  marks: ['autherr', 'STA-IP', 'Calling-Station-Id'],
  nas_identifier: 'NAS-ID',
  gateway_mac: ['MGT-MAC-Address', 'Called-Station-Id'],
  device: 'Calling-Station-Id',
  wanted: 'url',
})
const isSigned = (query: Query) => query['X-Amz-Signature'] !== undefined

export const extreme = externalPortal({
  id: 15,
  name: 'Extreme',
  honours: takesEnd,
  honours_when: [{ key: 'identity', value: null, honours: { ...takesEnd, time: 'no' } }],
  note:
    'With ExtremeCloud IQ, guests submit a form to their access point. ExtremeCloud IQ Controller signs ' +
    'its redirects with the secret here, ' +
    'and lets in guests who are sent back signed without asking RADIUS: register its host and its identity. It only keeps the session ' +
    'length of its own role; it reports usage and ends sessions only with this server for accounting.',
  walled_garden: [usual_host],
  where:
    'Add a captive web portal of the type external with this page, without encryption of passwords, to the guest SSID, and the server ' +
    'for authentication and accounting with dynamic authorisation. In ExtremeCloud IQ Controller, enter an identity, and the secret as ' +
    'its shared secret.',
  parameters: [
    {
      key: 'identity',
      label: 'Identity',
      kind: 'text',
      choices: [],
      required: false,
      once: false,
      help: 'Only for ExtremeCloud IQ Controller: the identity of its external captive portal.',
    },
  ],
  arrival(redirect) {
    if (isSigned(redirect.query)) return signedArrival(redirect)
    const found = read(redirect)
    const error = redirect.query['autherr']
    return found && { ...found, outcome: error === '0' || error === '' ? null : 'refused' }
  },
  isSetUp: ({ settings }, query) => !isSigned(query) || settingText(settings, 'identity') !== null,
  hostOf: (query, registered) => (isSigned(query) ? registered : usual_host),
  letIn: ({ query }, gateway, { username, password, back }) =>
    isSigned(query)
      ? approval(query, gateway, { username, back })
      : {
          by: 'form',
          address: `http://${gateway.host}/reg.php`,
          fields: { username, password, url: back, ssid: query['ssid'] ?? '', autherr: '0', Submit2: 'Submit' },
        },
})
