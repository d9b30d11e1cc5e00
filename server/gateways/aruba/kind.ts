// Aruba: guests sign in on its own page.
import { ownPage, takesDisconnect } from '#server/gateways/own-page.ts'

export const aruba = ownPage({
  id: 7,
  name: 'Aruba',
  honours: { ...takesDisconnect, speed: 'no' },
  where: 'Add a RADIUS server with dynamic authorisation on, and an internal captive portal that uses it.',
  note: 'Speed limits go by role here: the roles of your packages must exist on the controller.',
  redirect: { parameters: ['cmd', 'mac', 'essid'], gateway_mac: 'apmac' },
})
