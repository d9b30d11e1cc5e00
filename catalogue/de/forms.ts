// German sentences of forms, and of what has just been made.
import type { forms as english } from '#catalogue/en/forms.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const forms: Translation<typeof english> = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  'not-copied': 'Das konnte nicht kopiert werden. Bitte markieren und kopieren Sie es von Hand.',
  email: 'E-Mail',
  'email-address': 'E-Mail-Adresse',
  send: 'Senden',
  'sent-to': 'Gesendet an {address}',
  update: 'Speichern',
  create: 'Anlegen',
  'overtaken-keep': 'Meine Eingabe behalten',
  'overtaken-take': 'Neuen Stand übernehmen',
  'overtaken-still': 'Hier steht noch, was Sie eingegeben haben.',
  'overtaken-now': '{field} ist jetzt {value}',
  'overtaken-empty': 'leer',
  'overtaken-on': 'an',
  'overtaken-off': 'aus',
  'perhaps-deleted': 'Vielleicht wurde der Eintrag gelöscht, oder er gehört jemand anderem.',
  'choose-more': 'Es gibt weitere: zum Suchen tippen',
  'choose-failed': 'Die Auswahl konnte nicht geladen werden',
  'choose-none': 'Noch nichts vorhanden',
  'choose-looking': 'Suche nach „{word}“ …',
  'choose-nothing-for': 'Nichts gefunden für „{word}“',
  'loading-more': 'Wird geladen …',
  cancel: 'Abbrechen',
  'go-back': 'Zurück',
  loading: 'Wird geladen',
  choose: 'Auswählen …',
  close: 'Schließen',
}
