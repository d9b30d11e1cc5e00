// Arrival from a MikroTik: its own login page is replaced by one that redirects the guest to us, with the parameters used here.
import type { Arrival, Redirect } from '#server/gateways/kind.ts'
import { first, macIn, webAddressIn } from '#server/gateways/read.ts'

export const arrival = ({ query }: Redirect): Arrival | null =>
  query['link-login-only'] === undefined
    ? null
    : {
        nas_identifier: first(query, 'identity'),
        gateway_mac: macIn(first(query, 'gateway-mac')),
        mac_address: macIn(first(query, 'mac')),
        wanted: webAddressIn(first(query, 'link-orig')),
        outcome: first(query, 'error') === null ? null : 'refused',
        isGenuine: null,
      }
