// Trial: the simulated gateway at which a property's portal is tried as a guest (server/guest/trial-gateway.ts). Nobody registers one.
import { trial_type_id } from '#server/access/principal.ts'
import type { Arrival, GatewayKind, Redirect } from '#server/gateways/kind.ts'
import { first, macIn } from '#server/gateways/read.ts'
import { wisprRadius } from '#server/gateways/wispr-radius.ts'

/** What the gateway is called whose page has this key in its address. */
export const trialNamed = (key: string) => `trial-${key}`
export const isTrialKey = (text: string | undefined): text is string => text !== undefined && /^[\w-]{22}$/.test(text)

/** The simulated gateway stands on the portal's own origin. */
export const trialAddress = (portal_url: string, key: string) => `${portal_url}/trial/${key}`

function arrival({ query }: Redirect): Arrival | null {
  const key = query['trial']
  if (!isTrialKey(key)) return null
  return {
    nas_identifier: trialNamed(key),
    gateway_mac: null,
    mac_address: macIn(first(query, 'device')),
    wanted: null,
    outcome: query['refused'] === undefined ? null : 'refused',
    isGenuine: null,
  }
}

export const trial: GatewayKind = {
  definition: {
    id: trial_type_id,
    name: 'Trial',
    parameters: [],
    fields: [],
    honours: { time: 'yes', speed: 'yes', data: 'next_sign_in', end: 'no', change: 'no', usage: 'yes' },
    walled_garden: [],
    note: null,
    setUp: () => ({ where: 'A trial needs no set-up.', lines: null, values: [] }),
    captiveLine: () => '',
  },
  arrival,
  portal: {
    letIn({ query: { trial: key = '', device = '' } }, _gateway, { username, password, back }) {
      const address = `${trialAddress(new URL(back).origin, key)}/login`
      return { by: 'address', address, fields: { device, username, password, back } }
    },
    // Its host is registered as the address of its page, without the scheme.
    pagesOf: (host) => ({ sign_in: `//${host}`, sign_out: `//${host}/logout` }),
  },
  radius: wisprRadius,
}
