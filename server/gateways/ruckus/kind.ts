// Ruckus: guests sign in on its own page.
import { ownPage, takesDisconnect } from '#server/gateways/own-page.ts'

export const ruckus = ownPage({
  id: 6,
  name: 'Ruckus',
  needs_later: ['password'],
  honours: takesDisconnect,
  where:
    'On the controller, add both an authentication and an accounting server, and choose them for the hotspot service.',
  redirect: { parameters: ['sip', 'uip', 'client_mac', 'mac'], gateway_mac: 'mac' },
})
