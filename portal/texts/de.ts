// German texts of the portal.
import type { Texts } from './en.ts'

export const de: Texts = {
  language: 'Sprache',
  headline: 'Melden Sie sich im WLAN an',
  skip: 'Zur Anmeldung',
  choose: 'Wie möchten Sie sich anmelden?',
  ways: {
    free: 'Freier Zugang',
    voucher: 'Gutschein',
    account: 'Benutzername und Passwort',
    room: 'Zimmernummer und Nachname',
    email: 'E-Mail-Adresse',
    sms: 'SMS',
    conference: 'Veranstaltungscode',
  },
  fields: {
    voucher_code: 'Gutscheincode',
    voucher_password: 'Passwort des Gutscheins',
    username: 'Benutzername',
    password: 'Passwort',
    room_number: 'Zimmernummer',
    last_name: 'Nachname',
    email: 'E-Mail-Adresse',
    mobile_number: 'Handynummer',
    conference_code: 'Veranstaltungscode',
  },
  voucher_has_password: 'Mein Gutschein hat ein Passwort',
  email_use: 'Sie erhalten eine Nachricht, um zu bestätigen, dass die Adresse Ihre ist.',
  sms_use: 'Sie erhalten eine SMS mit einem Code.',
  code: {
    field: 'Code',
    email_title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    email: (address) =>
      `Wir haben eine E-Mail an ${address} gesendet. Öffnen Sie den Link darin oder geben Sie die sechs Ziffern ein.`,
    sms_title: 'Geben Sie den Code ein',
    sms: (address) => `Wir haben eine SMS mit sechs Ziffern an ${address} gesendet.`,
    online: (time) => `Sie sind ${time} online, damit Sie die E-Mail lesen können.`,
    confirm: 'Bestätigen',
    again: 'Neuen Code senden',
    change: 'Anders anmelden',
  },
  confirm: {
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    asked: (address) => `Ist ${address} Ihre Adresse? Bestätigen Sie sie mit dem Knopf.`,
    done_title: 'Vielen Dank',
    done:
      'Ihre Adresse ist bestätigt. Nutzen Sie das WLAN einfach weiter. Öffnet sich die Anmeldeseite noch einmal, ' +
      'geben Sie dort dieselbe Adresse ein.',
    over_title: 'Dieser Link gilt nicht mehr',
    over: 'Öffnen Sie die Anmeldeseite des WLANs noch einmal und fordern Sie eine neue E-Mail an.',
  },
  known_devices_only: 'Hier kommen nur registrierte Geräte ins Netz. Die Rezeption registriert Ihres gern.',
  connect: 'Verbinden',
  agree: 'Ich stimme den Nutzungsbedingungen zu',
  read_terms: 'Nutzungsbedingungen lesen',
  terms: 'Nutzungsbedingungen',
  version: (number) => `Fassung ${number}`,
  privacy: 'Datenschutz',
  opens_in_new_window: 'öffnet ein neues Fenster',
  refused_title: 'Das hat nicht geklappt',
  refused: {
    incomplete: 'Bitte füllen Sie aus, was noch fehlt.',
    terms: 'Bitte stimmen Sie zuerst den Nutzungsbedingungen zu.',
    unknown: 'Diese Angaben kennen wir nicht. Prüfen Sie sie auf Tippfehler oder fragen Sie an der Rezeption.',
    not_yet_valid: 'Dieser Zugang gilt noch nicht. Die Rezeption sagt Ihnen, ab wann.',
    expired: 'Dieser Zugang ist abgelaufen. An der Rezeption erhalten Sie einen neuen.',
    used_up: 'Zeit oder Datenvolumen sind aufgebraucht. An der Rezeption erhalten Sie mehr.',
    too_many_devices:
      'Mit diesem Zugang sind schon so viele Geräte verbunden wie erlaubt. Melden Sie zuerst eines davon ab.',
    disabled: 'Dieser Zugang ist gesperrt. Bitte fragen Sie an der Rezeption.',
    too_often: 'Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann noch einmal.',
    address: 'Das ist keine E-Mail-Adresse. Prüfen Sie sie auf Tippfehler.',
    number: 'Das ist keine Handynummer. Prüfen Sie sie; eine ausländische beginnt mit + und der Landesvorwahl.',
    wrong_code: 'Das ist nicht der Code aus unserer letzten Nachricht. Prüfen Sie ihn auf Tippfehler.',
    code_over: 'Dieser Code ist abgelaufen. Fordern Sie einen neuen an.',
    wait: 'Eine Nachricht ist unterwegs. Warten Sie eine Minute, bevor Sie noch eine anfordern.',
    no_more_messages:
      'Heute können keine weiteren Nachrichten gesendet werden. Melden Sie sich anders an oder fragen Sie an der Rezeption.',
    unconfirmed: 'Ihre Adresse ist noch nicht bestätigt. Öffnen Sie zuerst den Link in unserer E-Mail.',
    failed: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es gleich noch einmal.',
  },
  upgrading_title: 'Gleich geht es weiter',
  upgrading: 'Die WLAN-Anmeldung wird gerade aktualisiert. Lassen Sie diese Seite offen: Es geht von selbst weiter.',
  unregistered_title: 'Dieses Netz ist noch nicht eingerichtet',
  unregistered:
    'Wir erkennen nicht, in welchem Netz Sie sind, deshalb ist hier noch kein Zugang möglich. Bitte sagen Sie an der ' +
    'Rezeption Bescheid.',
  hand_over_title: 'Noch ein Schritt',
  connecting_title: 'Die Verbindung wird hergestellt…',
  connecting: 'Das dauert ein paar Sekunden. Lassen Sie diese Seite offen: Es geht von selbst weiter.',
  delayed_title: 'Das Netz antwortet nicht',
  delayed:
    'Sie sind angemeldet, aber die Steuerung des Netzes antwortet nicht. Wir versuchen es weiter, und diese Seite geht ' +
    'von selbst weiter. Wenn es lange dauert, sagen Sie es bitte an der Rezeption.',
  away_title: 'Verbinden Sie sich zuerst mit dem Gäste-WLAN',
  away:
    'Wählen Sie in den Einstellungen Ihres Geräts das Gäste-WLAN. Diese Seite öffnet sich dann von selbst, und Sie ' +
    'können sich anmelden.',
  away_network: (network) =>
    `Wählen Sie in den Einstellungen Ihres Geräts das WLAN „${network}“. Diese Seite öffnet sich dann von selbst, und ` +
    'Sie können sich anmelden.',
  online_title: 'Sie sind online',
  online: 'Einen angenehmen Aufenthalt! Sie können dieses Fenster schließen.',
  status_title: 'Ihre Verbindung',
  time_left: 'Verbleibende Zeit',
  data_left: 'Verbleibendes Datenvolumen',
  no_limit: 'Unbegrenzt',
  go_on: 'Weiter',
  sign_out: 'Abmelden',
  signed_out_title: 'Sie sind abgemeldet',
  signed_out: 'Um das WLAN wieder zu nutzen, melden Sie sich einfach erneut an.',
  signing_out_title: 'Sie werden abgemeldet',
  signing_out: 'Das Netz hat Ihre Abmeldung noch nicht bestätigt. Sie können auch das WLAN Ihres Geräts ausschalten.',
  ended_title: 'Sie sind offline',
  refresh: 'Aktualisieren',
  sign_in_again: 'Erneut anmelden',
}
