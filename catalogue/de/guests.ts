// German sentences for guests, on slips, in mails and texts.
import type { guests as english } from '#catalogue/en/guests.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const guests: Translation<typeof english> = {
  'slip.title': 'WLAN: {place}',
  'slip.room': 'Zimmer',
  'slip.stay': 'Aufenthalt',
  'slip.used': 'Genutzt',
  'slip.left': 'Noch übrig',
  'slip.left-for': 'Noch übrig für {name}',
  'slip.nothing': 'Bisher nichts',
  'slip.everything': 'Alles: bisher nicht online gewesen',
  'slip.online': '{time} online',
  'slip.down': '{amount} empfangen',
  'slip.up': '{amount} gesendet',
  'slip.devices': '{count, plural, one {# Gerät} other {# Geräte}}',
  'slip.until': 'bis {time}',
  'slip.no-limit': 'Unbegrenzt',
  'slip.from-to': 'vom {from} bis {to}',
  'slip.to': 'bis {to}',
  'slip.from-open': 'ab {from}, ohne Ende',
  'slip.open': 'ohne Ende',
  'slip.day-time': '{day}, {time} Uhr',
  'time.hours': '{hours} Std.',
  'time.hours-minutes': '{hours} Std. {minutes} Min.',
  'time.minutes': '{minutes} Min.',

  'mail.sign-in-subject': 'Ihr WLAN: {place}',
  'mail.sign-in':
    'Hier ist Ihr WLAN-Zugang: {place}. Verbinden Sie sich mit „{network}“ und geben Sie bei der Anmeldung ein:',
  'mail.sign-in-network':
    'Hier ist Ihr WLAN-Zugang: {place}. Verbinden Sie sich mit dem WLAN und geben Sie bei der Anmeldung ein:',
  'mail.page': 'Die Seite ist {page}',
  'mail.ask': 'Wenn es nicht klappt, fragen Sie bitte an der Rezeption.',
  'mail.used-subject': 'Ihre WLAN-Nutzung: {place}',
  'mail.used': 'Hier sehen Sie, was Sie vom WLAN genutzt haben und was noch übrig ist: {place}.',
  'mail.ask-used': 'Wenn etwas nicht stimmt, fragen Sie bitte an der Rezeption.',
}
