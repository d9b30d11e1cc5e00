// Simulation of a CoovaChilli: the whole address is signed; the response to the challenge comes back in place of the password.
import { createHash, randomBytes } from 'node:crypto'
import { queryText, wanted, type Simulation } from '#server/gateways/simulated.ts'

const md5 = (...parts: (string | Buffer)[]) =>
  createHash('md5')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
    .digest()
const dashed = (mac_address: string) => mac_address.toUpperCase().replaceAll(':', '-')

export const simulation: Simulation = {
  gateway_type_id: 2,
  has_radius: true,
  redirect({ gateway, mac_address, portal_url }) {
    const challenge = randomBytes(16)
    const unsigned = queryText({
      res: 'notyet',
      uamip: '10.1.0.1',
      uamport: '3990',
      challenge: challenge.toString('hex'),
      called: dashed(gateway.mac_address),
      mac: dashed(mac_address),
      nasid: gateway.nas_identifier,
      userurl: wanted,
    })
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
  },
}
