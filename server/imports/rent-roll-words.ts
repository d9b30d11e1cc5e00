// Rent roll words: words that property systems and people write between rooms and about them, in several languages.

/** Matches one of these patterns, which are separated by commas, and nothing else. */
const oneOf = (patterns: string, behind = '') =>
  new RegExp(
    `^(?:${patterns
      .trim()
      .split(/\s*,\s*/)
      .join('|')})${behind}$`,
    'iu',
  )
/** The word ends here; anything may follow. */
const andMore = String.raw`(?!\p{L}).*`

/** No letter or digit of any script. */
export const isBlank = (text: string) => !/[\p{L}\p{N}]/u.test(text)

const vacant = oneOf(String.raw`
  vacant.*, vacancy, empty, free, closed, blocked, available, unoccupied, none, n/?a, model, down, admin,
  out of (?:order|service), frei, leer, leerstand, leerstehend, vide, vacante, libre, livre, vago, vuoto, libero,
  leeg, ledig, tom, boş, woln[ey], свободн[оа]?, пусто, شاغرة?, فارغة?, 空, 空室, 空房, 空き, 공실`)
const isVacantWord = (text: string) => vacant.test(text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
/** Also `- empty -`, `(vacant)` and `شاغرة / Vacant`. */
export const isVacant = (text: string) =>
  isBlank(text) || isVacantWord(text) || (isTwice(text) && piecesOf(text).every(isVacantWord))

/** What is said in two languages: on both sides of a stroke or a bracket, or in two scripts. */
const piecesOf = (text: string) =>
  text
    .split(
      /[/|()\n–—]|(?<=\p{Script=Latin})\s+(?=[^\p{Script=Latin}\s\p{P}])|(?<=[^\p{Script=Latin}\s\p{P}])\s+(?=\p{Script=Latin})/u,
    )
    .map((piece) => piece.trim())
    .filter((piece) => !isBlank(piece))
const isTwice = (text: string) => piecesOf(text).length > 1

const present = oneOf(String.raw`
  current.*, occupied.*, resident, tenant, occ, in[ -]?house, checked[ -]?in, stay(?:ing|over)?, leased, rented, let,
  active, notice.*, on notice, ntv.*, evict, eviction, month[ -]to[ -]month, mtm, yes, y, 1,
  in room, stay ?over, due ?out.*, departing.*, departures? today, belegt, bewohnt, vermietet, eingecheckt, im haus,
  anwesend, abreise.*, départ.*, salida.*, partenza.*, vertrek.*,
  occupée?, louée?, ocupad[oa], occupat[oa], bezet, bebodd, uthyrd, optaget, dolu, zajęt[ey],
  занят[оа]?, مشغولة?, 入居中, 使用中, 已入住`)
const absent = oneOf(
  String.raw`
  applicant, applied, approved, future, pending, prospect, waitlist(?:ed)?, wait list, past, former, previous,
  moved[ -]?out, evicted, cancell?ed, denied, reserved, reservation, expected, arriving, due in, checked[ -]?out,
  departed, no[ -]?show, vacated, confirmed, guaranteed, tentative, booked, in ?active, abgereist, ausgecheckt, storniert, anreise.*,
  reserviert, gebucht, bestätigt, annulée?, confirmée?, réservée?, arrivée.*, cancelad[oa], confirmad[oa], reservad[oa], llegada.*,
  confermat[oa], prenotat[oa], cancellat[oa], arrivo.*, geannuleerd, bevestigd, aankomst.*, ملغ[اى], محجوزة?, 退去済, 已退房, 預約, 已預訂`,
  String.raw`(?:\s.*)?`,
)
/** Of these words, those for future residents. */
const toCome = oneOf(
  String.raw`
  approved, future, reserved, reservation, expected, arriving, due ?in, pre-?leased, confirmed, guaranteed, booked, anreise.*, reserviert,
  gebucht, bestätigt, confirmée?, réservée?, arrivée.*, confirmad[oa], reservad[oa], llegada.*, confermat[oa], prenotat[oa], arrivo.*,
  bevestigd, aankomst.*, محجوزة?, 預約, 已預訂`,
  String.raw`(?:\s.*)?`,
)
export const saysToCome = (status: string) =>
  toCome.test(status) || piecesOf(status).some((piece) => toCome.test(piece))

/** Under a heading such as `Occupied`. */
const no = oneOf('no, n, 0, false')

/** Whether a person with this status lives there now; undefined if the word is unknown, or what is said twice does not agree. */
export function livesThere(status: string): boolean | undefined {
  if (isBlank(status)) return true
  if (isVacant(status) || no.test(status) || absent.test(status)) return false
  if (present.test(status)) return true
  const said = new Set(isTwice(status) ? piecesOf(status).flatMap((piece) => livesThere(piece) ?? []) : [])
  return said.size === 1 ? said.has(true) : undefined
}

/** A person who is liable for the rent, or has applied for the flat, but does not live there. */
const noOccupant = oneOf('guarantor, co-?signer, emergency contact, applicant, owner, landlord, bürge, garante?', '.*')
export const isNoOccupant = (role: string) => noOccupant.test(role)

const total = oneOf(
  '(?:grand |sub-?)?(?:totals?|sums?|count|average), summe, gesamt, insgesamt, totaux?, totale, totalt, suma, razem, toplam,' +
    'итого, всего, المجموع, الإجمالي, 合計, 小計, 合计, 小计, anzahl, nombre total, número total, antal, aantal, liczba,' +
    'celkem, összesen, σύνολο, סהכ, סה"כ, סך הכל, 총계, 합계, 소계, 計',
  andMore,
)
const totalLast = /\btotals?:?$/i
const share = /^[\d,.]+ ?%/
const counted = oneOf(
  String.raw`
  \d+ (?:units?|rooms?|beds?|flats?|apartments?|suites?|pitches|residents?|tenants?|guests?|records?|rows?),
  \d+ (?:zimmer|einheiten|wohnungen|chambres?|logements?|habitaciones|camere|kamers)`,
  andMore,
)
/** `Total 4 units`, `66.7 %`, `12 units`. */
export const isTotal = (first: string) => [total, totalLast, share, counted].some((pattern) => pattern.test(first))

/** `Occupied: 11`, `Belegt: 11 von 14`, `Page 1 / 3`, `- 2 -`: a line with a count, in any language. */
const countLine = /^[\p{L}\p{M}][\p{L}\p{M}\s.'’()/-]{0,60}[:=：]\s*[\d.,\s%/()-]+(?:\p{L}[\p{L}\s]*[\d.,\s%]*)?$/u
const page_words = [
  String.raw`page|seite|página|pagina|strona|strana|sida|side|sivu|sayfa|oldal|стр(?:аница)?\.?`,
  'σελίδα|صفحة|עמוד|ページ|頁|第|페이지',
].join('|')
const pageLine = new RegExp(
  [
    String.raw`^(?:[-–—]\s*\d+\s*[-–—]|(?:${page_words})\s*[:.]?\s*\d+.*`,
    String.raw`\d+\s*(?:ページ|頁|页|페이지)|\d+\s*\/\s*\d+\s*(?:ページ|頁|页)?)$`,
  ].join('|'),
  'iu',
)
export const isCountLine = (text: string) => countLine.test(text) || pageLine.test(text)

/** Totals below the list: `Occupied units`, `Future residents`, without a digit as room numbers have. */
const summary = oneOf(String.raw`
  \D*\b(?:units|residents|applicants|tenants|sq\.? ?ft|occupancy|occupied|vacancies)\s*:?, summary\b\D*, occupied:?,
  vacant:?, non[- ]?rev\w*`)
export const isSummary = (first: string) => summary.test(first)

/** What has a door, but no guests: a number behind it is the number of that door. */
const noRoom = oneOf(
  String.raw`
  store(?: ?room)?s?, storage.*, boiler(?: ?room)?, plant ?room, pump ?room, linen.*, laundry, lift, elevator, corridor, stairs, lobby,
  reception, office, staff ?room, management office, parking.*, car ?park, garages?, bin ?store, roof, model(?: unit)?,
  lager(?:raum)?, heizung(?:sraum|skeller)?, technik(?:raum)?, waschküche, hausmeister, büro, tiefgarage, stellpl[aä]tze?, aufzug,
  chaufferie, local technique, ascenseur, bureau, parking, garage, lingerie, buanderie, réserve, almacén, trastero, caldera, ascensor,
  oficina, garaje, lavandería, recepción, magazzino, caldaia, ascensore, ufficio, lavanderia, opslag, ketelruimte, kantoor, berging,
  note, notes, remarks?, comments?, nb, anmerkung(?:en)?, hinweis, bemerkung(?:en)?, remarques?, notas?`,
  String.raw`(?:\s*[-.#]?\s*\d{1,4}\p{L}?|\s*:.*)?`,
)
/** Accounts that a hotel's system keeps as rooms, for bills that no guest pays. */
const pseudo =
  /(?:^|\s)(?:posting ?master|house account|pay ?master|pseudo(?: ?room)?|dummy(?: room)?|virtual room|sammelkonto|hauskonto)$/iu

/** A row that looks like a room and is none: a store, a boiler, a note, an account of the house. */
export const isNoRoom = (number: string, cells: readonly string[]) =>
  noRoom.test(number) ||
  cells.some((cell) => pseudo.test(cell.trim())) ||
  (/^9\d{3}$/.test(number) && cells.some((cell) => /^P[MFI]$/.test(cell.trim())))

const group = oneOf(
  String.raw`
  building, block, floor, level, wing, tower, phase, section, property, site, house, page, floorplan, unit type,
  haus, gebäude, etage, stock, obergeschoss, erdgeschoss, bâtiment, étage, edificio, edifício, planta, piętro,
  этаж, корпус, الطابق, المبنى, \d+(?:st|nd|rd|th|\.)? ?(?:floor|level|etage|og|stock|étage)`,
  andMore,
)
const foot = oneOf(
  String.raw`
  printed, created, generated, exported, run (?:on|by|date|time), report, user, date, as of, legend, source, prepared,
  powered by, erstellt, gedruckt, stand`,
  andMore,
)
/** A line printed at the foot of a page, with a date or a number. */
export const isFoot = (text: string) => /\d/.test(text) && (foot.test(text) || isTotal(text))

/** A heading of a group of rooms, or a line printed at the foot of a page. */
export const isGroup = (text: string) => group.test(text) || foot.test(text)

export type Section = 'present' | 'coming' | 'absent'
const comingSection = oneOf('future, move-?ins, pre-?leased, künftige, futurs', andMore)
const absentSection = oneOf(
  String.raw`
  past, former, previous, pending, applicants?, prospects?, wait(?:ing)? ?list, moved[- ]out, ehemalige, anciens`,
  andMore,
)
const presentSection = oneOf('current, occupied, vacant, notice, in[- ]house, aktuelle, actuels?', andMore)
/** A heading above present residents, future ones, or others. */
export function sectionIn(text: string): Section | undefined {
  if (/\d/.test(text)) return undefined
  if (presentSection.test(text)) return 'present'
  if (comingSection.test(text)) return 'coming'
  return absentSection.test(text) ? 'absent' : undefined
}
