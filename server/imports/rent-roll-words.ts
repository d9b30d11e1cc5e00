// Rent roll words: what property systems and people write between the rooms and about them, in several languages.

/** Nothing but punctuation, in any script, says nothing. */
export const isBlank = (text: string) => !/[\p{L}\p{N}]/u.test(text)

const vacant =
  /^(?:vacant.*|vacancy|empty|free|closed|blocked|available|unoccupied|none|n\/?a|model|down|admin|out of (?:order|service)|frei|leer|leerstand|leerstehend|vide|vacante|libre|livre|vago|vuoto|libero|leeg|ledig|tom|boş|woln[ey]|свободн[оа]?|пусто|شاغر|شاغرة|فارغ|فارغة|空|空室|空房|空き|공실)$/iu
/** `- empty -` and `(vacant)` are so, too. */
export const isVacant = (text: string) =>
  isBlank(text) || vacant.test(text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))

const present =
  /^(?:current.*|occupied.*|resident|tenant|occ|in[ -]?house|checked[ -]?in|stay(?:ing|over)?|leased|rented|let|active|notice.*|on notice|ntv.*|evict|eviction|month[ -]to[ -]month|mtm|belegt|bewohnt|vermietet|occupée?|louée?|ocupad[oa]|occupat[oa]|bezet|bebodd|uthyrd|optaget|dolu|zajęt[ey]|занят[оа]?|مشغول|مشغولة|入居中|使用中|已入住|yes|y|1)$/iu
const absent =
  /^(?:applicant|applied|approved|future|pending|prospect|waitlist(?:ed)?|wait list|past|former|previous|moved[ -]?out|evicted|cancell?ed|denied|reserved|reservation|expected|arriving|due in|checked[ -]?out|departed|no[ -]?show|vacated|退去済|已退房)(?:\s.*)?$/iu
/** Under a heading such as `Occupied`. */
const no = /^(?:no|n|0|false)$/i

/** Whether somebody of this status lives there now; undefined when the word does not say. */
export function livesThere(status: string): boolean | undefined {
  if (isBlank(status)) return true
  if (isVacant(status) || no.test(status) || absent.test(status)) return false
  return present.test(status) ? true : undefined
}

/** Somebody who answers for the rent, or asks for the flat, and does not live there. */
export const isNoOccupant = (role: string) =>
  /^(?:guarantor|co-?signer|cosigner|emergency contact|applicant|owner|landlord|bürge|garant)/i.test(role)

const total =
  /^(?:(?:grand |sub-?)?(?:totals?|sums?|summe|gesamt|totaux?|totale|count|average)\b.*|.*\btotals?:?|(?:итого|всего|المجموع|الإجمالي|合計|小計|合计|小计|suma|razem|toplam|totalt|insgesamt).*|[\d,.]+ ?%.*|\d+ (?:units?|rooms?|beds?|flats?|apartments?|suites?|pitches|residents?|tenants?|guests?|records?|rows?|zimmer|einheiten|wohnungen|chambres?|logements?|habitaciones|camere|kamers)\b.*)$/iu
/** Sums below the list: `Occupied units`, `Future residents`, and no digit that a room would have. */
const summary =
  /^(?:\D*\b(?:units|residents|applicants|tenants|sq\.? ?ft|occupancy|occupied|vacancies)|summary\b\D*|occupied|vacant|non[- ]?rev\w*)\s*:?$/iu
export const isTotal = (first: string) => total.test(first)
export const isSummary = (first: string) => summary.test(first)

const group =
  /^(?:building|block|floor|level|wing|tower|phase|section|property|site|house|page|floorplan|unit type|haus|gebäude|etage|stock|obergeschoss|erdgeschoss|bâtiment|étage|edificio|edifício|planta|piętro|этаж|корпус|الطابق|المبنى)(?!\p{L})/iu
const ordinalFloor = /^\d+(?:st|nd|rd|th|\.)? ?(?:floor|level|etage|og|stock|étage)$/iu
const footer =
  /^(?:printed|created|generated|exported|run (?:on|by|date|time)|report|user|date|as of|legend|source|prepared|powered by|erstellt|gedruckt|stand)(?!\p{L})/iu
/** What groups the rooms below it, or was printed at the foot of a page. */
export const isGroup = (text: string) => group.test(text) || ordinalFloor.test(text) || footer.test(text)

const absentSection =
  /^(?:future|past|former|previous|pending|applicants?|prospects?|wait(?:ing)? ?list|moved[- ]out|move-?ins|pre-?leased|künftige|ehemalige|anciens|futurs)(?!\p{L})/iu
const presentSection = /^(?:current|occupied|vacant|notice|in[- ]house|aktuelle|actuels?)(?!\p{L})/iu
/** A heading above those who live there, or above those who do not. */
export function sectionIn(text: string): 'present' | 'absent' | undefined {
  if (/\d/.test(text)) return undefined
  if (presentSection.test(text)) return 'present'
  return absentSection.test(text) ? 'absent' : undefined
}
