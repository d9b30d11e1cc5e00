// The demo's operator: an invented company with its groups and places. The towns are real, the company and its properties are not.

import type { Input } from '#contract/endpoint.ts'
import type { create } from '#contract/scheduled-reports.ts'

export const operator = {
  company_name: 'Harbour & Vale Hospitality',
  name: 'Nora Whitcombe',
  email: 'nora@harbourvale.example',
}

export const groups = [
  { name: 'Harbour Hotels', contact_email: 'hotels@harbourvale.example' },
  { name: 'Vale Student Living', contact_email: 'students@harbourvale.example' },
  { name: 'Coast Holiday Parks', contact_email: 'parks@harbourvale.example' },
] as const

/** `type` and `link` are ids of property and connectivity types; `units` are rooms, flats or pitches. */
interface Place {
  name: string
  group: 0 | 1 | 2
  city: string
  address: string
  postal_code: string
  type: number
  link: number
  units: number
  draft?: boolean
  active?: boolean
  country?: 'CA'
  time_zone?: string
}
const place = (
  name: string,
  group: Place['group'],
  city: string,
  address: string,
  postal_code: string,
  type: number,
  link: number,
  units: number,
  more: Pick<Place, 'draft' | 'active' | 'country' | 'time_zone'> = {},
): Place => ({ name, group, city, address, postal_code, type, link, units, ...more })

export const places: Place[] = [
  place('The Lantern Hotel', 0, 'Bristol', '14 Narrow Quay', 'BS1 4QA', 1, 1, 118),
  place('Quayside House', 0, 'Newcastle upon Tyne', '3 Sandhill', 'NE1 3AF', 1, 1, 86),
  place('The Old Customs House', 0, 'Liverpool', '22 Canning Place', 'L1 8HY', 1, 2, 142),
  place('Beacon Point Hotel', 0, 'Plymouth', '1 Hoe Road', 'PL1 2PA', 1, 1, 74),
  place('The Merchant Rooms', 0, 'Edinburgh', '41 Bernard Street', 'EH6 6SL', 2, 1, 52),
  place('Saltmarsh Inn', 0, 'Norwich', '8 Fishergate', 'NR3 1SE', 1, 3, 31),
  place('The Ropewalk', 0, 'Cardiff', '17 Bute Crescent', 'CF10 5AN', 2, 1, 64),
  place('Pilot Street Hostel', 0, "King's Lynn", '5 Pilot Street', 'PE30 1QL', 3, 3, 24),
  place('Mariners Conference Centre', 0, 'Southampton', '60 Canute Road', 'SO14 3AB', 7, 1, 12),
  place('Beech Court', 1, 'Leeds', '210 Burley Road', 'LS4 2EU', 4, 1, 312),
  place('Alder House', 1, 'Sheffield', '9 Broad Lane', 'S1 4BS', 4, 1, 264),
  place('The Maltings', 1, 'Nottingham', '31 Castle Boulevard', 'NG7 1FN', 4, 1, 228),
  place('Rowan Quarter', 1, 'Manchester', '77 Oxford Road', 'M1 7ED', 4, 1, 406),
  place('Linden Place', 1, 'Birmingham', '12 Lister Street', 'B7 4AA', 4, 2, 188),
  place('Hawthorn Studios', 1, 'York', '4 Lawrence Street', 'YO10 3BN', 4, 3, 96),
  place('Elm Row', 1, 'Glasgow', '150 Castle Street', 'G4 0RX', 4, 1, 174),
  place('Aspen Yard', 1, 'Bath', '2 Lower Bristol Road', 'BA2 1EP', 4, 4, 120, { draft: true }),
  place('Sandy Bay Park', 2, 'Exmouth', 'Sandy Bay', 'EX8 5BU', 6, 6, 240),
  place('Gull Rock Park', 2, 'Newquay', 'Trevemper Road', 'TR8 4NU', 6, 6, 180),
  place('Seven Dunes', 2, 'Skegness', 'Roman Bank', 'PE25 1TA', 6, 9, 320),
  place('Pinewood Shore', 2, 'Formby', 'Lifeboat Road', 'L37 2EB', 6, 7, 96),
  place('Kittiwake Cliffs', 2, 'Whitby', 'Sandsend Road', 'YO21 3SU', 6, 6, 140),
  place('Solway Lodges', 2, 'Silloth', 'Skinburness Drive', 'CA7 4QQ', 6, 8, 60),
  place('Tidewater Meadows', 2, 'Tenby', 'Marsh Road', 'SA70 8EE', 6, 7, 110, { active: false }),
  place('Heron Lakes', 2, 'Burnham-on-Sea', 'Stoddens Road', 'TA8 2NZ', 6, 6, 200, { draft: true }),
  // Overseas, and four hours behind the others.
  place('The Chandlery', 0, 'Halifax', '1740 Lower Water Street', 'B3J 1S5', 1, 1, 68, {
    country: 'CA',
    time_zone: 'America/Halifax',
  }),
]

export const packages = [
  { name: 'Guest Wi-Fi', volume_gb: 0, speed_mbps: 10, max_users: 3, session_time_hrs: 24, idle_timeout_hrs: 4, recurs: 'daily' },
  { name: 'Guest Wi-Fi Plus', volume_gb: 0, speed_mbps: 50, max_users: 5, session_time_hrs: 72, idle_timeout_hrs: 12, recurs: 'none' },
  { name: 'Resident 100', volume_gb: 0, speed_mbps: 100, max_users: 8, session_time_hrs: 0, idle_timeout_hrs: 0, recurs: 'none' },
  { name: 'Resident 250', volume_gb: 0, speed_mbps: 250, max_users: 12, session_time_hrs: 0, idle_timeout_hrs: 0, recurs: 'none' },
  { name: 'Park week pass', volume_gb: 20, speed_mbps: 20, max_users: 4, session_time_hrs: 168, idle_timeout_hrs: 24, recurs: 'none' },
  { name: 'Conference day', volume_gb: 2, speed_mbps: 25, max_users: 1, session_time_hrs: 10, idle_timeout_hrs: 2, recurs: 'none' },
  { name: 'Staff', volume_gb: 0, speed_mbps: 50, max_users: 2, session_time_hrs: 0, idle_timeout_hrs: 0, recurs: 'none' },
] as const // prettier-ignore

/** Further users: where they work, by group or place, and what they may do. */
export const colleagues = [
  { name: 'Tom Ashdown', email: 'tom@harbourvale.example', may: 'editor' },
  { name: 'Priya Nair', email: 'priya@harbourvale.example', may: 'viewer' },
  { name: 'Helen Marsh', email: 'helen@harbourvale.example', may: 'editor', group: 0 },
  { name: 'Owen Griffiths', email: 'owen@harbourvale.example', may: 'editor', group: 1 },
  { name: 'Front desk, The Lantern', email: 'desk.lantern@harbourvale.example', may: 'front desk', place: 0 },
  { name: 'Manager, The Lantern', email: 'manager.lantern@harbourvale.example', may: 'editor', place: 0 },
  { name: 'Night desk, Quayside', email: 'night.quayside@harbourvale.example', may: 'viewer', place: 1 },
] as const

/** Property interfaces: the ids of their types, and their owners. The first is simulated, on a port of its own. */
export const interfaces = [
  { type: 1, name: 'OPERA front office', place: 0, host: '127.0.0.1', port: 5010, sales_outlet: '10', username: 'foyer' },
  { type: 1, name: 'protel front office', place: 1, host: 'protel.quayside.example', port: 5010, sales_outlet: '12', username: 'foyer' },
  { type: 2, name: 'MRI residents', group: 1, host: 'mri.harbourvale.example', port: 443, username: 'HVSL-FOYER' },
  { type: 3, name: 'Mews', group: 2, host: 'api.mews.example', port: 443, username: 'harbour-vale' },
  { type: 5, name: 'Conference bookings', package: 5, host: 'bookings.mariners.example', port: 443 },
  { type: 6, name: 'Nightly file', host: 'files.harbourvale.example', port: 22, active: false },
] as const // prettier-ignore

/** One key of each kind: of the operator, of a group and of a property. */
export const keys = [
  { name: 'Reporting warehouse', permissions: ['read'] },
  { name: 'Student residence app', permissions: ['write:accounts', 'write:devices', 'read:rooms'], group: 1 },
  { name: 'Lantern booking desk', permissions: ['write:room_guests', 'read:rooms'], place: 0 },
] as const

/** The footer branding, drawn for the demo. */
export const footer = {
  url: 'https://www.harbourvale.example',
  drawing: `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="220" viewBox="0 0 1000 220">
    <rect width="1000" height="220" rx="28" fill="#0B4F6C"/><circle cx="124" cy="92" r="46" fill="#F2C14E"/>
    <path d="M40 168c28-26 56-26 84 0s56 26 84 0v52H40z" fill="#3C7A89"/>
    <text x="250" y="138" font-family="DejaVu Sans, sans-serif" font-size="76" fill="#fff">Harbour &amp; Vale</text></svg>`,
} as const

/** Collections of places and of the colleagues who look after them, by index above; `group`: owned by that group. */
export const collections = [
  { name: 'Seaside', places: [3, 17, 18, 19, 20, 21, 22], people: [0, 1] },
  { name: 'Refurbished this year', places: [0, 4, 9, 12], people: [0] },
  { name: 'City hotels', group: 0, places: [0, 1, 2, 6], people: [2, 4] },
  { name: 'Northern halls', group: 1, places: [9, 10, 12, 14], people: [3] },
] as const

/** Teams of colleagues: of the operator, or of a group. */
export const teams = [
  { name: 'Network operations', user_type_id: 2, people: [0] },
  { name: 'Finance', user_type_id: 1, people: [1] },
  { name: 'Hotel managers', group: 0, user_type_id: 2, people: [2] },
] as const

/** Voucher batches: package, place (or none for the whole group), quantity, and the share that was used. */
export const batches = [
  { package: 0, place: 0, quantity: 500, used: 0.42 },
  { package: 1, place: 0, quantity: 120, used: 0.15 },
  { package: 0, place: 1, quantity: 400, used: 0.66 },
  { package: 0, place: 2, quantity: 800, used: 0.31 },
  { package: 5, place: 8, quantity: 250, used: 0.9 },
  { package: 1, place: 4, quantity: 100, used: 0.05 },
  { package: 4, place: 17, quantity: 1000, used: 0.58 },
  { package: 4, place: 18, quantity: 600, used: 0.44 },
  { package: 4, place: 19, quantity: 1500, used: 0.37 },
  { package: 4, group: 2, quantity: 2000, used: 0.12 },
  { package: 0, group: 0, quantity: 1000, used: 0.08 },
  { package: 5, place: 8, quantity: 80, used: 1, expired: true },
] as const

/** The last one is not sent to anybody. */
export const reports: Omit<Input<typeof create>, 'start_date'>[] = [
  {
    name: 'Guests by day, every week',
    kind: 'free_wifi',
    date_range: 'last_week',
    frequency: 3,
    format: 'xlsx',
    recipients: ['priya@harbourvale.example'],
  },
  {
    name: 'Statements for the accountant',
    kind: 'billing',
    date_range: 'last_month',
    frequency: 5,
    format: 'pdf',
    recipients: ['tom@harbourvale.example'],
  },
  { name: 'Who used most this month', kind: 'session', date_range: 'this_month', view_as: 'unique', frequency: 1 },
]
