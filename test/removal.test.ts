// Removal of a property: effective for everyone at once, and finished by a job, however many accounts it has and whenever a process
// is killed.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as accounts from '#contract/accounts.ts'
import * as properties from '#contract/properties.ts'
import * as rooms from '#contract/rooms.ts'
import * as voucherBatches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { refusals, selectedIdsInvalid } from '#contract/errors.ts'
import { openTenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { finishRemovals } from '#server/entities/removal.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { freshDatabase } from '#test/database.ts'
import { aProperty, openFoyer, password, type Person, type TestFoyer } from '#test/foyer.ts'
import { killAll, startFoyer } from '#test/process.ts'
import { codesOf } from '#test/voucher-codes.ts'
import { expectRefused } from '#test/refused.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-removal-'))
let foyer: TestFoyer
let editor: Person
let admin: Client
beforeAll(async () => {
  // Without the role `jobs`, so that nothing is finished before the test asks for it.
  foyer = await openFoyer({ env: { ROLES: 'api' } })
  editor = await foyer.customer()
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  killAll()
  await admin.end()
  await foyer.close()
  fs.rmSync(scratch, { recursive: true, force: true })
})

const fill = (database: Client, property_id: number, count: number) =>
  database.query(
    `insert into accounts (customer_id, property_id, name)
     select customer_id, id, 'Guest ' || n from properties, generate_series(1, $2) n where id = $1`,
    [property_id, count],
  )
const tables = ['accounts', 'devices', 'room_guests', 'rooms', 'voucher_batches']
async function marked(database: Client, property_id: number) {
  const counts: Record<string, { left: number; marked: number } | undefined> = {}
  for (const table of tables) {
    const { rows } = await database.query<{ left: number; marked: number }>(
      `select count(*) filter (where t.deleted_at is null)::integer as left,
         count(*) filter (where t.deleted_at = p.deleted_at)::integer as marked
       from ${table} t join properties p on p.id = t.property_id where p.id = $1`,
      [property_id],
    )
    counts[table] = rows[0]
  }
  return counts
}

test('the dependents of a property are gone for everyone at its removal, and then marked by the job', async () => {
  const property = await foyer.property(editor)
  const other = await foyer.account(editor, { name: 'Bea' })
  const account = await foyer.account(editor, { property_id: property.id, name: 'Ada' })
  const batch = await foyer.voucherBatch(editor, { property_id: property.id })
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: property.id })
  const [code = ''] = await codesOf(admin, batch.id)
  for (const [table, columns, values] of [
    ['rooms', 'number', `'204'`],
    ['devices', 'name, mac_address', `'Printer', '02:00:00:00:00:01'`],
  ])
    await admin.query(
      `insert into ${table} (customer_id, property_id, ${columns}) select customer_id, id, ${values} from properties where id = $1`,
      [property.id],
    )
  await admin.query(
    `insert into room_guests (customer_id, room_id, last_name) select customer_id, id, 'Keller' from rooms where property_id = $1`,
    [property.id],
  )
  await fill(admin, property.id, 4500)

  await foyer.get(properties.remove, { id: property.id }, editor)
  expectRefused(await foyer.ask(properties.get, { id: property.id }, editor), notFound())
  expect((await foyer.get(accounts.list, {}, editor)).data.map(({ id }) => id)).toEqual([other.id])
  expect((await foyer.get(accounts.list, { searchValue: 'Guest 4' }, editor)).data).toEqual([])
  expectRefused(await foyer.ask(accounts.get, { id: account.id }, editor), notFound())
  expectRefused(
    await foyer.ask(accounts.deactivate, { ids: [account.id] }, editor),
    invalid({ ids: [selectedIdsInvalid] }),
  )
  expect((await foyer.get(rooms.names, {}, editor)).data).toEqual([])
  expectRefused(await foyer.ask(voucherBatches.get, { id: batch.id }, editor), notFound())
  expectRefused(await foyer.ask(vouchers.validate, { code }, editor), notFound())
  expectRefused(await foyer.ask(accounts.list, {}, desk), refusals.unauthenticated)
  // The answer did not wait for the job.
  expect((await marked(admin, property.id))['accounts']).toEqual({ left: 4501, marked: 0 })

  // Stopped after one step, and then finished by two runs at once.
  await admin.query('select door_removals(2000)')
  expect((await marked(admin, property.id))['accounts']).toEqual({ left: 2501, marked: 2000 })
  const tenancy = openTenancy(foyer.database)
  // The job does nothing while the disk is nearly full.
  await finishRemovals(tenancy, () => false)
  expect((await marked(admin, property.id))['accounts']).toEqual({ left: 2501, marked: 2000 })
  await Promise.all([finishRemovals(tenancy, () => true), finishRemovals(tenancy, () => true)])
  await finishRemovals(tenancy, () => true)
  await tenancy.close()
  expect(await marked(admin, property.id)).toEqual({
    accounts: { left: 0, marked: 4501 },
    devices: { left: 0, marked: 1 },
    room_guests: { left: 0, marked: 1 },
    rooms: { left: 0, marked: 1 },
    voucher_batches: { left: 0, marked: 1 },
  })
  expect((await foyer.get(accounts.list, {}, editor)).data.map(({ id }) => id)).toEqual([other.id])
  expectRefused(await foyer.ask(vouchers.validate, { code }, editor), notFound())
})

test(
  'the removal of a property with 40,000 accounts survives a kill -9 in the middle',
  { timeout: 120_000 },
  async () => {
    const database = await freshDatabase()
    const owner = await connect(database.adminUrl)
    const settings = {
      DATA_DIR: scratch,
      DATABASE_URL: database.appUrl,
      DATABASE_AUTH_URL: database.authUrl,
      DATABASE_GUEST_URL: database.guestUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET_KEY: database.secretKey,
    }
    const node = await startFoyer(settings)
    let headers: Record<string, string> = { 'content-type': 'application/json', 'app-context': 'customer' }
    const post = async (call: string, body: object) => {
      const response = await fetch(`${node.url}/api/v1${call}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return ((await response.json()) as { data: { id: number; access_token: string } }).data
    }
    const person = { company_name: 'Operator', name: 'Ann', email: 'ann@example.com', password }
    headers = { ...headers, authorization: `Bearer ${(await post('/auth/signup', person)).access_token}` }
    const { id } = await post('/properties-create', aProperty())
    await fill(owner, id, 40_000)
    const left = async () => (await marked(owner, id))['accounts']?.left ?? 0

    await post(`/properties-delete/${id}`, {})
    await expect.poll(left, { interval: 20, timeout: 30_000 }).toBeLessThan(40_000)
    await node.kill()
    expect(await left()).toBeGreaterThan(0)
    const next = await startFoyer(settings)
    await expect.poll(left, { timeout: 60_000 }).toBe(0)
    await next.kill()
    await owner.end()
    await database.drop()
  },
)
