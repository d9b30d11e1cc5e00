// Rent roll headings: where the columns of a room list stand, under titles, in one line or two, in several languages.
import type { Across, Row } from '#server/spreadsheets/sheet.ts'
import { squashed } from './headings.ts'

/** `N° logement` is `logement`: that a number stands below it is seen. */
const bare = (heading: string) =>
  squashed(
    heading
      .replace(/n[°º]|№/giu, ' ')
      .normalize('NFKD')
      .replace(/\p{M}/gu, ''),
  )
const words = (text: string) => text.trim().split(/\s+/).map(bare)

/** What means each column, without spaces and punctuation. By preference: of a `Guest` and a `Name`, the name is taken. */
const known = {
  number: words(`
    roomnumber roomno roomnr room rooms unitnumber unitno unitid unitcode unit units apartmentnumber apartmentno
    apartment aptnumber aptno apt bldgunit flatnumber flatno flat suite pitch bed
    zimmernummer zimmernr zimmer wohnungsnummer wohnungsnr wohnung wohneinheit einheit
    numérochambre chambre appartement logement habitación piso vivienda quarto apartamento camera appartamento unità
    kamernummer kamer lägenhet rum lejlighed værelse oda daire pokój lokal
    номерквартиры квартира номеркомнаты комната номер
    رقمالغرفة الغرفة غرفة رقمالوحدة الوحدة חדר
    部屋番号 号室 部屋 房号 房间号 房间 객실 호실`),
  last_name: words(`
    lastname surname familyname guestlastname nachname familienname nom apellido apellidos cognome achternaam nazwisko
    sobrenome фамилия 姓`),
  first_name: words(`
    firstname givenname forename guestfirstname vorname prénom nombre nome voornaam imię имя 名`),
  name: words(`
    name fullname guestname residentname tenantname occupantname leaseholder guest guests resident residents tenant
    tenants occupant occupants mietername mieter bewohner gastname gast gäste locataire locataires inquilino inquilinos
    huésped hóspede ospite huurder hyresgäst lejer kiracı misafir najemca gość
    nom nome nombre
    гость жилец арендатор
    الاسم اسمالنزيل النزيل المستأجر שם 入居者 宿泊者 租客 住户 이름`),
  /** The last name, then the others. */
  last_name_first: words(`
    namevorname nachnamevorname lastnamefirstname nometprénom nomprénom cognomeenome cognomenome apellidosynombre
    apellidosynombres nazwiskoiimię фио фамилияимяотчество 氏名 姓名 성명`),
  email: words(`
    email emailaddress mail guestemail residentemail tenantemail courriel correo correoelectrónico epost почта
    البريدالالكتروني メール 邮箱`),
  mobile_number: words(`
    mobilenumber mobile mobilephone cell cellphone phonenumber phone telephone tel telefon telefonnummer telephone1
    handy teléfono telefone telefoon телефон الهاتف رقمالهاتف 電話番号 电话 手机`),
  external_reference: words(`
    externalreference reservation reservationnumber confirmation confirmationnumber confno booking bookingreference
    residentid tenantid tenantcode residentcode reference reservierung buchungsnummer`),
  arrives_on: words(`
    arrival arrivaldate arriveson arrives checkin checkindate movein moveindate anreise einzug einzugsdatum arrivée
    entrée llegada entrada aankomst заезд تاريخالوصول الوصول 入居日 入住日期`),
  departs_on: words(`
    departure departuredate departson departs checkout checkoutdate moveout moveoutdate abreise auszug auszugsdatum
    départ sortie salida saída vertrek выезд تاريخالمغادرة المغادرة 退去日 退房日期`),
  status: words(`
    status residentstatus unitstatus unitleasestatus occupancy occupancystatus leasestatus tenantstatus roomstatus
    state stat statut estado stato статус الحالة 状態 状态`),
  role: words(`role relationship residenttype tenanttype occupanttype type`),
}
export type Heading = keyof typeof known
const kinds = Object.entries(known) as [Heading, string[]][]

/** Where each heading stands: in one column, or in several that it reaches over. */
export type Columns = ReadonlyMap<Heading, readonly number[]>

export interface Headings {
  columns: Columns
  /** What stands in the one line or the two, as compared: printed pages repeat them. */
  lines: readonly string[]
  /** The headings that mean nothing here. */
  ignored: string[]
  /** The number of the last row that they take. */
  row: number
}

/** How far down the headings may stand. */
const title_rows_max = 30

/** The headings that say most, of all that stand at the start of the rows. */
export function headingsIn(first: readonly Row[]): Headings | undefined {
  const found = first.slice(0, title_rows_max).flatMap((row, index) => {
    const one = ofOne(row)
    const next = first[index + 1]
    return (next && ofTwo(row, next, one)) ?? one ?? []
  })
  const most = Math.max(...found.map(({ columns }) => columns.size))
  return found.find(({ columns }) => columns.size === most)
}

/** `Unit | Guest | Phone`. A title such as `Rooms` stands alone; so does the only heading of a list of numbers. */
export function ofOne([row, cells, across]: Row): Headings | undefined {
  const names = spread(cells, across).map(bare)
  const at = find(names.map((name) => [name]))
  const filled = cells.filter((cell) => bare(cell) !== '').length
  if (!at.has('number') || (at.size < 2 && filled > 1)) return undefined
  return headings(at, row, [[cells, across ?? []]])
}

/** `Unit | Guest | Move` above `No. | Name | In | Out`: either line, or what both say together, names a column. */
function ofTwo(above: Row, [row, cells, across]: Row, one: Headings | undefined): Headings | undefined {
  const upper = spread(above[1], above[2]).map(bare)
  const lower = spread(cells, across).map(bare)
  const count = Math.max(upper.length, lower.length)
  let carried = ''
  const names = Array.from({ length: count }, (_, index) => {
    const below = lower[index] ?? ''
    carried = upper[index] || carried
    return below === '' ? [] : [carried + below, below]
  })
  const said = find(names)
  const alone = find(upper.map((name, index) => [lower[index] ? '' : name]))
  const at = new Map([...alone, ...said])
  const number = at.get('number')
  if (said.size === 0 || number === undefined) return undefined
  // Below the heading of the rooms stands more of it, or nothing: a number there makes it the first room.
  const isHeading = (lower[number] ?? '') === '' || said.get('number') === number
  const enough = at.size >= (one?.columns.size ?? 0) && at.size > (ofOne([row, cells, across])?.columns.size ?? 0)
  if (!isHeading || !enough) return undefined
  return headings(at, row, [
    [above[1], above[2] ?? []],
    [cells, across ?? []],
  ])
}

/** The first column of each heading; `names` are what each column may be called. */
function find(names: readonly (readonly string[])[]): Map<Heading, number> {
  const at = new Map<Heading, number>()
  for (const [kind, list] of kinds) {
    const word = list.find((one) => names.some((own) => own.includes(one)))
    if (word !== undefined)
      at.set(
        kind,
        names.findIndex((own) => own.includes(word)),
      )
  }
  // `Nom` is the whole name, or the last name where the first stands beside it.
  const [name, last, first] = [at.get('name'), at.get('last_name'), at.get('first_name')]
  if (name !== undefined && (name === last || name === first)) {
    if (last !== undefined && first !== undefined) at.delete('name')
    else at.delete(name === last ? 'last_name' : 'first_name')
  }
  return at
}

type HeadingLine = [cells: readonly string[], across: readonly Across[]]

function headings(at: ReadonlyMap<Heading, number>, row: number, lines: HeadingLine[]): Headings {
  const columns = new Map([...at].map(([kind, column]) => [kind, reachOf(column, lines)] as const))
  const taken = new Set([...columns.values()].flat())
  const count = Math.max(...lines.map(([cells]) => cells.length))
  const titles = Array.from({ length: count }, (_, index) =>
    taken.has(index) ? '' : lines.map(([cells]) => cells[index]?.trim() ?? '').join(' '),
  )
  return {
    columns,
    lines: lines.map(([cells]) => comparable(cells)),
    ignored: titles.map((title) => title.trim()).filter((title) => title !== ''),
    row,
  }
}

/** The columns that a merged heading reaches over: programs put the cells below it where they like. */
function reachOf(column: number, lines: readonly HeadingLine[]): number[] {
  const line = lines.findLast(([cells, across]) => (spread(cells, across)[column] ?? '').trim() !== '')
  const [from, to] = line?.[1].find(([first, last]) => first <= column && column <= last) ?? [column, column]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** The text of a merged cell in each column that it reaches over. */
function spread(cells: readonly string[], across: readonly Across[] = []): string[] {
  const texts = Array.from(cells, (cell) => cell)
  for (const [from, to] of across) for (let at = from + 1; at <= to; at++) texts[at] = cells[from] ?? ''
  return Array.from(texts, (text) => text ?? '')
}

export const comparable = (cells: readonly string[]) => cells.map(bare).join('|').replace(/\|+$/, '')
