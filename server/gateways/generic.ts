// Generic RADIUS (WISPr): gateways whose redirect names the gateway, the guest's device and the login URL, in parameters that
// differ by make, and that take a form with a user name and a password.
import type { GatewayKind } from './kind.ts'
import { first, macIn, webAddressIn } from './read.ts'

const names = {
  gateway: ['nasid', 'nas_id', 'ga_nas_id', 'gateway_id', 'identity'],
  gateway_mac: ['called', 'ap_mac', 'apmac', 'gateway_mac', 'ga_ap_mac'],
  device: ['client_mac', 'clientmac', 'usermac', 'ga_cmac', 'mac'],
  login: ['login_url', 'loginurl', 'switch_url'],
  wanted: ['orig_url', 'userurl', 'url', 'redirect', 'ga_orig_url'],
  error: ['error_message', 'error'],
}

/** Only the path and the scheme of the claimed URL are used, never its host. */
function loginAddress(claimed: string | null, host: string): string {
  const { protocol, pathname } = URL.canParse(claimed ?? '')
    ? new URL(claimed ?? '')
    : { protocol: '', pathname: '/login' }
  return `${protocol === 'https:' ? 'https' : 'http'}://${host}${pathname}`
}

export const generic: GatewayKind = {
  gateway_type_id: 13,
  arrival(query) {
    const [nas_identifier, gateway_mac] = [first(query, ...names.gateway), macIn(first(query, ...names.gateway_mac))]
    if (nas_identifier === null && gateway_mac === null) return null
    return {
      nas_identifier,
      gateway_mac,
      mac_address: macIn(first(query, ...names.device)),
      wanted: webAddressIn(first(query, ...names.wanted)),
      outcome: first(query, ...names.error) === null ? null : 'refused',
      isGenuine: null,
    }
  },
  handOver: (query, { host, login_method }, { username, password, back }) => ({
    method: login_method,
    address: loginAddress(webAddressIn(first(query, ...names.login)), host),
    // Makes differ in the name of the URL to continue to, and ignore other names.
    fields: { username, password, userurl: back, original_url: back },
  }),
  has_radius: true,
  takes_changes: true,
  pagesOf: (host) => ({ sign_in: `http://${host}/`, sign_out: null }),
}
