// French sentences of forms, and of what has just been made.
import type { forms as english } from '#catalogue/en/forms.ts'
import type { Translation } from '#catalogue/sentences.ts'

export const forms: Translation<typeof english> = {
  copy: 'Copier',
  copied: 'Copié',
  'not-copied': 'La copie n’a pas fonctionné. Sélectionnez le texte et copiez-le vous-même.',
  email: 'E-mail',
  'email-address': 'Adresse e-mail',
  send: 'Envoyer',
  'sent-to': 'Envoyé à {address}',
  update: 'Enregistrer',
  create: 'Créer',
  'overtaken-keep': 'Garder ma saisie',
  'overtaken-take': 'Reprendre la nouvelle valeur',
  'overtaken-still': 'Votre saisie est toujours affichée ici.',
  'overtaken-now': '{field} : désormais {value}',
  'overtaken-empty': 'vide',
  'overtaken-on': 'activé',
  'overtaken-off': 'désactivé',
  'perhaps-deleted': 'L’élément a peut-être été supprimé, ou il appartient à quelqu’un d’autre.',
  'choose-more': 'Il y en a d’autres : tapez pour chercher',
  'choose-failed': 'La liste n’a pas pu être chargée',
  'choose-none': 'Rien pour l’instant',
  'choose-looking': 'Recherche de « {word} »…',
  'choose-nothing-for': 'Aucun résultat pour « {word} »',
  'loading-more': 'Chargement…',
  cancel: 'Annuler',
  'go-back': 'Retour',
  loading: 'Chargement',
  choose: 'Choisir…',
  close: 'Fermer',
}
