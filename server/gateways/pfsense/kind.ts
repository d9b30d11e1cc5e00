// pfSense: guests sign in on its own page.
import { ownPage, takesDisconnect } from '#server/gateways/own-page.ts'

export const pfSense = ownPage({
  id: 11,
  name: 'pfSense',
  honours: takesDisconnect,
  where: 'Under System, add a RADIUS authentication server, and choose it in the captive portal’s zone.',
  note: 'It takes no disconnect: turn on re-authentication every minute.',
  redirect: { parameters: ['zone', 'redirurl'] },
})
