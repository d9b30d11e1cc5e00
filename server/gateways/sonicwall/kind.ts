// SonicWall: guests sign in on its own page.
import { takesTime } from '#server/gateways/external-portal.ts'
import { ownPage } from '#server/gateways/own-page.ts'

export const sonicWall = ownPage({
  id: 24,
  name: 'SonicWall',
  honours: takesTime,
  where: 'Under guest services, choose login by RADIUS on the firewall’s own page, and add the server.',
  redirect: { parameters: ['sessionId', 'mac', 'mgmtBaseUrl'] },
})
