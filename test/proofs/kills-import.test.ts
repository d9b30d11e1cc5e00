// Kills of imports: the real process is killed while it imports thousands of accounts, devices or rooms, and while it undoes that.
// After the restart the whole file is imported, or nothing of it.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { keysOf } from '#contract/keys.ts'
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

const records = full ? 5000 : 500
/** Kills during the undo of the last import, which is imported again each time. */
const undo_kills = share(15)
const random = chance()

const macOf = (serial: number) => `00005e${serial.toString(16).padStart(6, '0')}`
const kinds = {
  accounts: {
    kills: share(50),
    call: '/import/accounts',
    field: 'AccountImport',
    header: 'name,email,username,password',
    row: (serial: number, round: number) => `Guest ${serial},guest@example.com,guest${serial},round-${round}`,
    /** A table with one row for each record, created and removed with it. */
    dependents: 'account_passwords',
    live_dependents:
      'select b.* from account_passwords b join accounts t on t.id = b.account_id and t.deleted_at is null',
  },
  devices: {
    kills: share(30),
    call: '/import/devices',
    field: 'DeviceImport',
    header: 'name,mac_address,external_reference',
    row: (serial: number, round: number) => `Device ${serial},${macOf(serial)},round-${round}`,
    dependents: 'devices',
    live_dependents: 'select null::integer as id',
  },
  rooms: {
    kills: share(30),
    call: '/import/rooms',
    field: 'RoomImport',
    header: 'room,guest,reservation',
    row: (serial: number, round: number) => `R${serial},Ada Guest${serial},round-${round}`,
    dependents: 'room_guests',
    live_dependents: 'select * from room_guests where deleted_at is null',
  },
}
type Kind = keyof typeof kinds
/** One record in ten is also in the previous file, and is overwritten. */
const fileOf = (kind: Kind, round: number) =>
  aFile(
    'records.csv',
    [
      kinds[kind].header,
      ...Array.from({ length: records }, (_, index) => kinds[kind].row(round * records * 0.9 + index, round)),
    ].join('\n'),
  )

// One engine imports all kinds; accounts and rooms differ most.
const tried: Kind[] = full ? keysOf(kinds) : ['accounts', 'rooms']

test.for(tried)(
  'an import of %s interrupted by kill -9 is complete or absent, and is done once when sent again',
  { timeout: 3_600_000 },
  async (kind, { task }) => {
    const { kills } = kinds[kind]
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
    const importFile = async (to: Foyer, round: number, key: string) => {
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
    /** Counts of records, their dependent rows, imports and activity lines. */
    const state = async () =>
      (
        await admin.query<Record<string, number>>(`
    select (select count(*)::integer from ${kind}) as records, (select count(*)::integer from ${kinds[kind].dependents}) as beside,
      (select count(*)::integer from imports where outcome = 'done') as imports,
      (select count(*)::integer from activity where action = 'import') as lines`)
      ).rows[0]
    /** A hash of all records with all their columns. */
    const digest = async () => {
      const { rows } = await admin.query<{ digest: string }>(`
        with live as (select 'record' as what, t.id, to_jsonb(t) as row from ${kind} t where deleted_at is null
          union all select 'beside', b.id, to_jsonb(b) from (${kinds[kind].live_dependents}) b)
        select encode(sha256(convert_to(string_agg(what || row, ' ' order by what, id), 'UTF8')), 'hex') as digest from live`)
      return rows[0]?.digest ?? ''
    }
    const whole = (rounds: number) => ({
      records: rounds === 0 ? 0 : records + (rounds - 1) * records * 0.9,
      beside: rounds === 0 ? 0 : records + (rounds - 1) * records * 0.9,
      imports: rounds,
      lines: rounds,
    })

    /** The database ends what a killed process had begun once it notices the lost connection. */
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

    /** Whether a transaction has uncommitted writes. */
    const isUnderWay = async () =>
      (
        await admin.query(
          `select from pg_stat_activity
           where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`,
        )
      ).rowCount !== 0
    /** Kills the process after `ms`; returns the answer, if any, and whether uncommitted work was interrupted. */
    const killedAfter = async <T>(ms: number, begun: Promise<T>) => {
      const answered = begun.then(
        (value) => value,
        () => null,
      )
      await sleep(ms)
      const wasUnderWay = await isUnderWay()
      await foyer.kill()
      const answer = await answered
      await ended()
      foyer = await startFoyer(settings)
      return { answer, wasUnderWay }
    }

    const started = performance.now()
    expect(await importFile(foyer, 0, randomUUID())).toMatchObject({
      status: 200,
      data: { total: records, created: records },
    })
    const whole_ms = performance.now() - started
    let interrupted = 0
    let last_id = 0
    let before_last = ''
    for (let kill = 1; kill <= kills; kill++) {
      const key = randomUUID()
      before_last = await digest()
      const { answer: acknowledged, wasUnderWay } = await killedAfter(
        whole_ms * (0.1 + random()),
        importFile(foyer, kill, key),
      )
      const found = await state()
      if (acknowledged) expect(found).toEqual(whole(kill + 1))
      else expect([whole(kill), whole(kill + 1)]).toContainEqual(found)
      if (found?.['imports'] === kill && wasUnderWay) interrupted++
      // A client without an answer repeats the request with the same key, and retries while the service is busy.
      const once = {
        status: 200,
        data: { total: records, created: records * 0.9, overwritten: records * 0.1 },
      }
      const answer = async () => {
        const given = await importFile(foyer, kill, key)
        last_id = given.data?.id ?? 0
        return given.status === 503 ? null : given
      }
      await expect.poll(answer, { timeout: 120_000 }).toMatchObject(once)
      expect(await state()).toEqual(whole(kill + 1))
    }

    const undo = async () =>
      (
        await fetch(`${foyer.url}/api/v1/imports-undo`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ id: last_id }),
        })
      ).status
    const undone = async () =>
      (await admin.query<{ undone: number }>('select count(undone_at)::integer as undone from imports')).rows[0]?.undone
    const undo_started = performance.now()
    expect(await undo()).toBe(200)
    const undo_ms = performance.now() - undo_started
    expect(await digest()).toBe(before_last)
    let undos_interrupted = 0
    for (let kill = 1; kill <= undo_kills; kill++) {
      const again = await importFile(foyer, kills, randomUUID())
      expect(again.status).toBe(200)
      last_id = again.data.id
      const with_it = await digest()
      expect(with_it).not.toBe(before_last)
      const { answer: status, wasUnderWay } = await killedAfter(undo_ms * (0.1 + random()), undo())
      const is_done = (await undone()) === kill + 1
      if (status === 200) expect(is_done).toBe(true)
      expect(await digest()).toBe(is_done ? before_last : with_it)
      if (!is_done && wasUnderWay) undos_interrupted++
      // 409: it was done before the kill, but the answer was lost.
      await expect.poll(undo, { timeout: 120_000 }).toSatisfy((given: number) => given === (is_done ? 409 : 200))
      expect(await digest()).toBe(before_last)
    }
    // Without any interruption the test would prove nothing.
    if (full) expect(Math.min(interrupted, undos_interrupted)).toBeGreaterThan(0)
    task.meta.figures =
      `${kills} kills during the import, ${interrupted} of them in the middle; ` +
      `${undo_kills} during its undo, ${undos_interrupted} of them in the middle`
    await admin.end()
    await foyer.kill()
    await database.drop()
  },
)
