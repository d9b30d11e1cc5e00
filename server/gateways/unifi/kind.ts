// UniFi: guests sign in on its own page.
import { takesTime } from '#server/gateways/external-portal.ts'
import { ownPage } from '#server/gateways/own-page.ts'

export const unifi = ownPage({
  id: 4,
  name: 'UniFi',
  needs_later: ['username', 'password'],
  honours: takesTime,
  where:
    'In UniFi Network, add a RADIUS profile with these values and accounting on. Choose it for the MAC authentication of ' +
    'the guest network, and for its hotspot portal where your version offers RADIUS there.',
  note: 'It takes the length of a session from RADIUS, and neither speed nor volume.',
  redirect: { parameters: ['ap', 'id', 't'], gateway_mac: 'ap' },
})
