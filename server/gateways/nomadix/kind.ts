// Nomadix: guests sign in on its own page.
import { ownPage, takesTime } from '#server/gateways/own-page.ts'

export const nomadix = ownPage({
  id: 10,
  name: 'Nomadix',
  honours: takesTime,
  where: 'Under Configuration, add the server to the RADIUS client, and enable AAA with the internal web server.',
  redirect: { parameters: ['UI', 'UIP', 'MA'] },
})
