// Spanish sentences about limits that gateways do not keep.
import type { limits as english } from '#catalogue/en/limits.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const limits: Translation<typeof english> = {
  time: 'tiempo',
  data: 'datos',
  speed: 'velocidad',
  'not-kept-one': 'El límite de «{pack}» ({what}) no se aplica en {by}.',
  'not-kept-several': 'Los límites de «{pack}» ({what}) no se aplican en {by}.',
  'later-one': 'El límite de «{pack}» ({what}) solo se aplica en {by} desde el próximo acceso.',
  'later-several': 'Los límites de «{pack}» ({what}) solo se aplican en {by} desde el próximo acceso.',
  'off-one':
    '{names} no puede desconectar a nadie antes de tiempo: quien está en línea lo está hasta el final del tiempo concedido, {most}.',
  'off-several':
    '{names} no pueden desconectar a nadie antes de tiempo: quien está en línea lo está hasta el final del tiempo concedido, {most}.',
  'all-time': 'es decir, todo el tiempo que le queda',
  minutes: '{minutes} minutos como máximo',
  others: '{count} más',
}
