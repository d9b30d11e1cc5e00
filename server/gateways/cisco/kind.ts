// Cisco: AireOS and Catalyst 9800 with web authentication, where a form is sent to the controller's virtual address; and controllers and
// switches with central web authentication, which send guests to the portal themselves, and are called to ask again.
import { attribute } from '#server/radius-codec/dictionary.ts'
import { numberAttribute } from '#server/radius-codec/packet.ts'
import { cisco_pair, vendorNumber, type VendorAttribute } from '#server/radius-codec/vendor.ts'
import { addressIn, arrivalBy, withoutPort, externalPortal, takesEnd } from '#server/gateways/external-portal.ts'
import { limitsBy } from '#server/gateways/radius-limits.ts'
import { first, webAddressIn } from '#server/gateways/read.ts'
import { sessionNames } from '#server/gateways/session-names.ts'
import { changeOf, endOf, list_key, listIn, sendsOn, sessionOf } from './accept.ts'
import { calledWith, centralArrival, isCentral } from './arrival.ts'
import { openCisco } from './controller.ts'
import { centralSetUp } from './definition.ts'

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

const honours = { ...takesEnd, speed: 'yes' } as const

export const cisco = externalPortal({
  id: 14,
  name: 'Cisco wireless controllers',
  honours,
  honours_when: [{ key: list_key, value: null, honours: { ...honours, change: 'yes' } }],
  note:
    'With web authentication the host is the controller’s virtual address or its name. With central web authentication, also of ' +
    'switches, enter the name of the redirect ACL: the gateway then needs no host, and must send its audit session id. AireOS ' +
    'limits speed, Catalyst 9800 and switches do not. Some releases listen on port 1700 only for a ' +
    'disconnect and for CoA: register that port.',
  parameters: [
    {
      key: list_key,
      label: 'Redirect ACL',
      kind: 'text',
      choices: [],
      required: false,
      once: false,
      help:
        'For central web authentication: the name of the access list on the controller or switch that lets a guest open the portal ' +
        'alone. Without it, only web authentication is served.',
    },
  ],
  where:
    'On the WLAN, choose web authentication with this external page, a pre-authentication list that allows it, and the server for ' +
    'authentication and accounting with interim updates and change of authorisation (RFC 3576).',
  setUp: (gateway) => (listIn(gateway.settings) === null ? null : centralSetUp(gateway)),
  controller: { open: openCisco, isCalled: (settings) => listIn(settings) !== null, asks_radius: true },
  isSetUp: ({ settings }, query) => !isCentral({ query }) || listIn(settings) !== null,
  hostOf: (query, registered) => registered ?? (isCentral({ query }) ? '' : null),
  arrival(redirect) {
    if (isCentral(redirect)) return centralArrival(redirect)
    const found = read(redirect)
    const { statusCode } = redirect.query
    const wanted = webAddressIn(withScheme(first(redirect.query, 'redirect')))
    return found && { ...found, wanted, outcome: outcomeOf(statusCode) }
  },
  letIn(redirect, { host }, { username, password, back }) {
    if (isCentral(redirect)) return { by: 'call', fields: calledWith(redirect) }
    const scheme = addressIn(first(redirect.query, 'switch_url'))?.protocol === 'http:' ? 'http' : 'https'
    return {
      by: 'form',
      address: `${scheme}://${withoutPort(host)}/login.html`,
      fields: { username, password, buttonClicked: '4', redirect_url: back, err_flag: '0' },
    }
  },
  radius: {
    dictionary: { ...airespace, cisco_pair },
    accept: limitsBy({
      speed: (kbits) => [vendorNumber(airespace.average_down, kbits), vendorNumber(airespace.average_up, kbits)],
      volume: () => [],
    }),
    end: (session, settings) =>
      (listIn(settings) === null ? null : endOf(session)) ?? [
        ...sessionNames(session),
        numberAttribute(attribute.service_type, login_user),
      ],
    change: (session, _limits, settings) => (listIn(settings) === null ? null : changeOf(session)),
    sendsOn,
    boxSessionIn: sessionOf,
  },
})
