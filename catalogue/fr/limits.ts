// French sentences about limits that gateways do not keep.
import type { limits as english } from '#catalogue/en/limits.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const limits: Translation<typeof english> = {
  time: 'temps',
  data: 'données',
  speed: 'débit',
  'not-kept-one': 'La limite de « {pack} » ({what}) n’est pas appliquée par {by}.',
  'not-kept-several': 'Les limites de « {pack} » ({what}) ne sont pas appliquées par {by}.',
  'later-one': 'La limite de « {pack} » ({what}) ne s’applique, sur {by}, qu’à la prochaine connexion.',
  'later-several': 'Les limites de « {pack} » ({what}) ne s’appliquent, sur {by}, qu’à la prochaine connexion.',
  'off-one':
    '{names} ne peut déconnecter personne sur demande : les clients en ligne le restent jusqu’à la fin de la durée accordée, {most}.',
  'off-several':
    '{names} ne peuvent déconnecter personne sur demande : les clients en ligne le restent jusqu’à la fin de la durée accordée, {most}.',
  'all-time': 'soit tout le temps qu’il leur reste',
  minutes: 'au plus {minutes} minutes',
  others: '{count} autres',
}
