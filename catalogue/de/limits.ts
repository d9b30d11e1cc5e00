// German sentences about limits that gateways do not keep.
import type { limits as english } from '#catalogue/en/limits.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const limits: Translation<typeof english> = {
  time: 'Zeit',
  data: 'Daten',
  speed: 'Geschwindigkeit',
  'not-kept-one': 'Die Begrenzung von „{pack}“ ({what}) hält {by} nicht ein.',
  'not-kept-several': 'Die Begrenzungen von „{pack}“ ({what}) hält {by} nicht ein.',
  'later-one': 'Die Begrenzung von „{pack}“ ({what}) gilt bei {by} erst ab der nächsten Anmeldung.',
  'later-several': 'Die Begrenzungen von „{pack}“ ({what}) gelten bei {by} erst ab der nächsten Anmeldung.',
  'off-one':
    '{names} kann niemanden vorzeitig trennen: Wer darüber online ist, wird erst am Ende der gewährten Zeit getrennt, {most}.',
  'off-several':
    '{names} können niemanden vorzeitig trennen: Wer darüber online ist, wird erst am Ende der gewährten Zeit getrennt, {most}.',
  'all-time': 'also nach der ganzen verbleibenden Zeit',
  minutes: 'spätestens nach {minutes} Minuten',
  others: '{count} weitere',
}
