// Spanish sentences of the first screen of phones.
import type { phone as english } from '#catalogue/en/phone.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const phone: Translation<typeof english> = {
  desk: 'Recepción',
  'desk-tools': 'Herramientas de recepción',
  find: 'Buscar',
  code: 'Dar un código',
  'check-in': 'Entrada',
  'find-guest': 'Buscar un huésped',
  'find-account': 'Buscar una cuenta',
  'find-device': 'Buscar un dispositivo',
  'new-vouchers': 'Vales nuevos',
  'desktop-site': 'Versión para ordenador',
}
