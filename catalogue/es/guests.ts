// Spanish sentences for guests, on slips, in mails and texts.
import type { guests as english } from '#catalogue/en/guests.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const guests: Translation<typeof english> = {
  'slip.title': 'Wifi: {place}',
  'slip.room': 'Habitación',
  'slip.stay': 'Estancia',
  'slip.used': 'Usado',
  'slip.left': 'Queda',
  'slip.left-for': 'Le queda a {name}',
  'slip.nothing': 'Nada hasta ahora',
  'slip.everything': 'Todo: aún no se ha conectado',
  'slip.online': '{time} en línea',
  'slip.down': '{amount} recibidos',
  'slip.up': '{amount} enviados',
  'slip.devices': '{count, plural, one {# dispositivo} other {# dispositivos}}',
  'slip.until': 'hasta el {time}',
  'slip.no-limit': 'Sin límite',
  'slip.from-to': 'del {from} al {to}',
  'slip.to': 'hasta el {to}',
  'slip.from-open': 'desde el {from}, sin fin',
  'slip.open': 'sin fin',
  'slip.day-time': '{day} a las {time}',
  'time.hours': '{hours} h',
  'time.hours-minutes': '{hours} h {minutes} min',
  'time.minutes': '{minutes} min',

  'mail.sign-in-subject': 'Su wifi: {place}',
  'mail.sign-in': 'Este es su acceso al wifi: {place}. Conéctese a «{network}» y, cuando se lo pida, escriba:',
  'mail.sign-in-network': 'Este es su acceso al wifi: {place}. Conéctese a la red y, cuando se lo pida, escriba:',
  'mail.page': 'La página es {page}',
  'mail.ask': 'Si no funciona, pregunte en recepción.',
  'mail.used-subject': 'Su consumo de wifi: {place}',
  'mail.used': 'Esto es lo que ha usado del wifi y lo que le queda: {place}.',
  'mail.ask-used': 'Si algo no es correcto, pregunte en recepción.',
}
