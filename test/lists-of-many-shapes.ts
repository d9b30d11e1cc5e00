// Lists of many shapes: invented rooms and people in the formats of desks and property systems, in many languages, and what a careful
// reader makes of each: the rooms with their people, their addresses and numbers, and the rows that need a question.

import type { OrderOfDays } from '#contract/imports.ts'

export interface ListOfShape {
  what: string
  /** The encoding of the file; by default UTF-8. */
  encoding?: string
  lines: string[]
  /** `101: Ada Keller, Ben Ode`, in the order of the file. */
  rooms: string[]
  /** Addresses and numbers, by person, if there are any. */
  contacts?: Record<string, string>
  /** The rows reported as problems, and the rows with a cell left out. */
  bad?: number[]
  left_out?: number[]
  leases?: boolean
  /** As usual in the property's country; by default nobody has said. */
  day_order?: OrderOfDays
}

export const listsOfManyShapes: ListOfShape[] = [
  {
    what: 'English: a rent roll with titles, a total, and a floor-plan summary below',
    lines: [
      'Rent Roll,,,,',
      'Harbour House as of 11/25/2026,,,,',
      '',
      'Unit,Resident,Status,Move-In,Phone',
      '101,"Keller, Ada",Current,11/20/24,555-123-4567 x12',
      '102,VACANT,Vacant,,',
      '103,"Ode, Ben",Notice,01/02/25,N/A',
      'Total,3,,,',
      '',
      'Floorplan,Units,Occupied,Vacant,Share',
      '1BR,2,1,1,50%',
      'Studio,1,1,0,100%',
      'Page 1 of 1,,,,',
    ],
    rooms: ['101: Ada Keller', '102', '103: Ben Ode'],
    contacts: { 'Ada Keller': '555-123-4567' },
    left_out: [5],
  },
  {
    what: 'English: two buildings that number their flats alike, in a column',
    lines: [
      'Building,Unit,Tenant,E-mail',
      'East,101,Ann Lee,ann@example.com',
      'East,102,,',
      'West,101,Cy Dow,declined',
      'West,103,Dee Fox,Dee Fox <dee@example.com>',
    ],
    rooms: ['East 101: Ann Lee', 'East 102', 'West 101: Cy Dow', 'West 103: Dee Fox'],
    contacts: { 'Ann Lee': 'ann@example.com', 'Dee Fox': 'dee@example.com' },
  },
  {
    what: 'English: buildings as lines between the rooms',
    lines: ['Apartment,Occupant', 'Building A,', '1,Ann Lee', '2,Bob Ray', 'Building B,', '1,Cy Dow', '2,'],
    rooms: ['A 1: Ann Lee', 'A 2: Bob Ray', 'B 1: Cy Dow', 'B 2'],
  },
  {
    what: 'English: a line whose unit is missing, and one whose status nobody knows',
    lines: [
      'Unit,Name,Status,Rent',
      '101,Ann Lee,Current,900',
      ',Bob Ray,Current,850',
      '103,Cy Dow,Perhaps,800',
      '104,Dee Fox,Current,820',
    ],
    rooms: ['101: Ann Lee', '103', '104: Dee Fox'],
    bad: [3, 4],
  },
  {
    what: 'English: a student home, whose leases are stays',
    leases: true,
    lines: [
      'Bedspace,Student Name,Lease Start,Lease End,Email Address',
      'A1-1,Ada Keller,01-Sep-2026,31-Jul-2027,ada@example.com; ada@home.example',
      'A1-2,Ben Ode,01-Sep-2025,31-Jul-2026,ben@example.com',
      'A1-3,Cid Ray,01-Feb-2028,31-Jul-2028,cid@example.com',
    ],
    rooms: ['A1-1: Ada Keller', 'A1-2', 'A1-3'],
    contacts: { 'Ada Keller': 'ada@example.com' },
    left_out: [2],
  },
  {
    what: 'English: tenants in columns of their own',
    lines: [
      'Flat,Tenant 1,Tenant 2,Mobile,Home phone',
      '1,Ann Lee,Bob Lee,07700 900123,',
      '2,Cy Dow,,none,020 7946 0000',
    ],
    rooms: ['1: Ann Lee, Bob Lee', '2: Cy Dow'],
    contacts: { 'Ann Lee': '07700 900123', 'Cy Dow': '020 7946 0000' },
  },
  {
    what: 'German, Windows-1252: what is occupied is counted below',
    encoding: 'windows-1252',
    lines: [
      'Zimmerbelegung Gästehaus Sonne;;;',
      'Stand: 25.11.2026;;;',
      'Zimmer-Nr.;Gäste;Anreise;Telefon',
      '101;Müller, Jürgen;20.11.24;0171 3920010',
      '102;frei;;',
      '103;Anna Groß und Peter Groß;1.2.25;Tel.: 030 123456 (Büro)',
      'Belegt: 2;;;',
      'Frei: 1;;;',
    ],
    rooms: ['101: Jürgen Müller', '102', '103: Anna Groß, Peter Groß'],
    contacts: { 'Jürgen Müller': '0171 3920010', 'Anna Groß': '030 123456' },
  },
  {
    what: 'German, Mac Roman: last and first names',
    encoding: 'macintosh',
    lines: ['Wohnung;Nachname;Vorname;E-Mail', '1a;Müller;Zoë;zoe@müller.example', '1b;Böhm;Jörg;keine'],
    rooms: ['1a: Zoë Müller', '1b: Jörg Böhm'],
    contacts: { 'Zoë Müller': 'zoe@xn--mller-kva.example' },
  },
  {
    what: 'German and English in one cell',
    lines: [
      'Zimmer / Room;Name (Gast);Abreise / Departure;E-Mail / Email',
      '7;Ada Keller;31.12.2027;ada@example.com',
      '8;Ben Ode;unbefristet;unbekannt',
    ],
    rooms: ['7: Ada Keller', '8: Ben Ode'],
    contacts: { 'Ada Keller': 'ada@example.com' },
  },
  {
    what: 'French, Windows-1252: last name and first name in two columns',
    encoding: 'windows-1252',
    lines: [
      'Liste des résidents;;;;',
      'N° logement;Nom;Prénom;Date d’entrée;Courriel',
      '001;Lefèvre;Léa;13/03/2019;lea@example.com',
      '002;Gauthier;François;01/04/2020;non communiqué',
      '003;libre;;;',
      'Total : 3;;;;',
    ],
    rooms: ['001: Léa Lefèvre', '002: François Gauthier', '003'],
    contacts: { 'Léa Lefèvre': 'lea@example.com' },
  },
  {
    what: 'French: months by name, a date that may be either',
    lines: [
      'Chambre;Locataire;Arrivée;Départ',
      '1;Zoé Petit;1er janvier 2025;31 déc. 2027',
      '2;Luc Roux;03/04/2024;',
      '3;Ana Blanc;05/06/2024;',
    ],
    day_order: 'day_first',
    rooms: ['1: Zoé Petit', '2: Luc Roux', '3: Ana Blanc'],
  },
  {
    what: 'Spanish: names and family names',
    encoding: 'windows-1252',
    lines: [
      'Habitación;Nombre;Apellidos;Teléfono;Correo electrónico',
      '101;Lucía;Núñez Peña;612 345 678;lucia@example.com',
      '102;José;García;sin teléfono;no tiene',
      '103;;;;',
    ],
    rooms: ['101: Lucía Núñez Peña', '102: José García', '103'],
    contacts: { 'Lucía Núñez Peña': '612 345 678 lucia@example.com' },
  },
  {
    what: 'Italian: guests of a hotel, and their sum',
    lines: [
      'Camera;Ospite;Arrivo;Partenza;Cellulare',
      '12;Rossi Maria;20/11/2026;28/12/2027;+39 333 1234567',
      '14;Bianchi Ugo;21/11/2026;29/12/2027;nessuno',
      'Totale camere: 2;;;;',
    ],
    rooms: ['12: Rossi Maria', '14: Bianchi Ugo'],
    contacts: { 'Rossi Maria': '+39 333 1234567' },
  },
  {
    what: 'Portuguese: blocks and apartments',
    lines: ['Bloco;Apto;Morador;Telemóvel', 'A;11;João Gonçalves;912 345 678', 'B;11;Inês Simões;', 'B;12;vago;'],
    rooms: ['A 11: João Gonçalves', 'B 11: Inês Simões', 'B 12'],
    contacts: { 'João Gonçalves': '912 345 678' },
  },
  {
    what: 'Dutch: particles, and a number that a program has made a date',
    lines: [
      'Kamernummer,Huurder,E-mailadres',
      '1,Jan van der Berg,jan@example.com',
      '2026-01-02,Eva de Wit,eva@example.com',
    ],
    rooms: ['1: Jan van der Berg'],
    contacts: { 'Jan van der Berg': 'jan@example.com' },
    bad: [3],
  },
  {
    what: 'Swedish: several people to a flat, in lines of their own',
    lines: [
      'Lägenhet;Hyresgäst;Inflyttning;Telefon',
      '1101;Åsa Öberg;2020-05-01;070-123 45 67',
      ';Per Öberg;;',
      '1102;Ida Ek;2021-01-01;',
    ],
    rooms: ['1101: Åsa Öberg, Per Öberg', '1102: Ida Ek'],
    contacts: { 'Åsa Öberg': '070-123 45 67' },
  },
  {
    what: 'Danish, Windows-1252: a separator that the first line names, in quotes',
    encoding: 'windows-1252',
    lines: ['"sep=;"', 'Værelse;Gæst;Afrejse', '1;Søren Kjær;31-12-2027', '2;ledig;'],
    rooms: ['1: Søren Kjær', '2'],
  },
  {
    what: 'Polish, Windows-1250',
    encoding: 'windows-1250',
    lines: [
      'Nr pokoju;Gość;Data przyjazdu;Telefon',
      '1;Łukasz Żółć;20.11.2024;600 100 200 / 600 100 201',
      '2;Świętosława Gąsior;21.11.2024;brak',
      'Razem: 2;;;',
    ],
    rooms: ['1: Łukasz Żółć', '2: Świętosława Gąsior'],
    contacts: { 'Łukasz Żółć': '600 100 200' },
    left_out: [2],
  },
  {
    what: 'Czech, Windows-1250: parts of names',
    encoding: 'windows-1250',
    lines: ['Pokoj;Jméno;Příjmení;E-mail', '11;Jiří;Dvořák;jiri@example.com', '12;Markéta;Svobodová;neuvedeno'],
    rooms: ['11: Jiří Dvořák', '12: Markéta Svobodová'],
    contacts: { 'Jiří Dvořák': 'jiri@example.com' },
  },
  {
    what: 'Turkish, Windows-1254',
    encoding: 'windows-1254',
    lines: [
      'Oda No;Misafir;Giriş Tarihi;Telefon',
      '201;Ayşe Yılmaz;20.11.2024;0532 123 45 67',
      '202;Gülşen Doğan;21.11.2024;yok',
      '203;boş;;',
    ],
    rooms: ['201: Ayşe Yılmaz', '202: Gülşen Doğan', '203'],
    contacts: { 'Ayşe Yılmaz': '0532 123 45 67' },
  },
  {
    what: 'Russian, Windows-1251: last names first, pages that are counted',
    encoding: 'windows-1251',
    lines: [
      'Список жильцов;;;',
      'Квартира №;ФИО;Телефон;Заезд',
      '1;Иванов Пётр Ильич;+7 912 345-67-89;31 декабря 2024 г.',
      '2;Смирнова Ольга;не указан;15.03.2024',
      'Страница 1;;;',
      '3;свободна;;',
      'Итого: 3;;;',
    ],
    rooms: ['1: Пётр Ильич Иванов', '2: Ольга Смирнова', '3'],
    contacts: { 'Пётр Ильич Иванов': '+7 912 345-67-89' },
  },
  {
    what: 'Greek, Windows-1253',
    encoding: 'windows-1253',
    lines: [
      'Δωμάτιο;Πελάτης;Άφιξη;Email',
      '5;Γιώργος Παπαδόπουλος;20/11/2024;g@example.com',
      '6;Ελένη Κώστα;13/12/2024;',
    ],
    rooms: ['5: Γιώργος Παπαδόπουλος', '6: Ελένη Κώστα'],
    contacts: { 'Γιώργος Παπαδόπουλος': 'g@example.com' },
  },
  {
    what: 'Arabic, Windows-1256: headings in two languages, a vacant room',
    encoding: 'windows-1256',
    lines: ['رقم الغرفة Room No;اسم النزيل;الهاتف', '101;ليلى حداد;0501234567', '102;شاغرة;', '103;محمد ناصر;لا يوجد'],
    rooms: ['101: ليلى حداد', '102', '103: محمد ناصر'],
    contacts: { 'ليلى حداد': '0501234567' },
  },
  {
    what: 'Hebrew, Windows-1255',
    encoding: 'windows-1255',
    lines: ['מספר חדר,שם מלא,טלפון', '1,דוד כהן,050-1234567', '2,שרה לוי,אין'],
    rooms: ['1: דוד כהן', '2: שרה לוי'],
    contacts: { 'דוד כהן': '050-1234567' },
  },
  {
    what: 'Japanese, Shift_JIS: days as they are written there',
    encoding: 'shift_jis',
    lines: [
      '入居者一覧,,,',
      '部屋番号,氏名,電話番号,入居日',
      '101,田中 太郎,090-1234-5678,2024年11月20日',
      '102,空室,,',
      '103,鈴木 花子,なし,2025年1月5日',
      '合計,2名,,',
    ],
    rooms: ['101: 太郎 田中', '102', '103: 花子 鈴木'],
    contacts: { '太郎 田中': '090-1234-5678' },
  },
  {
    what: 'Chinese, GBK',
    encoding: 'gbk',
    lines: ['房号,住客,手机,入住日期', '8801,王小明,13800138000,2024/11/20', '8802,空房,,', '8803,李雷,无,2025/1/5'],
    rooms: ['8801: 王小明', '8802', '8803: 李雷'],
    contacts: { 王小明: '13800138000' },
  },
  {
    what: 'Chinese of Taiwan, Big5',
    encoding: 'big5',
    lines: ['房號,姓名,電話', '201,王小明,0912345678', '202,李美麗,'],
    rooms: ['201: 王小明', '202: 李美麗'],
    contacts: { 王小明: '0912345678' },
  },
  {
    what: 'Korean, EUC-KR',
    encoding: 'euc-kr',
    lines: [
      '객실,이름,연락처,체크인',
      '501,김민수,010-1234-5678,2024년 11월 20일',
      '502,공실,,',
      '503,이영희,없음,2025-01-05',
    ],
    rooms: ['501: 김민수', '502', '503: 이영희'],
    contacts: { 김민수: '010-1234-5678' },
  },
  {
    what: 'English: no list of rooms but a word alone: asked, not stored',
    lines: ['Room,Guest', 'Apartment,Ada Keller', '12,Ben Ode', '1.2E+05,Cid Ray'],
    rooms: ['12: Ben Ode'],
    bad: [2, 4],
  },
  {
    what: 'English: arrivals as a front desk prints them, headings on each page',
    lines: [
      'In-house report,,,,',
      'Printed 25/11/2026 08:00 by Front Desk,,,,',
      'Room No.,Guest Name,Arr. ,Departure Date,Conf. No.',
      '204,Mr. John Smith,13.NOV.26,28.DEC.99,C-1',
      'Page 1,,,,',
      'Room No.,Guest Name,Arr. ,Departure Date,Conf. No.',
      '205,"Smith, Jane & Tom",14.NOV.26,28.DEC.2027,C-2',
      'Rooms occupied: 2,,,,',
    ],
    rooms: ['204', '205: Jane Smith, Tom Smith'],
    left_out: [4],
  },
  {
    what: 'English: guests in house, with accounts of the house that stand as rooms, and sums',
    lines: [
      'Room,Room Type,Guest Name,Arrival,Departure,Status',
      '101,KING,"Smith, John",11/24/26,11/29/26,Checked In',
      '102,QUEEN,"Doe, Jane",11/25/26,11/28/26,Due Out',
      '9001,PM,Group Ledger,11/01/26,12/31/26,Checked In',
      '3,STD,Posting Master,11/01/26,12/31/26,Checked In',
      '4,STD,Banquets House Account,11/01/26,12/31/26,Checked In',
      'Total Rooms,2,,,,',
    ],
    rooms: ['101: John Smith', '102: Jane Doe'],
  },
  {
    what: 'English: stores, a boiler, an office and a note between the flats',
    lines: [
      'Unit,Description,Resident',
      '1A,1 bed,Ann Lee',
      '1B,1 bed,',
      'Store 1,Storage,',
      'Boiler Room,,',
      'Parking 12,,Ann Lee',
      'Office,Management office,',
      'Model,Model unit,',
      'Note: keys at the office,,',
      '2A,1 bed,Office Manager Bob Ray',
    ],
    rooms: ['1A: Ann Lee', '1B', '2A: Office Manager Bob Ray'],
  },
  {
    what: 'German: a store, the heating and the caretaker between the rooms',
    lines: ['Zimmer;Gast', '101;Huber, Anna', '102;', 'Lager;', 'Heizungskeller;', 'Hausmeister;', 'Gesamt: 2 Zimmer;'],
    rooms: ['101: Anna Huber', '102'],
  },
  {
    what: 'English: two rooms in a cell, empty or let',
    lines: ['Room,Guest', '"101, 102",', '103 & 104,Ben Ode', '105/106,Cid Ray', '"Block 2, 14",Dee Fox'],
    rooms: ['101', '102', '103: Ben Ode', '104: Ben Ode', '105/106: Cid Ray', 'Block 2, 14: Dee Fox'],
    bad: [3],
  },
  {
    what: 'Arabic and English in headings and states',
    lines: [
      'الغرفة Room,اسم النزيل Guest name,الحالة Status',
      '101,أحمد علي,Occupied / مشغول',
      '102,,Vacant / شاغر',
      '103,Sara Haddad,مشغول / Occupied',
    ],
    rooms: ['101: أحمد علي', '102', '103: Sara Haddad'],
  },
  {
    what: 'German: who arrives and leaves today',
    lines: [
      'Zimmer;Gast;Status',
      '101;Huber, Anna;Anreise heute',
      '102;Meier, Karl;Belegt',
      '103;;Frei',
      '104;Wolf, Eva;Abreise heute',
    ],
    rooms: ['101', '102: Karl Meier', '103', '104: Eva Wolf'],
  },
  {
    what: 'English: an export of reservations, as Cloudbeds makes it',
    lines: [
      'Reservation Number,Name,Email,Check in Date,Check out Date,Room Number,Status',
      'R1,Ann Lee,ann@example.com,2026-11-20,2026-11-30,101,Checked In',
      'R2,Bob Ray,bob@example.com,2026-11-20,2026-11-30,102,Cancelled',
      'R3,Cy Dow,cy@example.com,2026-11-10,2026-11-24,103,Checked Out',
      'R4,Dee Fox,dee@example.com,2026-11-24,2026-11-28,104,No Show',
      'R5,Eva Hay,eva@example.com,2026-12-24,2026-12-28,105,Confirmed',
    ],
    rooms: ['101: Ann Lee', '102', '103', '104', '105'],
    contacts: { 'Ann Lee': 'ann@example.com' },
  },
  {
    what: 'English: an export of reservations, as Mews makes it',
    lines: [
      'Number,Status,Space,Space category,First name,Last name,Arrival,Departure,Email',
      '77,Checked in,101,Double,Ann,Lee,25/11/2026 15:00,28/11/2026 11:00,ann@example.com',
      '78,Canceled,102,Double,Bob,Ray,25/11/2026 15:00,28/11/2026 11:00,bob@example.com',
    ],
    rooms: ['101: Ann Lee', '102'],
    contacts: { 'Ann Lee': 'ann@example.com' },
  },
  {
    what: 'English: beds of a student home, as StarRez names its columns',
    lines: [
      'Room Location - Area,Room Space - Description,Name First,Name Last,Name Email,Booking Status,Check In Date,Check Out Date',
      'Harbour Hall,HH-101-A,Ann,Lee,ann@example.com,In Room,12/09/2026,25/06/2027',
      'Harbour Hall,HH-101-B,,,,,,',
      'Harbour Hall,HH-102-A,Bob,Ray,bob@example.com,In Room,12/09/2026,25/06/2027',
    ],
    rooms: ['HH-101-A: Ann Lee', 'HH-101-B', 'HH-102-A: Bob Ray'],
    contacts: { 'Ann Lee': 'ann@example.com', 'Bob Ray': 'bob@example.com' },
    leases: true,
  },
  {
    what: 'English: a unit that stands twice, with its next resident and with the same one',
    lines: [
      'Unit,Resident,Status,Move-In',
      '101,"Keller, Ada",Current,01/20/25',
      '101,"Ode, Ben",Applicant,12/15/26',
      '102,"Ray, Cid",Current,01/20/25',
      '102,"Ray, Cid",Current,01/20/25',
    ],
    rooms: ['101: Ada Keller', '102: Cid Ray'],
    leases: true,
  },
  {
    what: 'Portuguese, code page 850: a program of the time before Windows',
    encoding: 'cp850',
    lines: ['Quarto;Hóspede;Situação', '1;João Conceição;Ocupado', '2;;Vago', '3;Inês Guimarães;Ocupado'],
    rooms: ['1: João Conceição', '2', '3: Inês Guimarães'],
  },
  {
    what: 'Polish, code page 852',
    encoding: 'cp852',
    lines: ['Pokój;Gość', '1;Łukasz Wójcik', '2;Zażółć Gęślą', '3;'],
    rooms: ['1: Łukasz Wójcik', '2: Zażółć Gęślą', '3'],
  },
]
