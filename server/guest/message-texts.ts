// Message texts: what the mails and text messages say by which a guest confirms an address, in each language of the portal.
import type { Language } from '#portal/languages.ts'

interface MessageTexts {
  subject: (place: string) => string
  /** Plain text. `minutes` is how long link and code are good. */
  mail: (said: { place: string; link: string; code: string; minutes: number }) => string
  /** As short as can be: what is longer than 160 signs costs twice. */
  text: (place: string, code: string) => string
}

export const messageTexts: Record<Language, MessageTexts> = {
  en: {
    subject: (place) => `Your Wi-Fi at ${place}: confirm your address`,
    mail: ({ place, link, code, minutes }) => `Hello,

please confirm your e-mail address to go on using the Wi-Fi at ${place}. Open this link within ${minutes} minutes:
${link}

Or type this code on the page of the Wi-Fi: ${code}

If you did not ask for this, you can leave it; nothing happens.
`,
    text: (place, code) => `${code} is your code for the Wi-Fi at ${place}.`,
  },
  de: {
    subject: (place) => `Ihr WLAN bei ${place}: Adresse bestätigen`,
    mail: ({ place, link, code, minutes }) => `Guten Tag,

bitte bestätigen Sie Ihre E-Mail-Adresse, um das WLAN bei ${place} weiter zu nutzen. \
Öffnen Sie diesen Link innerhalb von ${minutes} Minuten:
${link}

Oder geben Sie auf der Seite des WLANs diesen Code ein: ${code}

Wenn Sie das nicht angefordert haben, müssen Sie nichts tun; es geschieht nichts.
`,
    text: (place, code) => `${code} ist Ihr Code für das WLAN bei ${place}.`,
  },
  fr: {
    subject: (place) => `Votre Wi-Fi à ${place} : confirmez votre adresse`,
    mail: ({ place, link, code, minutes }) => `Bonjour,

veuillez confirmer votre adresse e-mail pour continuer à utiliser le Wi-Fi de ${place}. Ouvrez ce lien dans les ${minutes} minutes :
${link}

Ou saisissez ce code sur la page du Wi-Fi : ${code}

Si vous n’avez rien demandé, vous pouvez ignorer ce message ; il ne se passera rien.
`,
    text: (place, code) => `${code} est votre code pour le Wi-Fi de ${place}.`,
  },
  es: {
    subject: (place) => `Su Wi-Fi en ${place}: confirme su dirección`,
    mail: ({ place, link, code, minutes }) => `Hola:

Confirme su dirección de correo para seguir usando el Wi-Fi de ${place}. Abra este enlace en los próximos ${minutes} minutos:
${link}

O escriba este código en la página del Wi-Fi: ${code}

Si no lo ha pedido, no tiene que hacer nada; no ocurrirá nada.
`,
    text: (place, code) => `${code} es su código para el Wi-Fi de ${place}.`,
  },
  it: {
    subject: (place) => `Il Wi-Fi di ${place}: confermi il Suo indirizzo`,
    mail: ({ place, link, code, minutes }) => `Buongiorno,

confermi il Suo indirizzo e-mail per continuare a usare il Wi-Fi di ${place}. Apra questo link entro ${minutes} minuti:
${link}

Oppure inserisca questo codice nella pagina del Wi-Fi: ${code}

Se non l’ha richiesto, può ignorare questo messaggio; non succederà nulla.
`,
    text: (place, code) => `${code} è il Suo codice per il Wi-Fi di ${place}.`,
  },
  nl: {
    subject: (place) => `Uw wifi bij ${place}: bevestig uw adres`,
    mail: ({ place, link, code, minutes }) => `Hallo,

bevestig uw e-mailadres om de wifi bij ${place} te blijven gebruiken. Open deze link binnen ${minutes} minuten:
${link}

Of typ deze code op de pagina van de wifi: ${code}

Hebt u dit niet aangevraagd, dan hoeft u niets te doen; er gebeurt niets.
`,
    text: (place, code) => `${code} is uw code voor de wifi bij ${place}.`,
  },
}
