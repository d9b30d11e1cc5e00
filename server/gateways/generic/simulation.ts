// Simulation of a generic gateway, as most makes behave: the password comes back as it is.
import { queryText, wanted, type Simulation } from '#server/gateways/simulated.ts'

export const simulation: Simulation = {
  gateway_type_id: 13,
  has_radius: true,
  redirect: ({ gateway, mac_address }) => ({
    query: queryText({ nasid: gateway.nas_identifier, client_mac: mac_address, orig_url: wanted }),
    ask: ({ username = '', password = '' }) => ({ user_name: username, password }),
  }),
}
