// Spanish sentences of forms, and of what has just been made.
import type { forms as english } from '#catalogue/en/forms.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const forms: Translation<typeof english> = {
  copy: 'Copiar',
  copied: 'Copiado',
  'not-copied': 'No se ha podido copiar. Selecciónelo y cópielo usted mismo.',
  email: 'Correo electrónico',
  'email-address': 'Dirección de correo',
  send: 'Enviar',
  'sent-to': 'Enviado a {address}',
  update: 'Guardar',
  create: 'Crear',
  'overtaken-keep': 'Conservar lo mío',
  'overtaken-take': 'Usar el valor nuevo',
  'overtaken-still': 'Aquí sigue lo que usted ha escrito.',
  'overtaken-now': '{field}: ahora {value}',
  'overtaken-empty': 'vacío',
  'overtaken-on': 'activado',
  'overtaken-off': 'desactivado',
  'perhaps-deleted': 'Puede que se haya eliminado o que pertenezca a otra persona.',
  'choose-more': 'Hay más: escriba para buscar',
  'choose-failed': 'No se ha podido cargar la lista',
  'choose-none': 'Todavía no hay nada',
  'choose-looking': 'Buscando «{word}»…',
  'choose-nothing-for': 'Sin resultados para «{word}»',
  'loading-more': 'Cargando…',
  cancel: 'Cancelar',
  'go-back': 'Volver',
  loading: 'Cargando',
  choose: 'Elegir…',
  close: 'Cerrar',
}
