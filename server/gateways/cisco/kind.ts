// Cisco wireless controllers: AireOS and Catalyst 9800 with web authentication. A form is sent to the controller's virtual address.
import { attribute } from '#server/radius-codec/dictionary.ts'
import { number } from '#server/radius-codec/packet.ts'
import { vendorNumber, type VendorAttribute } from '#server/radius-codec/vendor.ts'
import { addressIn, arrivalBy, bare, externalPortal, takesEnd } from '#server/gateways/external-portal.ts'
import { limitsBy } from '#server/gateways/radius-limits.ts'
import { first, webAddressIn } from '#server/gateways/read.ts'
import { namesOf } from '#server/gateways/session-names.ts'

const vendor = 14_179
const airespace = {
  average_down: { vendor, type: 7, holds: 'number', name: 'Airespace-Data-Bandwidth-Average-Contract' },
  average_up: { vendor, type: 13, holds: 'number', name: 'Airespace-Data-Bandwidth-Average-Contract-Upstream' },
} as const satisfies Record<string, VendorAttribute>
const login_user = 1

/** `statusCode`: 1 is online already; the others say why the controller refused. */
const outcomeOf = (status: string | undefined) => (status === undefined ? null : status === '1' ? 'online' : 'refused')
/** It leaves the scheme out. */
const withScheme = (page: string | null) => (page === null || /^https?:/i.test(page) ? page : `http://${page}`)

const read = arrivalBy({ marks: ['switch_url', 'client_mac'], gateway_mac: ['ap_mac'], device: 'client_mac' })

export const cisco = externalPortal({
  id: 14,
  name: 'Cisco wireless controllers',
  honours: { ...takesEnd, speed: 'yes' },
  note:
    'The host is the controller’s virtual address or its name. Speed is kept by AireOS, not by Catalyst 9800. ' +
    'Some releases listen on port 1700 only for a disconnect. Central web authentication is not served: its guests are not sent here.',
  where:
    'On the WLAN, choose web authentication with this external page, a pre-authentication list that allows it, and the server for ' +
    'authentication and accounting with interim updates and change of authorisation (RFC 3576).',
  arrival(redirect) {
    const found = read(redirect)
    const { statusCode } = redirect.query
    const wanted = webAddressIn(withScheme(first(redirect.query, 'redirect')))
    return found && { ...found, wanted, outcome: outcomeOf(statusCode) }
  },
  letIn({ query }, { host }, { username, password, back }) {
    const scheme = addressIn(first(query, 'switch_url'))?.protocol === 'http:' ? 'http' : 'https'
    return {
      by: 'form',
      address: `${scheme}://${bare(host)}/login.html`,
      fields: { username, password, buttonClicked: '4', redirect_url: back, err_flag: '0' },
    }
  },
  radius: {
    dictionary: airespace,
    accept: limitsBy({
      speed: (kbits) => [vendorNumber(airespace.average_down, kbits), vendorNumber(airespace.average_up, kbits)],
      volume: () => [],
    }),
    end: (session) => [...namesOf(session), number(attribute.service_type, login_user)],
  },
})
