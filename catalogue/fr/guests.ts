// French sentences for guests, on slips, in mails and texts.
import type { guests as english } from '#catalogue/en/guests.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const guests: Translation<typeof english> = {
  'slip.title': 'Wi-Fi : {place}',
  'slip.room': 'Chambre',
  'slip.stay': 'Séjour',
  'slip.used': 'Utilisé',
  'slip.left': 'Reste',
  'slip.left-for': 'Reste pour {name}',
  'slip.nothing': 'Rien pour l’instant',
  'slip.everything': 'Tout : aucune connexion pour l’instant',
  'slip.online': '{time} en ligne',
  'slip.down': '{amount} reçus',
  'slip.up': '{amount} envoyés',
  'slip.devices': '{count, plural, one {# appareil} other {# appareils}}',
  'slip.until': 'jusqu’au {time}',
  'slip.no-limit': 'Illimité',
  'slip.from-to': 'du {from} au {to}',
  'slip.to': 'jusqu’au {to}',
  'slip.from-open': 'à partir du {from}, sans fin',
  'slip.open': 'sans fin',
  'slip.day-time': '{day} à {time}',
  'time.hours': '{hours} h',
  'time.hours-minutes': '{hours} h {minutes} min',
  'time.minutes': '{minutes} min',

  'mail.sign-in-subject': 'Votre Wi-Fi : {place}',
  'mail.sign-in':
    'Voici votre accès Wi-Fi : {place}. Connectez-vous au réseau « {network} » et, quand la page vous le demande, saisissez :',
  'mail.sign-in-network':
    'Voici votre accès Wi-Fi : {place}. Connectez-vous au réseau et, quand la page vous le demande, saisissez :',
  'mail.page': 'La page est {page}',
  'mail.ask': 'Si cela ne fonctionne pas, adressez-vous à la réception.',
  'mail.used-subject': 'Votre utilisation du Wi-Fi : {place}',
  'mail.used': 'Voici ce que vous avez utilisé du Wi-Fi, et ce qu’il en reste : {place}.',
  'mail.ask-used': 'Si quelque chose n’est pas correct, adressez-vous à la réception.',
}
