// German sentences of the first screen of phones.
import type { phone as english } from '#catalogue/en/phone.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const phone: Translation<typeof english> = {
  desk: 'Rezeption',
  'desk-tools': 'Für die Rezeption',
  find: 'Suchen',
  code: 'Code ausgeben',
  'check-in': 'Einchecken',
  'find-guest': 'Gast suchen',
  'find-account': 'Konto suchen',
  'find-device': 'Gerät suchen',
  'new-vouchers': 'Neue Gutscheine',
  'desktop-site': 'Ansicht für Computer',
}
