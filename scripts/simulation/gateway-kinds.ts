// Gateway kinds: how each kind of gateway sends a guest's browser to the portal, and what it asks RADIUS with when the browser comes
// back. Written from the vendors' documentation, independently of the server's implementation.
import { createHash, randomBytes } from 'node:crypto'
import type { SimulatedSite } from '#scripts/simulation/site.ts'
import type { RadiusRequest } from '#test/radius-client.ts'

/** What the guest's browser brought back: fields of the form or of the address. */
export type Brought = Readonly<Record<string, string>>

export interface Redirect {
  /** The query of the portal's address, with the question mark. */
  query: string
  /** What the gateway asks RADIUS with. */
  ask: (brought: Brought) => RadiusRequest
}

interface Sent {
  gateway: SimulatedSite['gateway']
  mac_address: string
  /** The portal's whole address, which some kinds sign. */
  portal_url: string
}

const wanted = 'http://connectivity.example/'
const md5 = (...parts: (string | Buffer)[]) =>
  createHash('md5')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
    .digest()
const queryOf = (fields: Record<string, string>) => `?${new URLSearchParams(fields).toString()}`
const withPassword = ({ username = '', password = '' }: Brought): RadiusRequest => ({ user_name: username, password })

const generic = ({ gateway, mac_address }: Sent): Redirect => ({
  query: queryOf({ nasid: gateway.nas_identifier, client_mac: mac_address, orig_url: wanted }),
  ask: withPassword,
})

/** The password comes back hashed with a challenge, as with RouterOS on pages without encryption. */
function mikroTik({ gateway, mac_address }: Sent): Redirect {
  const id = randomBytes(1)
  const challenge = randomBytes(16)
  const escaped = (bytes: Buffer) => [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  return {
    query: queryOf({
      'link-login-only': 'http://hotspot.example/login',
      'link-orig': wanted,
      identity: gateway.nas_identifier,
      mac: mac_address.toUpperCase(),
      'chap-id': escaped(id),
      'chap-challenge': escaped(challenge),
    }),
    ask: ({ username = '', password = '' }) => ({
      user_name: username,
      chap_password: Buffer.concat([id, Buffer.from(password, 'hex')]),
      chap_challenge: challenge,
    }),
  }
}

/** The whole address is signed; the response to the challenge comes back in place of the password. */
function coovaChilli({ gateway, mac_address, portal_url }: Sent): Redirect {
  const challenge = randomBytes(16)
  const fields = {
    res: 'notyet',
    uamip: '10.1.0.1',
    uamport: '3990',
    challenge: challenge.toString('hex'),
    called: gateway.mac_address.toUpperCase().replaceAll(':', '-'),
    mac: mac_address.toUpperCase().replaceAll(':', '-'),
    nasid: gateway.nas_identifier,
    userurl: wanted,
  }
  const unsigned = queryOf(fields)
  const signature = md5(portal_url + unsigned, gateway.radius_secret)
    .toString('hex')
    .toUpperCase()
  return {
    query: `${unsigned}&md=${signature}`,
    ask: ({ username = '', response = '' }) => ({
      user_name: username,
      chap_password: Buffer.concat([Buffer.of(0), Buffer.from(response, 'hex')]),
      chap_challenge: md5(challenge, gateway.radius_secret),
    }),
  }
}

/** By ids of `gateway_types`. openNDS is not included, as it does not use RADIUS. */
const kinds: Record<number, (sent: Sent) => Redirect> = { 1: mikroTik, 2: coovaChilli, 13: generic }

export const isSimulated = (gateway_type_id: number) => gateway_type_id in kinds

/** @throws {Error} for a type that is not simulated */
export function redirectOf(sent: Sent): Redirect {
  const kind = kinds[sent.gateway.gateway_type_id]
  if (!kind) throw new Error(`gateways of type ${sent.gateway.gateway_type_id} are not simulated`)
  return kind(sent)
}
