// Flooded link: a property's system sends far more arrivals in one go than any hotel has. All is taken in that may be, in the order in
// which it came; what is too much is said; and another customer is served as if it were alone.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openFias } from '#server/property-systems/fias/simulation.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aProperty } from '#test/foyer.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { neighbours, receptionist } from '#test/proofs/neighbours.ts'
import { full } from '#test/proofs/proof.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-flood-'))
const records = full ? 100_000 : 2000
/** The others say something else of stays that were told before. */
const keys = full ? 80_000 : 500
/** As server/stays has it. */
const stays_max = 20_000
const rooms = 200
const rounds = full ? 150 : 5

let foyer: Foyer
let database: TestDatabase
let admin: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  foyer = await startFoyer({
    DATA_DIR: scratch,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    ALLOWED_HOSTS: '127.0.0.1',
    DISK_RESERVE_MB: '0',
    ROLES: 'api jobs',
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    SECRET_KEY: database.secretKey,
  })
  admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
}, 120_000)
afterAll(async () => {
  await foyer?.kill()
  killAll()
  await admin.end()
  await database.drop()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

test(
  `${records} arrivals in one go are taken in as far as may be, and another customer is served as if it were alone`,
  { timeout: 3_600_000 },
  async ({ task }) => {
    const { aCustomer } = neighbours(foyer)
    const flooded = await aCustomer('flooded', '203.0.113.1')
    const quiet = await aCustomer('quiet', '203.0.113.2')
    const property_id = await flooded.made('/properties-create', { ...aProperty(), sync_rooms_and_devices: true })
    const pms = await openFias()
    try {
      const id = await flooded.made('/property-interfaces-create', {
        property_interface_type_id: 1,
        owner_type: 'Property',
        owner_id: property_id,
        host: '127.0.0.1',
        port: pms.port,
        settings: { grace_minutes: 0 },
      })
      const link = async () =>
        (
          await admin.query<{ wants_all: boolean; state: string; last_error: string | null }>(
            'select wants_all, state, last_error from property_links where property_interface_id = $1',
            [id],
          )
        ).rows[0]
      const patience = { timeout: 3_000_000, interval: 500 }
      await vi.waitUntil(async () => (await link())?.wants_all === false, patience)
      const measure = await receptionist(foyer, quiet, rounds)
      const alone_ms = await measure()

      /** By reservation: the last that was said of each that is taken. */
      const house = new Map<number, string>()
      const sent = Array.from({ length: records }, (_, at) => {
        const key = at % keys
        const [room, name] = [String(1 + (at % rooms)), `Guest${at}`]
        if (house.has(key) || house.size < stays_max) house.set(key, `${room} ${name}`)
        return `GI|RN${room}|G#${key}|GN${name}|`
      })
      const began = performance.now()
      pms.send(...sent)
      // The last reservation that is known is the last to be changed.
      const last = [...house.values()].toSorted((one, other) => nameIn(other) - nameIn(one))[0] ?? ''
      const during_ms = await measure()
      const isIn = async () =>
        (
          await admin.query(
            `select from room_guests where property_id = $1 and room_number || ' ' || last_name = $2 and deleted_at is null`,
            [property_id, last],
          )
        ).rowCount === 1
      await vi.waitUntil(isIn, patience)
      const took_s = Math.round((performance.now() - began) / 1000)
      expect(await link()).toMatchObject({ state: 'up' })
      // What is said after it is heard, too.
      pms.send('GO|RN1|G#0|', 'GI|RN77|G#after|GNAfter|')
      house.delete(0)
      const guests = async () =>
        (
          await admin.query<{ line: string }>(
            `select room_number || ' ' || last_name as line from room_guests where property_id = $1 and deleted_at is null`,
            [property_id],
          )
        ).rows.map(({ line }) => line)
      await vi.waitUntil(async () => (await guests()).includes('77 After'), patience)
      expect((await guests()).toSorted()).toEqual([...house.values(), '77 After'].toSorted())
      const { rows: log } = await admin.query<{ sentence: string }>(
        `select sentence from property_link_records where property_interface_id = $1 and sentence like 'More than%'`,
        [id],
      )
      // Once a message at most, so that the log keeps what was done.
      expect(log.length).toBeLessThanOrEqual(full ? 100 : 0)

      const waits = [alone_ms, during_ms].map(Math.round)
      task.meta.figures =
        `${house.size + 1} stays in house after ${took_s} s; of ${rounds * 4} requests of another customer 95 % within ` +
        `${waits[0]} ms alone and ${waits[1]} ms meanwhile`
      if (full) {
        expect(took_s).toBeGreaterThan(0)
        expect(during_ms).toBeLessThanOrEqual(Math.max(4 * alone_ms, 150))
      }
    } finally {
      await pms.close()
    }
  },
)

const nameIn = (line: string) => Number(line.split('Guest')[1])
