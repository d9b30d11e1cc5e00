// Arista: guests sign in on its own page.
import { takesTime } from '#server/gateways/external-portal.ts'
import { ownPage } from '#server/gateways/own-page.ts'

export const arista = ownPage({
  id: 26,
  name: 'Arista',
  honours: takesTime,
  where: 'In CloudVision, choose the access point’s own splash page with RADIUS, and add the server.',
  redirect: { parameters: ['challenge', 'login_url', 'client_mac', 'ap_id'], gateway_mac: 'ap_id' },
})
