// French texts of the portal.
import type { Texts } from './en.ts'

export const fr: Texts = {
  language: 'Langue',
  headline: 'Connectez-vous au Wi-Fi',
  skip: 'Aller à la connexion',
  choose: 'Comment souhaitez-vous vous connecter ?',
  ways: {
    free: 'Accès libre',
    voucher: 'Coupon',
    account: 'Identifiant et mot de passe',
    room: 'Numéro de chambre et nom de famille',
    email: 'Adresse e-mail',
    sms: 'SMS',
    conference: 'Code événement',
  },
  fields: {
    voucher_code: 'Code du coupon',
    voucher_password: 'Mot de passe du coupon',
    username: 'Identifiant',
    password: 'Mot de passe',
    room_number: 'Numéro de chambre',
    last_name: 'Nom de famille',
    email: 'Adresse e-mail',
    mobile_number: 'Numéro de portable',
    conference_code: 'Code événement',
  },
  voucher_has_password: 'Mon coupon a un mot de passe',
  email_use: 'Vous recevrez un message pour confirmer que cette adresse est bien la vôtre.',
  sms_use: 'Vous recevrez un SMS contenant un code.',
  code: {
    field: 'Code',
    email_title: 'Confirmez votre adresse e-mail',
    email: (address) =>
      `Nous avons envoyé un e-mail à ${address}. Ouvrez son lien ou saisissez les six chiffres qui s’y trouvent.`,
    sms_title: 'Saisissez le code',
    sms: (address) => `Nous avons envoyé un SMS avec six chiffres au ${address}.`,
    online: (time) => `Vous êtes en ligne pendant ${time} pour pouvoir le lire.`,
    confirm: 'Confirmer',
    again: 'Envoyer un nouveau code',
    change: 'Se connecter autrement',
  },
  confirm: {
    title: 'Confirmez votre adresse e-mail',
    asked: (address) => `L’adresse ${address} est-elle la vôtre ? Appuyez sur le bouton pour la confirmer.`,
    done_title: 'Merci',
    done:
      'Votre adresse est confirmée. Continuez simplement à utiliser le Wi-Fi. Si la page de connexion s’ouvre à ' +
      'nouveau, saisissez-y la même adresse.',
    over_title: 'Ce lien n’est plus valable',
    over: 'Ouvrez à nouveau la page du Wi-Fi et demandez un nouvel e-mail.',
  },
  known_devices_only: 'Seuls les appareils enregistrés se connectent ici. La réception peut ajouter le vôtre.',
  connect: 'Se connecter',
  agree: 'J’accepte les conditions d’utilisation',
  read_terms: 'Lire les conditions d’utilisation',
  terms: 'Conditions d’utilisation',
  version: (number) => `Version ${number}`,
  privacy: 'Confidentialité',
  opens_in_new_window: 'ouvre une nouvelle fenêtre',
  refused_title: 'Cela n’a pas fonctionné',
  refused: {
    incomplete: 'Veuillez compléter ce qui manque.',
    terms: 'Veuillez d’abord accepter les conditions d’utilisation.',
    unknown: 'Nous ne trouvons pas ces informations. Vérifiez la saisie ou adressez-vous à la réception.',
    not_yet_valid: 'Cet accès n’est pas encore valable. La réception vous dira à partir de quand.',
    expired: 'Cet accès a expiré. La réception vous en donnera un nouveau.',
    used_up: 'Le temps ou les données sont épuisés. La réception peut vous en donner davantage.',
    too_many_devices: 'Le nombre d’appareils autorisés est atteint. Déconnectez d’abord l’un d’eux.',
    disabled: 'Cet accès est désactivé. Veuillez vous adresser à la réception.',
    too_often: 'Trop de tentatives. Attendez quelques minutes, puis réessayez.',
    address: 'Ceci n’est pas une adresse e-mail. Vérifiez qu’elle ne contient pas de faute de frappe.',
    number:
      'Ceci n’est pas un numéro de portable. Vérifiez-le ; s’il est étranger, commencez par + et l’indicatif du pays.',
    wrong_code: 'Ce n’est pas le code de notre dernier message. Vérifiez qu’il ne contient pas de faute de frappe.',
    code_over: 'Ce code a expiré. Demandez-en un nouveau.',
    wait: 'Un message est en route. Attendez une minute avant d’en demander un autre.',
    no_more_messages:
      'Aucun autre message ne peut être envoyé aujourd’hui. Connectez-vous autrement ou adressez-vous à la réception.',
    unconfirmed: 'Votre adresse n’est pas encore confirmée. Ouvrez d’abord le lien de notre e-mail.',
    failed: 'Un problème est survenu de notre côté. Veuillez réessayer dans un instant.',
  },
  upgrading_title: 'De retour dans un instant',
  upgrading:
    'La page de connexion au Wi-Fi est en cours de mise à jour. Laissez cette page ouverte : elle s’actualise d’elle-même.',
  busy: 'De très nombreux clients se connectent en ce moment. Laissez cette page ouverte : elle s’actualise d’elle-même.',
  unregistered_title: 'Ce réseau n’est pas encore configuré',
  unregistered:
    'Nous ne reconnaissons pas le réseau que vous utilisez ; la connexion n’est donc pas encore possible ici. Merci de ' +
    'prévenir la réception.',
  hand_over_title: 'Encore une étape',
  connecting_title: 'Connexion en cours…',
  connecting: 'Cela prend quelques secondes. Laissez cette page ouverte : elle continue d’elle-même.',
  delayed_title: 'Le réseau ne répond pas',
  delayed:
    'Vous êtes identifié, mais le contrôleur du réseau ne répond pas. Nous continuons d’essayer, et cette page continue ' +
    'd’elle-même. Si cela dure, prévenez la réception.',
  away_title: 'Rejoignez d’abord le Wi-Fi invité',
  away:
    'Connectez-vous au Wi-Fi invité dans les réglages de votre appareil. Cette page s’ouvrira alors d’elle-même et ' +
    'vous pourrez vous connecter.',
  away_network: (network) =>
    `Connectez-vous au Wi-Fi « ${network} » dans les réglages de votre appareil. Cette page s’ouvrira alors ` +
    'd’elle-même et vous pourrez vous connecter.',
  online_title: 'Vous êtes en ligne',
  online: 'Bon séjour ! Vous pouvez fermer cette fenêtre.',
  status_title: 'Votre connexion',
  time_left: 'Temps restant',
  data_left: 'Données restantes',
  no_limit: 'Illimité',
  go_on: 'Continuer',
  consent: {
    link: 'Retirer mon consentement',
    title: 'Retirer votre consentement ?',
    given: 'Vous avez accepté ceci :',
    asked: 'Nous ne vous enverrons alors plus de tels messages. Vous restez en ligne.',
    withdraw: 'Retirer',
    back: 'Retour',
    done_title: 'Votre consentement est retiré',
    done: 'Nous ne vous enverrons plus de tels messages. Vous restez en ligne.',
  },
  sign_out: 'Se déconnecter',
  signed_out_title: 'Déconnexion effectuée',
  signed_out: 'Pour utiliser à nouveau le Wi-Fi, reconnectez-vous simplement.',
  signing_out_title: 'Déconnexion en cours',
  signing_out:
    'Nous avons demandé votre déconnexion au réseau, qui n’a pas encore répondu. Vous pouvez aussi couper le Wi-Fi de ' +
    'votre appareil.',
  ended_title: 'Vous êtes hors ligne',
  outside: {
    join: 'La connexion se fait depuis le réseau lui-même : rejoignez-le d’abord.',
    steps: [
      { title: 'Ouvrez les réglages Wi-Fi', text: 'de votre téléphone, tablette ou ordinateur.' },
      {
        title: 'Choisissez le réseau des clients',
        text: 'Son nom figure sur la carte dans votre chambre, sur un panneau ou sur votre bon.',
      },
      {
        title: 'Connectez-vous',
        text: 'La page prévue s’ouvre d’elle-même. Sinon, ouvrez cette adresse encore une fois.',
      },
    ],
    join_help:
      'Vous ne savez pas de quel réseau il s’agit, ou rien ne se passe ? Demandez à la réception : elle peut voir ce qui ne va pas.',
    nothing_title: 'Il n’y a rien ici',
    nothing: 'Aucune page ne se trouve à cette adresse. Vérifiez qu’elle est bien écrite.',
    no_sign_in_title: 'La connexion ne fonctionne pas pour le moment',
    no_sign_in: 'Prévenez la réception : elle sait qui appeler.',
    unreadable: 'Nous n’avons pas pu lire ce qui a été envoyé. Revenez en arrière et réessayez.',
    broken_title: 'Un problème est survenu',
    broken: 'C’est notre faute, pas la vôtre. Réessayez dans un instant.',
    reference: 'Référence',
    how: 'Comment se connecter',
  },
  refresh: 'Actualiser',
  sign_in_again: 'Se reconnecter',
}
