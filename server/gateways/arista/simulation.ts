// Simulation of an Arista access point with a splash page elsewhere: it gives RADIUS the response to its challenge, or the password.
import { createHash, randomBytes } from 'node:crypto'
import { dashed, must, queryText, timeKept, wanted, type Simulation } from '#server/gateways/simulated.ts'

type How = 'hash' | 'hash_with_secret' | 'plain'

const box = (how: How): Simulation => ({
  gateway_type_id: 26,
  ...(how !== 'hash' && { settings: { password_as: how } }),
  has_radius: true,
  redirect({ gateway, mac_address, host = '10.0.0.1' }) {
    const challenge = randomBytes(16)
    return {
      query: queryText({
        challenge: challenge.toString('hex'),
        login_url: `http://${host}/login`,
        client_mac: mac_address,
        ap_id: gateway.mac_address,
        ap_ssid: 'Guests',
        uamip: '10.0.0.1',
        userurl: wanted,
      }),
      ask({ username = '', password = '', challenge: brought, res }, to) {
        must(to.pathname === '/login' && res === 'success', `an access point has no ${to.href}`)
        must(brought === challenge.toString('hex'), 'it is the challenge of another')
        if (how === 'plain') return { user_name: username, password }
        must(/^[0-9a-f]{32}$/.test(password), 'it wants a hash')
        const secret = how === 'hash' ? '' : gateway.radius_secret
        return {
          user_name: username,
          chap_password: Buffer.concat([Buffer.of(0), Buffer.from(password, 'hex')]),
          chap_challenge: secret === '' ? challenge : createHash('md5').update(challenge).update(secret).digest(),
        }
      },
    }
  },
  names: ({ gateway, mac_address }) => ({
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: timeKept,
})

export const simulation = box('hash')
export const others = [box('hash_with_secret'), box('plain')]
