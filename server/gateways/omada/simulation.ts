// Simulation of an Omada controller with a RADIUS portal: it knows the guest by what it sent, and hashes the password.
import { dashed, formBox, must, ownNumberIn, secondsIn, wanted } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 5,
  chap: true,
  query: ({ gateway, mac_address }) => ({
    target: '192.168.0.2',
    targetPort: '8088',
    scheme: 'http',
    clientMac: dashed(mac_address),
    clientIp: '192.168.0.77',
    apMac: dashed(gateway.mac_address),
    ssidName: 'Guests',
    radioId: '0',
    originUrl: wanted,
    radiusServerIp: '10.0.0.1',
  }),
  takes({ clientMac, apMac, ssidName, radioId, authType, username, password }, to, { gateway, mac_address }) {
    must(
      `${to.protocol}${to.port}` === 'http:8088' && to.pathname === '/portal/radius/browserauth',
      `no portal at ${to.href}`,
    )
    must(authType === '2', 'Omada −41500: the type of authentication is wrong')
    must(clientMac === dashed(mac_address) && apMac === dashed(gateway.mac_address), 'Omada −1001: parameters')
    must(ssidName === 'Guests' && radioId === '0', 'Omada −1001: parameters')
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: 'TP-Link',
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: (accept) => ({
    seconds: secondsIn(accept),
    up_kbits: ownNumberIn(accept, 11_863, 1),
    down_kbits: ownNumberIn(accept, 11_863, 2),
  }),
})
