// Simulation of an openNDS: it knows the guest by a random number, and lets in a browser that returns with the right hash of it.
import { createHash, randomBytes } from 'node:crypto'
import { wanted, type Simulation } from '#server/gateways/simulated.ts'

export const simulation: Simulation = {
  gateway_type_id: 3,
  has_radius: false,
  redirect({ gateway, mac_address }) {
    const hid = randomBytes(32).toString('hex')
    const fields = { hid, clientmac: mac_address, gatewayname: gateway.nas_identifier, originurl: wanted }
    const text = Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join(', ')
    const token = createHash('sha256').update(hid).update(gateway.radius_secret).digest('hex')
    return {
      query: `?fas=${encodeURIComponent(Buffer.from(text).toString('base64'))}`,
      ask({ tok }) {
        if (tok !== token) throw new Error('an openNDS lets in nobody with another token')
        return null
      },
    }
  },
}
