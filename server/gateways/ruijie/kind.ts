// Ruijie: guests sign in on its own page.
import { takesTime } from '#server/gateways/external-portal.ts'
import { ownPage } from '#server/gateways/own-page.ts'

export const ruijie = ownPage({
  id: 17,
  name: 'Ruijie',
  honours: takesTime,
  where: 'In Ruijie or Reyee Cloud, add the server as external RADIUS to the guest network’s own portal.',
  // Those of wifidog, at port 80.
  own_paths: ['/login', '/login/', '/auth', '/auth/', '/portal', '/portal/'],
  redirect: { parameters: ['gw_id', 'gw_address', 'gw_port', 'mac'], gateway_mac: 'apmac' },
})
