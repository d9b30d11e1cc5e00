// OPNsense: guests sign in on its own page.
import { takesTime } from '#server/gateways/external-portal.ts'
import { ownPage } from '#server/gateways/own-page.ts'

export const opnSense = ownPage({
  id: 12,
  name: 'OPNsense',
  needs_later: ['username', 'password'],
  honours: takesTime,
  where: 'Under System, add a RADIUS server, and choose it in the captive portal’s zone.',
  note: 'It takes the length of a session from RADIUS, and neither speed nor volume.',
})
