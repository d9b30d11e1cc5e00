// Kills: the real process is killed while it imports thousands of accounts, devices or rooms, and while it takes that back.
// After the restart the file is in whole or not at all.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { freshDatabase } from '#test/database.ts'
import { aProperty, password } from '#test/foyer.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { aFile, formOf } from '#test/uploads.ts'
import { chance, full, share } from './proof.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-crash-import-'))
afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const records = full ? 5000 : 1500
const kills = share(30)
const random = chance()

const macOf = (serial: number) => `00005e${serial.toString(16).padStart(6, '0')}`
const kinds = {
  accounts: {
    call: '/import/accounts',
    field: 'AccountImport',
    header: 'name,email,username,password',
    row: (serial: number, round: number) => `Guest ${serial},guest@example.com,guest${serial},round-${round}`,
    /** What stands beside each record, and comes and goes with it. */
    beside: 'account_passwords',
  },
  devices: {
    call: '/import/devices',
    field: 'DeviceImport',
    header: 'name,mac_address,external_reference',
    row: (serial: number, round: number) => `Device ${serial},${macOf(serial)},round-${round}`,
    beside: 'devices',
  },
  rooms: {
    call: '/import/rooms',
    field: 'RoomImport',
    header: 'room,guest,reservation',
    row: (serial: number, round: number) => `R${serial},Ada Guest${serial},round-${round}`,
    beside: 'room_guests',
  },
}
type Kind = keyof typeof kinds
/** One name in ten is that of the file before, and is overwritten. */
const fileOf = (kind: Kind, round: number) =>
  aFile(
    'records.csv',
    [
      kinds[kind].header,
      ...Array.from({ length: records }, (_, index) => kinds[kind].row(round * records * 0.9 + index, round)),
    ].join('\n'),
  )

test.for(Object.keys(kinds) as Kind[])(
  'of an import of %s that a kill -9 interrupts, all are there or none, and sent again it is done once',
  { timeout: 900_000 },
  async (kind, { task }) => {
    const database = await freshDatabase()
    const settings = {
      DATA_DIR: scratch,
      DATABASE_URL: database.appUrl,
      DATABASE_AUTH_URL: database.authUrl,
      DATABASE_GUEST_URL: database.guestUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET_KEY: database.secretKey,
    }
    let foyer = await startFoyer(settings)
    let headers: Record<string, string> = { 'app-context': 'customer' }
    const post = async (call: string, body: object) => {
      const response = await fetch(`${foyer.url}/api/v1${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return ((await response.json()) as { data: { id: number; access_token: string } }).data
    }
    const person = { company_name: 'Operator', name: 'Ann', email: 'ann@example.com', password }
    headers = { ...headers, authorization: `Bearer ${(await post('/auth/signup', person)).access_token}` }
    const property = await post('/properties-create', aProperty())
    const bring = async (to: Foyer, round: number, key: string) => {
      const response = await fetch(`${to.url}/api/v1${kinds[kind].call}?property_id=${property.id}`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': key },
        body: formOf({ [kinds[kind].field]: fileOf(kind, round) }),
      })
      return {
        status: response.status,
        ...((await response.json()) as { data: { id: number; total: number; created: number; overwritten: number } }),
      }
    }

    const admin = await connect(database.adminUrl)
    /** Records, what stands beside them, imports and lines of the log: all of a file's, or none. */
    const state = async () =>
      (
        await admin.query<Record<string, number>>(`
    select (select count(*)::integer from ${kind}) as records, (select count(*)::integer from ${kinds[kind].beside}) as beside,
      (select count(*)::integer from imports where outcome = 'done') as imports, (select count(*)::integer from activity where action = 'import') as lines`)
      ).rows[0]
    const whole = (rounds: number) => ({
      records: rounds === 0 ? 0 : records + (rounds - 1) * records * 0.9,
      beside: rounds === 0 ? 0 : records + (rounds - 1) * records * 0.9,
      imports: rounds,
      lines: rounds,
    })

    /** The database ends what a killed process had begun once it has noticed that nobody listens. */
    const ended = async () => {
      const { rows } = await admin.query<{ killed_at: Date }>('select clock_timestamp() as killed_at')
      const left = async () =>
        (
          await admin.query(
            `select from pg_stat_activity
             where datname = current_database() and xact_start < $1 and pid <> pg_backend_pid()`,
            [rows[0]?.killed_at],
          )
        ).rowCount
      await expect.poll(left, { timeout: 120_000 }).toBe(0)
    }

    const started = performance.now()
    expect(await bring(foyer, 0, randomUUID())).toMatchObject({
      status: 200,
      data: { total: records, created: records },
    })
    const whole_ms = performance.now() - started
    let interrupted = 0
    let last_id = 0
    for (let kill = 1; kill <= kills; kill++) {
      const key = randomUUID()
      const answered = bring(foyer, kill, key).then(
        () => true,
        () => false,
      )
      await sleep(whole_ms * (0.1 + random()))
      await foyer.kill()
      const acknowledged = await answered
      await ended()
      foyer = await startFoyer(settings)
      const found = await state()
      if (acknowledged) expect(found).toEqual(whole(kill + 1))
      else expect([whole(kill), whole(kill + 1)]).toContainEqual(found)
      if (found?.['imports'] === kill) interrupted++
      // Who had no answer sends it again, with the same key, and comes again where the service is busy.
      const once = {
        status: 200,
        data: { total: records, created: records * 0.9, overwritten: records * 0.1 },
      }
      const answer = async () => {
        const given = await bring(foyer, kill, key)
        last_id = given.data?.id ?? 0
        return given.status === 503 ? null : given
      }
      await expect.poll(answer, { timeout: 120_000 }).toMatchObject(once)
      expect(await state()).toEqual(whole(kill + 1))
    }
    /** Everything that is there, and how many imports are undone. */
    const present = async () =>
      (
        await admin.query<{ present: number; undone: number }>(`
    select (select count(*)::integer from ${kind} where deleted_at is null) as present,
      (select count(*)::integer from imports where undone_at is not null) as undone`)
      ).rows[0]
    const before = { present: whole(kills + 1).records, undone: 0 }
    const after = { present: before.present - records * 0.9, undone: 1 }
    expect(await present()).toEqual(before)
    const undo = async () =>
      (
        await fetch(`${foyer.url}/api/v1/imports-undo`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ id: last_id }),
        })
      ).status
    const answered = undo().catch(() => 0)
    await sleep(whole_ms * random())
    await foyer.kill()
    const status = await answered
    await ended()
    foyer = await startFoyer(settings)
    expect(status === 200 ? [after] : [before, after]).toContainEqual(await present())
    await expect.poll(undo, { timeout: 120_000 }).toSatisfy((given: number) => given === 200 || given === 409)
    expect(await present()).toEqual(after)
    // Of many, some were interrupted, or the test says nothing.
    if (full) expect(interrupted).toBeGreaterThan(0)
    task.meta.figures = `${kills} kills, ${interrupted} of them in the middle of the import`
    await admin.end()
    await foyer.kill()
    await database.drop()
  },
)
