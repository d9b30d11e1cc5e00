// Accept by central web authentication: a device that joins is asked about by its MAC address, and may open the portal and nothing else
// until its guest has signed in. Then the controller is called to ask again, and is told the guest's limits.
import { attribute } from '#server/radius-codec/dictionary.ts'
import {
  numberAttribute,
  numberOfAttribute,
  textAttribute,
  textOfAttribute,
  type Attribute,
  type Attributes,
} from '#server/radius-codec/packet.ts'
import { cisco_pair, own_bytes_max, pairIn, vendorText } from '#server/radius-codec/vendor.ts'
import { settingText } from '#server/gateways/controller.ts'
import type { OpenSession, SendsOn } from '#server/gateways/kind.ts'
import { macIn } from '#server/gateways/read.ts'
import { sessionNames } from '#server/gateways/session-names.ts'
import type { Settings } from '#contract/parameters.ts'
import { addressFor, good_for_s } from './arrival.ts'

/** The access list that lets a guest open the portal alone; with it, a gateway is one for central web authentication. */
export const list_key = 'redirect_acl'
export const listIn = (settings: Settings) => settingText(settings, list_key)

const call_check = 10
const pair = (name: string, value: string) => vendorText(cisco_pair, `${name}=${value}`)
const fits = (name: string, value: string) => Buffer.byteLength(`${name}=${value}`) <= own_bytes_max

export const sessionOf = (packet: Attributes) => pairIn(packet, 'audit-session-id')

export const sendsOn: SendsOn = {
  sessionIn(request, settings) {
    if (listIn(settings) === null || numberOfAttribute(request, attribute.service_type) !== call_check) return null
    const device = macIn(textOfAttribute(request, attribute.calling_station_id) ?? null)
    const isOfDevice = device !== null && macIn(textOfAttribute(request, attribute.user_name) ?? null) === device
    return isOfDevice ? sessionOf(request) : null
  },
  accept(sent) {
    const list = listIn(sent.settings) ?? ''
    const address = addressFor(sent)
    // A list that is cut off, or an address, would leave the device without limits, or its guest without a portal.
    if (!fits('url-redirect-acl', list) || !fits('url-redirect', address)) return null
    return [
      numberAttribute(attribute.session_timeout, good_for_s),
      pair('url-redirect-acl', list),
      pair('url-redirect', address),
    ]
  },
}

interface Device {
  session: string
  calling_station: string
}
/** The attributes of a CoA-Request that has the controller ask again about a device, as it did before. */
export const askAgain = ({ session, calling_station }: Device): Attribute[] => [
  textAttribute(attribute.calling_station_id, calling_station),
  pair('audit-session-id', session),
  pair('subscriber:command', 'reauthenticate'),
  pair('subscriber:reauthenticate-type', 'last'),
  numberAttribute(attribute.event_timestamp, Date.now() / 1000),
]

/** Of a Disconnect-Request. Null: the box has not said what it calls the session. */
export const endOf = (session: OpenSession): Attribute[] | null =>
  session.box_session === null ? null : [...sessionNames(session), pair('audit-session-id', session.box_session)]

/** New limits are what it is told when it asks again. */
export const changeOf = ({ box_session, calling_station }: OpenSession): Attribute[] | null =>
  box_session === null || calling_station === null ? null : askAgain({ session: box_session, calling_station })
