// Import templates: the files that people start an import from. They show every column, are open to anyone, and can be imported unchanged.
import type { FastifyInstance } from 'fastify'
import type { accountColumns, deviceColumns, roomColumns } from '#contract/imports.ts'

/** -1 stands for what is chosen in the import's form. */
const accounts: Record<(typeof accountColumns)[number], string>[] = [
  {
    name: 'Amelia Hart',
    email: 'amelia.hart@example.com',
    mobile_number: '+44 7700 900123',
    username: 'amelia.hart',
    password: 'quiet-harbour-41',
    package_id: '-1',
    account_type_id: '-1',
    external_reference: '-1',
    room_number: '',
    property_id: '-1',
    active: 'true',
    expires_at: '',
  },
  {
    name: 'Jonas Weber',
    email: 'jonas.weber@example.com',
    mobile_number: '+49 30 901820',
    username: 'jonas.weber',
    password: 'green-window-58',
    package_id: '-1',
    account_type_id: '-1',
    external_reference: 'RES-10482',
    room_number: '',
    property_id: '-1',
    active: 'true',
    expires_at: '2030-12-31',
  },
  {
    name: 'Spring Conference',
    email: '',
    mobile_number: '',
    username: 'spring',
    password: 'open-hall-72',
    package_id: '-1',
    account_type_id: '2',
    external_reference: '-1',
    room_number: '',
    property_id: '-1',
    active: 'true',
    expires_at: '2030-05-16T18:00',
  },
]

const devices: Record<(typeof deviceColumns)[number], string>[] = [
  {
    name: 'Lobby printer',
    mac_address: '00:00:5E:00:53:01',
    external_reference: '-1',
    mac_category_id: '-1',
    package_id: '-1',
    room_number: '',
    property_id: '-1',
    active: 'true',
  },
  {
    name: 'Suite television',
    mac_address: '00:00:5E:00:53:2A',
    external_reference: 'TV-204',
    mac_category_id: '-1',
    package_id: '-1',
    room_number: '',
    property_id: '-1',
    active: 'true',
  },
]

const rooms: Record<(typeof roomColumns)[number], string>[] = [
  {
    room: '101',
    first_name: 'Amelia',
    last_name: 'Hart',
    email: 'amelia.hart@example.com',
    mobile_number: '+44 7700 900123',
    reservation: 'RES-10482',
    arrival: '',
    departure: '2035-02-08',
    status: 'current',
  },
  {
    room: '101',
    first_name: 'Oliver',
    last_name: 'Hart',
    email: '',
    mobile_number: '',
    reservation: 'RES-10482',
    arrival: '',
    departure: '2035-02-08',
    status: 'current',
  },
  {
    room: '102',
    first_name: '',
    last_name: '',
    email: '',
    mobile_number: '',
    reservation: '',
    arrival: '',
    departure: '',
    status: 'vacant',
  },
]

const csv = (rows: Record<string, string>[]) =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')

const files = { accounts, devices, rooms }
export const importTemplates = Object.keys(files)

/** At both addresses: the specification has the first, and the API's base gives the other. */
export function serveImportTemplates(app: FastifyInstance) {
  for (const [name, rows] of Object.entries(files))
    for (const base of ['/files', '/api/v1/files'])
      app.get(`${base}/${name}.csv`, async (_request, reply) =>
        reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${name}.csv"`)
          .header('cache-control', 'public, max-age=3600')
          .send(csv(rows)),
      )
}
