// Cisco Meraki: guests sign in on its own page.
import { ownPage, takesDisconnect } from '#server/gateways/own-page.ts'

export const meraki = ownPage({
  id: 8,
  name: 'Cisco Meraki',
  honours: { ...takesDisconnect, speed: 'no' },
  where:
    'In the dashboard, open the access control of the guest network, and choose sign-on with your own RADIUS server.',
  note: 'RADIUS packets come from the cloud and not from the site: the NAS identifier or the MAC address must be right.',
  redirect: { parameters: ['base_grant_url', 'client_mac'], gateway_mac: 'node_mac' },
})
