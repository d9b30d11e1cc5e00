// Cambium: guests sign in on its own page.
import { ownPage, takesDisconnect } from '#server/gateways/own-page.ts'

export const cambium = ownPage({
  id: 9,
  name: 'Cambium',
  honours: takesDisconnect,
  where:
    'In cnMaestro, open the guest access of the WLAN, choose the page of the access point with RADIUS, and add the server.',
})
