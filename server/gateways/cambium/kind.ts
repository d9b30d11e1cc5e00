// Cambium: cnPilot and cnMaestro. A form is sent to the access point or to the maker's cloud, with the query as it came.
import { gigawordsOf } from '#server/radius-codec/packet.ts'
import { vendorNumber, wispr, type VendorAttribute } from '#server/radius-codec/vendor.ts'
import { arrivalBy, withoutPort, externalPortal, ownNames, takesEnd } from '#server/gateways/external-portal.ts'
import { limitsBy } from '#server/gateways/radius-limits.ts'
import { first } from '#server/gateways/read.ts'
import { wisprSpeed } from '#server/gateways/wispr-radius.ts'

const vendor = 17_713
const quota = { vendor, type: 155, holds: 'number', name: 'Cambium-Traffic-Quota-Limit-Total' } as const
const gigawords_of_quota: VendorAttribute = {
  vendor,
  type: 156,
  holds: 'number',
  name: 'Cambium-Traffic-Quota-Limit-Total-Gigwords',
}

/** As it was sent: the language that our page may have added is none of it. */
const rawQuery = (address: string) => address.slice(address.indexOf('?') + 1).replace(/&lang=[^&]*$/, '')

export const cambium = externalPortal({
  id: 9,
  name: 'Cambium',
  honours: { ...takesEnd, speed: 'yes' },
  note: null,
  walled_garden: ['*-guest.cloud.cambiumnetworks.com'],
  where:
    'In cnMaestro, open the guest access of the WLAN, choose an external hotspot with RADIUS, enter this page, and add the server for ' +
    'authentication and accounting with interim updates and dynamic authorisation.',
  arrival: arrivalBy({
    marks: ['ga_ap_mac', 'ga_cmac'],
    nas_identifier: 'ga_nas_id',
    gateway_mac: ['ga_ap_mac'],
    device: 'ga_cmac',
    wanted: 'ga_orig_url',
    error: 'ga_error_code',
  }),
  hostOf: ownNames(/^[a-z0-9-]+-guest\.cloud\.cambiumnetworks\.com$/, (query) => first(query, 'ga_srvr'), null),
  letIn: ({ address }, { host, portal_is_https }, { username, password }) => ({
    by: 'form',
    address:
      `${portal_is_https ? 'https' : 'http'}://${withoutPort(host)}:${portal_is_https ? 444 : 880}` +
      `/cgi-bin/hotspot_login.cgi?${rawQuery(address)}`,
    fields: { ga_user: username, ga_pass: password },
  }),
  radius: {
    dictionary: { ...wispr, quota, gigawords_of_quota },
    accept: limitsBy({
      speed: wisprSpeed,
      volume(bytes) {
        const { low, gigawords } = gigawordsOf(bytes)
        return [vendorNumber(quota, low), vendorNumber(gigawords_of_quota, gigawords)]
      },
    }),
  },
})
