// Alta: guests sign in on its own page.
import { takesTime } from '#server/gateways/external-portal.ts'
import { ownPage } from '#server/gateways/own-page.ts'

export const alta = ownPage({
  id: 25,
  name: 'Alta',
  honours: takesTime,
  where: 'In Alta Control, add the server as RADIUS to the guest network.',
  redirect: { parameters: ['token'], alone: true },
})
