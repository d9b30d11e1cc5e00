// French sentences of the first screen of phones.
import type { phone as english } from '#catalogue/en/phone.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const phone: Translation<typeof english> = {
  desk: 'Réception',
  'desk-tools': 'Outils de la réception',
  find: 'Chercher',
  code: 'Donner un code',
  'check-in': 'Arrivée',
  'find-guest': 'Chercher un client',
  'find-account': 'Chercher un compte',
  'find-device': 'Chercher un appareil',
  'new-vouchers': 'Nouveaux coupons',
  'desktop-site': 'Version pour ordinateur',
}
