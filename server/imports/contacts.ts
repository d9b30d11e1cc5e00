// Contacts: the e-mail addresses and telephone numbers in a cell, as people write them, and the parts that cannot be stored.
import { domainToASCII } from 'node:url'
import { guestEmail, mobile } from '#contract/shapes.ts'
import { asciiDigits } from '#contract/digits.ts'

/** A part of a cell that is not stored, with a sentence that explains why. */
export interface LeftOut {
  value: string
  sentence: string
}
export interface Contacts {
  found: string[]
  left: LeftOut[]
}

const nothing = new RegExp(
  `^(?:${[
    'n ?/ ?a',
    'n\\.?v\\.?t\\.?',
    'not? (?:e-?mail|phone|mobile|address|number|contact)',
    '(?:not|un) ?(?:known|given|provided|available|applicable|listed|stated|wanted)',
    'none(?: given| provided)?',
    'declined?(?: to (?:say|give))?',
    'refused?',
    'withheld',
    'ex-?directory',
    'private',
    'unlisted',
    'missing',
    'nil',
    'null',
    'tb[acd]',
    'x+',
    '0+',
    'kein[e]?(?: (?:e-?mail|telefon|angaben?|handy))?',
    'keine angabe',
    'k\\.? ?a\\.?',
    'unbekannt',
    'nicht (?:angegeben|bekannt|vorhanden)',
    'aucune?',
    'sans',
    'inconnue?',
    'non (?:renseigné|communiqué|disponible|fourni)e?',
    'néant',
    'ningun[oa]?',
    'sin (?:correo|teléfono|datos|email)',
    'no (?:tiene|consta|disponible|facilitado)',
    'desconocid[oa]',
    'nessun[oa]?',
    'non (?:disponibile|fornito|noto)',
    'nenhum',
    'não (?:tem|informado|disponível)',
    'geen',
    'onbekend',
    'ingen',
    'saknas',
    'okän[dt]',
    'ukendt',
    'ukjent',
    'brak',
    'nie (?:podano|ma)',
    'neuvedeno',
    'nemá',
    'yok',
    'belirtilmemiş',
    'нет',
    'не указан[оа]?',
    'неизвестно',
    'отсутствует',
    'δεν (?:υπάρχει|έχει)',
    'אין',
    'לא (?:ידוע|נמסר)',
    'لا يوجد',
    'غير متوفر',
    'なし',
    '無し?',
    '不明',
    '无',
    '未提供',
    '没有',
    '없음',
    '미기재',
  ].join('|')})[.!]?$`,
  'iu',
)

/** Whether the cell says that there is no contact, or has no content. */
export const isNoContact = (cell: string) => {
  const text = cell.trim().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.!]+$/gu, '')
  return !/[\p{L}\p{N}]/u.test(text) || nothing.test(text)
}

const pieces = (cell: string, between: RegExp) =>
  cell
    .split(between)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')

const noAddress = 'This is not an e-mail address'
/** `ann@example.com; Bob Ray <bob@example.com>`, `E-mail: ann@example.com`, `mailto:…`, `zoë@müller.example`. */
export function addressesIn(cell: string): Contacts {
  const contacts: Contacts = { found: [], left: [] }
  if (isNoContact(cell)) return contacts
  const text = cell.normalize('NFKC').replace(/["“„][^"“”„@]*["”“]/g, ' ')
  for (const piece of pieces(text, /[;,|\n\r\t]|\s\/\s|\s(?:and|or|und|et|y|e|&)\s/i)) {
    const words = piece.includes('@') ? piece.split(/[\s<>()[\]]+/).filter((word) => word.includes('@')) : []
    if (words.length === 0) {
      if (!isNoContact(piece) && !isLabel(piece)) contacts.left.push({ value: piece, sentence: noAddress })
      continue
    }
    for (const word of words) {
      const address = addressIn(
        word.replace(/^(?:mailto|e-?mail|mail|home|work|private|[ewhm])[:=]/i, '').replace(/[.:]+$/, ''),
      )
      if (address === undefined) contacts.left.push({ value: word, sentence: noAddress })
      else if (!contacts.found.includes(address)) contacts.found.push(address)
    }
  }
  return contacts
}

const isLabel = (text: string) => /^[\p{L}\s./-]{1,20}:$/u.test(text)

function addressIn(word: string): string | undefined {
  const at = word.lastIndexOf('@')
  const domain = word.slice(at + 1)
  // Mail uses the ASCII form of a domain, whatever letters it is written in.
  const ascii = /^[\x21-\x7e]*$/.test(domain) ? domain : domainToASCII(domain)
  const result = guestEmail.safeParse(`${word.slice(0, at)}@${ascii}`)
  return result.success ? result.data : undefined
}

const extension_words = 'x|ext(?:ension)?|extn|durchwahl|dw|poste|int(?:erno)?|toestel|anknytning|wew|доб'
const extension = new RegExp(
  String.raw`[\s,;/]*(?:(?<!\p{L})(?:${extension_words})(?!\p{L})\.?|#)\s*:?\s*(\d{1,6})\)?\s*$`,
  'iu',
)
const noNumber = 'This is not a telephone number'

/** `+44 7700 900123 x12`, `Mob: 07700 900123 / Home 020 7946 0000`, `0171 3920010 (Büro)`. */
export function numbersIn(cell: string): Contacts {
  const contacts: Contacts = { found: [], left: [] }
  if (isNoContact(cell)) return contacts
  const text = asciiDigits(cell.normalize('NFKC')).replace(/[‐‑–—−]/g, '-')
  for (const piece of numberPieces(text)) {
    const [ending, digits] = extension.exec(piece) ?? []
    const bare = ending === undefined ? piece : piece.slice(0, -ending.length)
    const number = numberIn(bare)
    if (number !== undefined) {
      if (!contacts.found.includes(number)) contacts.found.push(number)
      if (digits !== undefined)
        contacts.left.push({ value: ending?.trim() ?? digits, sentence: 'An extension cannot be kept with a number' })
    } else if (!isNoContact(piece) && /[\p{N}]|^[^:]*$/u.test(piece))
      contacts.left.push({ value: piece, sentence: noNumber })
  }
  return contacts
}

/** A slash separates two numbers only if both sides are whole ones: `0171/392` is one number. */
function numberPieces(text: string): string[] {
  const digits = (piece: string) => piece.replace(/\D/g, '').length
  return pieces(text, /[;,|\n\r\t]|\s(?:and|or|und|oder|et|ou|y|o|e|&)\s/i).flatMap((piece) => {
    const sides = piece.split('/')
    if (sides.length > 1 && sides.every((side) => digits(side) >= 7)) return pieces(piece, /\//)
    // A second label begins a second number: `M 07700 900123 H 020 7946 0000`.
    return pieces(piece, /(?<=\d{3})\s+(?=\p{L}[\p{L}.]*:?\s*\+?\(?\d)/u).some((part) => digits(part) < 6)
      ? [piece]
      : pieces(piece, /(?<=\d{3})\s+(?=\p{L}[\p{L}.]*:?\s*\+?\(?\d)/u)
  })
}

/** The number without the text around it. */
function numberIn(piece: string): string | undefined {
  const [number = ''] = /\+?\s*\(?\d[\d\s()./-]*\d\)?/.exec(piece.replace(/\bwhatsapp\b/i, ' ')) ?? []
  const rest = piece.replace(number, ' ')
  if (/\d/.test(rest)) return undefined
  const result = mobile.safeParse(
    number
      .replace(/^\+\s+/, '+')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const digits = number.replace(/\D/g, '').length
  return result.success && digits >= 5 && digits <= 20 ? result.data : undefined
}
