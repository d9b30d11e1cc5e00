// Device import: a second kind of import with the same engine, from its definition alone.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import { openTenancy, type Tenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { deviceImport } from './devices.ts'
import { openImport, type ImportRequest } from './engine.ts'

let foyer: TestFoyer
let editor: Person
let tenancy: Tenancy
const folders: string[] = []
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  tenancy = openTenancy(foyer.database)
})
afterAll(async () => {
  await tenancy.close()
  await foyer.close()
  for (const folder of folders) fs.rmSync(folder, { recursive: true })
})

async function inDatabase(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const admin = await connect(foyer.database.adminUrl)
  try {
    return (await admin.query(sql, values)).rows as Record<string, unknown>[]
  } finally {
    await admin.end()
  }
}
const devicesOf = (property_id: number) =>
  inDatabase(
    `select d.id, d.name, d.mac_address::text, d.external_reference, d.mac_category_id, r.number as room, d.active
     from devices d left join rooms r on r.id = d.room_id where d.property_id = $1 order by d.id`,
    [property_id],
  )

/** As an endpoint would do it. */
async function importDevices(text: string, property_id: number, more: Partial<ImportRequest> = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-devices-'))
  folders.push(folder)
  const file = { name: 'devices.csv', path: path.join(folder, 'file'), byte_size: text.length, sha256: '' }
  fs.writeFileSync(file.path, text)
  const asked: ImportRequest = {
    file,
    sheet: null,
    day_order: null,
    property_id,
    chosen: {},
    skip_problems: false,
    dry_run: false,
    ...more,
  }
  const engine = openImport(deviceImport, 'DeviceImport', tenancy)
  const caller = callerOfJob(editor.user.owner_id, 'test')
  const spooled = await engine.read(caller, asked)
  return tenancy.enter(caller, 'write', (scope) => engine.run(scope, asked, spooled))
}

test('devices are identified by name within their property, MACs are read in any notation, and -1 means the chosen value', async () => {
  const property_id = (await foyer.property(editor)).id
  const [television, printer] = (
    await inDatabase('select id from mac_categories where customer_id = $1 order by id limit 2', [editor.user.owner_id])
  ).map(({ id }) => Number(id))
  await inDatabase(
    'insert into rooms (customer_id, property_id, number) select customer_id, id, $2 from properties where id = $1',
    [property_id, '204'],
  )
  const first = await importDevices(
    `Name,MAC,Category,Room,Reference\nTV 204,00-00-5E-00-53-2A,-1,204,-1\nPrinter,00005e.005301,${printer},,P1\n`,
    property_id,
    { chosen: { mac_category_id: television ?? null } },
  )
  expect(first).toMatchObject({ total: 2, created: 2, overwritten: 0, id: expect.any(Number) })
  const before = await devicesOf(property_id)
  expect(before).toMatchObject([
    {
      name: 'Printer',
      mac_address: '00:00:5e:00:53:01',
      mac_category_id: printer,
      external_reference: 'P1',
      room: null,
    },
    { name: 'TV 204', mac_address: '00:00:5e:00:53:2a', mac_category_id: television, room: '204', active: true },
  ])
  // Without a column for the MAC each device keeps its own; an empty cell does not delete it.
  const again = await importDevices('name,active\nPRINTER,no\ntv 204,yes\ntv 204,no\n', property_id)
  expect(again).toMatchObject({ total: 2, created: 0, overwritten: 2, duplicates: 1 })
  await importDevices('name,mac\nprinter,\n', property_id)
  expect(await devicesOf(property_id)).toMatchObject([
    { id: before[0]?.['id'], name: 'printer', mac_address: '00:00:5e:00:53:01', active: false },
    { id: before[1]?.['id'], name: 'tv 204', mac_address: '00:00:5e:00:53:2a', active: false },
  ])
})

test('problems of devices are reported by row and column', async () => {
  const property_id = (await foyer.property(editor)).id
  for (const [name, mac] of [
    ['Twin', '02:00:00:00:00:01'],
    ['twin', '02:00:00:00:00:02'],
    ['Lamp', '02:00:00:00:00:03'],
  ])
    await inDatabase(
      'insert into devices (customer_id, property_id, name, mac_address) select customer_id, id, $2, $3 from properties where id = $1',
      [property_id, name, mac],
    )
  const { problems, problem_rows } = await importDevices(
    [
      'name,mac,category,room',
      'Twin,02:00:00:00:00:09,,',
      'New,,,',
      'Radio,nothing,,',
      'Heater,02:00:00:00:00:03,,',
      'Clock,02:00:00:00:00:10,,',
      'Watch,02-00-00-00-00-10,,',
      'Fan,02:00:00:00:00:11,999999,9',
    ].join('\n'),
    property_id,
    { dry_run: true },
  )
  expect(problem_rows).toBe(6)
  expect(problems).toEqual([
    { row: 2, column: 'name', message: 'Two devices of the property have this name' },
    { row: 3, column: 'mac_address', message: 'This field is required' },
    { row: 4, column: 'mac_address', message: 'Please write the MAC address as 00:00:5e:00:53:01' },
    { row: 5, column: 'mac_address', message: 'Another device of the property has this MAC address' },
    { row: 7, column: 'mac_address', message: 'Row 6 has this MAC address too' },
    { row: 8, column: 'mac_category_id', message: 'The selected mac category id is invalid.' },
    { row: 8, column: 'room_number', message: 'There is no room 9 in the property' },
  ])
})
