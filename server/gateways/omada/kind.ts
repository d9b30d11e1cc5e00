// Omada: guests sign in on its own page.
import { ownPage, takesTime } from '#server/gateways/own-page.ts'

export const omada = ownPage({
  id: 5,
  name: 'Omada',
  needs_later: ['username', 'password'],
  honours: takesTime,
  where: 'In the Omada controller, add a portal with a RADIUS server for the guest network, and add this server to it.',
  redirect: { parameters: ['clientMac', 'site'], gateway_mac: 'apMac' },
})
