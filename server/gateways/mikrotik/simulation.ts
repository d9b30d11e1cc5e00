// Simulation of a MikroTik: the password comes back hashed with a challenge, as with RouterOS on pages without encryption.
import { randomBytes } from 'node:crypto'
import { queryText, wanted, type Simulation } from '#server/gateways/simulated.ts'

const escaped = (bytes: Buffer) => [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')

export const simulation: Simulation = {
  gateway_type_id: 1,
  has_radius: true,
  redirect({ gateway, mac_address }) {
    const [id, challenge] = [randomBytes(1), randomBytes(16)]
    return {
      query: queryText({
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
  },
}
