// Arrival from a generic gateway: the redirect names the gateway and the guest's device in parameters that differ by make.
import type { Arrival, Redirect } from '#server/gateways/kind.ts'
import { first, macIn, webAddressIn } from '#server/gateways/read.ts'

const names = {
  gateway: ['nasid', 'nas_id', 'ga_nas_id', 'gateway_id', 'identity'],
  gateway_mac: ['called', 'ap_mac', 'apmac', 'gateway_mac', 'ga_ap_mac'],
  device: ['client_mac', 'clientmac', 'usermac', 'ga_cmac', 'mac'],
  wanted: ['orig_url', 'userurl', 'url', 'redirect', 'ga_orig_url'],
  error: ['error_message', 'error'],
}

export function arrival({ query }: Redirect): Arrival | null {
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
}
