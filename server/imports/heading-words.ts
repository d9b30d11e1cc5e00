// Heading words: the headings that people and property systems use in lists, in many languages: one set for all imports.
import { keysOf } from '#contract/keys.ts'

/**
 * The form in which headings are compared: without case, accents, spaces and punctuation. `N° logement` is `logement`, since the
 * `N°` adds nothing.
 */
export const bare = (heading: string) =>
  heading
    .replace(/n[°º]|№/giu, ' ')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '')

const words = (text: string) => [...new Set(text.trim().split(/\s+/).map(bare))]

/** In order of preference: of a `Guest` and a `Name`, the name is taken; of a `Phone` and a `Mobile`, the mobile number. */
export const headingWords = {
  number: words(`
    roomnumber roomno roomnr roomid room rooms unitnumber unitno unitid unitcode unit units apartmentnumber apartmentno
    apartment apartments aptnumber aptno apt bldgunit flatnumber flatno flat flats suite suites bedspace pitch pitchno pitches
    lot bed space roomspace spacenumber roomspacedescription bednumber
    zimmernummer zimmernr zimmer wohnungsnummer wohnungsnr wohnung wohnungen wohneinheit einheit whg whgnr raumnummer raum
    apartmentnr
    numérochambre numérodechambre nochambre chambre chambres appartement appartements appt logement logements unité
    habitación habitaciones númerodehabitación nohabitación hab piso pisos vivienda unidad departamento
    quarto quartos númerodoquarto apartamento apartamentos apto unidade fração
    camera camere numerocamera stanza appartamento appartamenti alloggio unità
    kamernummer kamernr kamer kamers woning eenheid
    lägenhet lägenheter lägenhetsnummer lgh rum rumsnummer rumsnr lejlighed lejligheder lejemål værelse værelser
    værelsesnummer værelsesnr rom romnummer leilighet huone huonenumero asunto
    oda odano odanumarası odalar daire daireno pokój pokoje numerpokoju nrpokoju lokal lokale mieszkanie nrmieszkania
    pokoj číslopokoje byt čísloбytu číslobytu szoba szobaszám lakás apartament numărcameră
    номерквартиры квартира квартиры номеркомнаты комната комнаты номер номера кімната
    δωμάτιο δωμάτια αριθμόςδωματίου διαμέρισμα
    رقمالغرفة الغرفة غرفة الغرف رقمالوحدة الوحدة رقمالشقة الشقة שקה חדר חדרים מספרחדר דירה מספרדירה
    部屋番号 号室 部屋 部屋番 室番号 客室 客室番号 お部屋 房号 房间号 房间 客房 房號 房間 房間號 室号
    객실 객실번호 호실 방 방번호 호수`),
  /** Part of the room number where numbers repeat. */
  building: words(`
    building buildings bldg buildingname buildingno buildingid block tower wing haus gebäude bâtiment bât immeuble edificio
    edifício prédio bloco torre palazzina gebouw byggnad hus bygning rakennus budynek budova bina blok épület clădire
    здание корпус дом будівля κτίριο المبنى مبنى בניין מבנה 棟 建物 館 楼 楼栋 楼号 栋 大楼 樓 건물 동`),
  last_name: words(`
    namelast namefamily
    lastname surname familyname guestlastname nachname familienname zuname nom nomdefamille apellido apellidos cognome
    achternaam efternamn efternavn etternavn sukunimi nazwisko příjmení vezetéknév nume sobrenome apelido soyadı soyad soyisim
    фамилия прізвище επώνυμο επίθετο اسمالعائلة الكنية اللقب שםמשפחה 姓 苗字 성`),
  first_name: words(`
    namefirst namegiven
    firstname firstnames givenname forename guestfirstname vorname vornamen prénom prénoms nombre nombres nome voornaam
    förnamn fornavn etunimi imię jméno keresztnév utónév prenume ad adı isim имя ім'я όνομα الاسمالأول שםפרטי 名 이름`),
  name: words(`
    name fullname guestname residentname tenantname occupantname primaryresident leaseholder accountname displayname contactname
    studentname customername membername guest guests resident residents tenant tenants occupant occupants student students lessee
    mietername mieter bewohner bewohnername gastname gast gäste gästename kunde locataire locataires nomdulocataire résident
    résidents client clients nomduclient occupante inquilino inquilinos residente residentes huésped huéspedes cliente
    hóspede hóspedes morador moradores ospite ospiti inquilini nominativo residenti huurder huurders gasten bewoner bewoners
    hyresgäst hyresgäster gäst gæst gæster gjest gjester lejer lejere beboer beboere vieras asukas
    kiracı misafir misafirler konuk najemca najemcy gość goście lokator lokatorzy host hosté nájemník nájemce vendég bérlő oaspete
    chiriaș
    nom nome nombre namn navn naam nimi jméno név nume ad isim adsoyad adısoyadı όνομα
    гость гости жилец жильцы арендатор постоялец гість мешканець имя
    ένοικος επισκέπτης πελάτης
    الاسم الاسمالكامل اسمالنزيل النزيل النزلاء المستأجر الضيف الساكن שם שםמלא אורח דייר שוכר
    入居者 入居者名 宿泊者 宿泊者名 名前 お名前 契約者 租客 住户 客人 名字 入住人 住客 이름 투숙객 고객명 입주자`),
  /** Full names with the last name first. */
  last_name_first: words(`
    namevorname nachnamevorname lastnamefirstname lastnamefirst surnamefirstname namelastfirst guestnamelastfirst
    nometprénom nomprénom nomprénoms cognomeenome cognomenome apellidosynombre
    apellidosynombres apellidosnombre nazwiskoiimię příjmeníajméno фио фамилияимя фамилияимяотчество піб ονοματεπώνυμο
    氏名 姓名 ご氏名 성명`),
  email: words(`
    nameemail
    email emails emailaddress emailaddresses mail mailaddress emailid guestemail residentemail tenantemail contactemail
    emailadresse mailadresse courriel courriels adressemail adresseemail adressecourriel mél correo correos correoelectrónico
    emailindirizzo indirizzoemail postaelettronica emailadres endereçodeemail epost epostadress epostadresse
    sähköposti adresemail adrespocztowy posta eposta epostaadresi емейл почта электроннаяпочта эл.почта адресэл.почты
    електроннапошта ηλεκτρονικόταχυδρομείο البريدالالكتروني البريد ايميل דואל דואראלקטרוני מייל メール メールアドレス eメール
    邮箱 电子邮件 电子邮箱 郵箱 電子郵件 이메일 메일`),
  mobile_number: words(`
    mobilenumber mobile mobileno mobiles mobilephone cell cellphone cellular handy handynummer mobil mobilnummer mobiltelefon
    portable móvil celular telemóvel cellulare gsm komórka мобильный 携帯 携帯電話 手机 手机号 手機 휴대폰 휴대전화
    phonenumber phonenumbers phone phones homephone workphone dayphone eveningphone primaryphone residentphone tenantphone guestphone
    phoneno telephonenumber telephone telephone1 tel telno contactnumber contactno telefon
    telefonnummer telefonnr rufnummer téléphone téléphones numérodetéléphone teléfono teléfonos telefono telefoni telefone
    telefones telefoonnummer telefoon telefoonnr puhelin puhelinnumero numertelefonu nrtelefonu telefonní telefonszám telefonno
    телефон телефоны номертелефона τηλέφωνο κινητό الهاتف رقمالهاتف الجوال رقمالجوال טלפון נייד 電話番号 電話 tel番号 电话 电话号码
    联系电话 電話號碼 전화번호 전화 연락처`),
  external_reference: words(`
    externalreference externalref externalid reservation reservationnumber reservationno confirmation confirmationnumber
    confirmationno confno booking bookingreference bookingno bookingid residentid tenantid tenantcode residentcode studentid
    reference ref reservierung reservierungsnummer buchung buchungsnummer réservation numéroderéservation reserva prenotazione
    reservering bokning reservation rezervasyon rezerwacja бронь номерброни 予約番号 预订号 订单号 예약번호`),
  arrives_on: words(`
    arrival arrivals arrivaldate arriveson arrives arrive checkin checkindate movein moveindate moveindates occupiedfrom
    anreise anreisedatum ankunft einzug einzugsdatum arrivée datedarrivée entrée datedentrée emménagement llegada
    fechadellegada entrada fechadeentrada ingreso chegada datadeentrada arrivo datadiarrivo ingresso entrata datadiingresso
    aankomst aankomstdatum intrek ankomst ankomstdatum inflyttning inflyttningsdatum indflytning indflytningsdato ankomstdato
    innflytting saapuminen tulopäivä giriş giriştarihi przyjazd dataprzyjazdu zameldowanie wprowadzenie příjezd nástup
    érkezés sosire заезд датазаезда заселение въезд датаприезда заїзд άφιξη تاريخالوصول الوصول تاريخالدخول תאריךכניסה כניסה הגעה
    入居日 チェックイン 到着日 入住日期 入住 入住时间 到达日期 입주일 체크인 입실일`),
  departs_on: words(`
    departure departures departuredate departson departs depart checkout checkoutdate moveout moveoutdate occupieduntil
    abreise abreisedatum auszug auszugsdatum départ datededépart sortie datedesortie salida fechadesalida egreso
    saída datadesaída partenza datadipartenza uscita datadiuscita vertrek vertrekdatum uittrek avresa avresedatum utflyttning
    utflyttningsdatum afrejse afrejsedato fraflytning udflytning avreise avreisedato lähtö lähtöpäivä
    çıkış çıkıştarihi wyjazd datawyjazdu wymeldowanie odjezd távozás plecare выезд датавыезда выселение датаотъезда виїзд αναχώρηση
    تاريخالمغادرة المغادرة תאריךיציאה יציאה עזיבה 退去日 チェックアウト 出発日 退房日期 退房 退房时间 离店日期 퇴실일 체크아웃 퇴거일`),
  /** The dates of a lease, which count as a stay for students only. */
  lease_from: words(`
    leasestart leasestartdate leasefrom leasebegin leasebegindate tenancystart tenancystartdate contractstart contractstartdate
    contractfrom termstart mietbeginn vertragsbeginn mietvertragvon débutdubail débutbail iniciodecontrato iniciocontrato iníciodocontrato
    iniziocontratto ingangsdatum startcontract kontraktsstart lejestart początekumowy začátek началодоговора`),
  lease_to: words(`
    leaseend leaseenddate leaseto leaseexpiration leaseexpiry tenancyend tenancyenddate contractend contractenddate contractto
    termend mietende vertragsende mietvertragbis findubail finbail findecontrato fincontrato fimdocontrato finecontratto
    einddatum eindecontract kontraktsslut lejeslut konecumowy koniecumowy konec конецдоговора окончаниедоговора`),
  status: words(`
    status bookingstatus reservationstatus entrystatus
    residentstatus unitstatus unitleasestatus occupancy occupancystatus leasestatus tenantstatus roomstatus
    state stat zustand belegung statut état estado stato situação staat tila stan stav durum статус состояние κατάσταση الحالة סטטוס מצב
    状態 状況 状态 狀態 상태`),
  role: words(`role relationship residenttype tenanttype occupanttype type rolle rôle rol ruolo roll роль`),
} as const
export type Heading = keyof typeof headingWords

/** Headings of values that are not stored: together with one of these, `unit` is not a room. */
const others = new Set(
  words(`
    rent rate charge charges price amount deposit balance total sqft sqm m2 area size type floor floors beds bath baths bedrooms
    miete kaution fläche größe typ etage loyer caution surface prix renta precio superficie affitto prezzo canone huur prijs
    hyra pris leje czynsz cena kira fiyat аренда цена площадь rentperunit 賃料 家賃 租金 价格`),
)

/** `Zimmer / Room (Unit)`, `房号 Room`: each part is the heading in one language. */
function partsOf(heading: string): { parts: string[]; bracketed: boolean } {
  const bracketed = /[([（]/.test(heading)
  const parts = heading
    // A change of script is a change of language.
    .replace(
      /(?<=[^\p{Script=Latin}\P{L}])\s*(?=\p{Script=Latin})|(?<=\p{Script=Latin})\s*(?=[^\p{Script=Latin}\P{L}])/gu,
      '/',
    )
    .split(/[/|()[\]（）\n\r,;:–—]|\s-\s/)
    .map(bare)
    .filter((part) => part !== '')
  return { parts, bracketed }
}

/** The meanings of each word, with its rank in the list of that meaning. */
export type Meanings<K> = ReadonlyMap<string, ReadonlyMap<K, number>>

export function meaningsIn<K extends string>(lists: Readonly<Record<K, readonly string[]>>): Meanings<K> {
  const found = new Map<string, Map<K, number>>()
  for (const kind of keysOf(lists))
    for (const [rank, word] of lists[kind].entries()) {
      const meanings = found.get(word) ?? new Map<K, number>()
      if (!meanings.has(kind)) found.set(word, meanings.set(kind, rank))
    }
  return found
}

const roomWords = new Set<string>(headingWords.number)

/** Also matches plurals and words with a number after them: `Rooms`, `Tenant 1`. But `Room 1` is a room. */
function meaningOf<K>(known: Meanings<K>, word: string): ReadonlyMap<K, number> | undefined {
  const plain = word.replace(/\d$/, '')
  return (
    known.get(word) ??
    (plain === '' || roomWords.has(plain) ? undefined : known.get(plain)) ??
    (plain.length > 3 && /[a-z]s$/.test(plain) ? known.get(plain.slice(0, -1)) : undefined)
  )
}

/** Longer texts are not headings. */
const heading_length_max = 80

/** The meanings of a heading, with the rank of its word. If it has parts, the meaning that all known parts have in common. */
function meaningsOf<K>(known: Meanings<K>, heading: string): ReadonlyMap<K, number> {
  const nothing = new Map<K, number>()
  if (heading.length > heading_length_max) return nothing
  const whole = meaningOf(known, bare(heading))
  if (whole) return whole
  const { parts, bracketed } = partsOf(heading)
  if (parts.length < 2 || parts.some((part) => others.has(part))) return nothing
  const each = parts.map((part) => meaningOf(known, part))
  // Text in brackets explains the text before them.
  if (bracketed && !each[0]) return nothing
  const meant = each.filter((part) => part !== undefined)
  const [first] = meant
  if (!first) return nothing
  const common = [...first].filter(([kind]) => meant.every((part) => part.has(kind)))
  return new Map(common.map(([kind, rank]) => [kind, rank + 1000]))
}

/**
 * The columns of each kind, the best first. Each column may have several texts as its heading.
 * `Nom` is the whole name, or the last name if there is a column for the first one.
 */
export function columnsMeant<K>(known: Meanings<K>, headings: readonly (readonly string[])[]): Map<K, number[]> {
  const found = new Map<K, { at: number; rank: number }[]>()
  for (const [at, texts] of headings.entries())
    for (const text of texts) {
      if (text === '') continue
      const meanings = meaningsOf(known, text)
      for (const [kind, rank] of meanings) {
        const columns = found.get(kind) ?? []
        if (!columns.some((column) => column.at === at)) found.set(kind, [...columns, { at, rank }])
      }
      if (meanings.size > 0) break
    }
  return new Map(
    [...found].map(([kind, columns]) => [
      kind,
      columns.toSorted((one, other) => one.rank - other.rank || one.at - other.at).map(({ at }) => at),
    ]),
  )
}

/** Resolves the columns of names: each column has one meaning, and parts of a name are used only if both are there. */
export function ofNames<K extends string>(columns: Map<K, number[]>, name: K, last: K, first: K): Map<K, number[]> {
  const at = new Map(columns)
  const shared = (one: readonly number[], others: readonly number[]) => one.filter((column) => !others.includes(column))
  const [names, lasts, firsts] = [at.get(name) ?? [], at.get(last) ?? [], at.get(first) ?? []]
  // `Nombre` and `Apellidos`, `Nom` and `Prénom`: an ambiguous heading is the other part.
  const onlyLast = shared(lasts, firsts)
  const onlyFirst = shared(firsts, lasts)
  const [lastAt] = onlyLast.length > 0 ? onlyLast : lasts
  const [firstAt] = onlyFirst.filter((column) => column !== lastAt).concat(firsts.filter((column) => column !== lastAt))
  const set = (kind: K, found: readonly (number | undefined)[]) => {
    const known = found.filter((column) => column !== undefined)
    if (known.length > 0) at.set(kind, known)
    else at.delete(kind)
  }
  const isWhole = (column: number | undefined) => column !== undefined && names.includes(column)
  if (lastAt !== undefined && firstAt !== undefined) {
    set(last, [lastAt])
    set(first, [firstAt])
    set(name, shared(names, [lastAt, firstAt]))
  } else {
    set(last, isWhole(lastAt) ? [] : [lastAt])
    set(first, isWhole(firstAt) ? [] : [firstAt])
  }
  return at
}
