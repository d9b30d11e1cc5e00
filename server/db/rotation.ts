// Rotation: reseals everything under the newest secret key, in small batches and while nodes run. It can be ended at any
// moment, even by `kill -9`, and started again: what is done stays done, and the former keys open the rest until the end.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { orLocked } from '#server/db/lock-timeout.ts'
import { connect } from '#server/db/logins.ts'
import { logins, resealLogins } from '#server/db/login-passwords.ts'
import { beginningUnder, keyIdOf, openSeal, type Seal } from '#server/secrets/seal.ts'
import { sealedColumns, type SealedPlace, type SealedColumnName } from '#server/secrets/sealed-columns.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { SecretKeys } from '#server/start/secret-key.ts'

interface Rotation {
  ownerUrl: string
  /** Given where Foyer creates the logins itself: their passwords are sealed, too. */
  adminUrl: string | null
  /** The newest first. */
  secretKeys: SecretKeys
  /** After this time every node has noticed which key seals. */
  noticed_after_ms: number
  log: (line: string) => void
  /** For tests, which need not wait as long. */
  lock_timeout_ms?: number
}
const batch_rows = 200
const between_passes_ms = 500

/** Returns how many values no key opens: they stay as they are, and are listed. */
export const rotate = (rotation: Rotation): Promise<number> =>
  orLocked(
    () => resealAll(rotation),
    'Something else holds a lock on what has to be sealed again. Nothing done so far is lost: run this again to continue.',
  )

async function resealAll(rotation: Rotation): Promise<number> {
  const { ownerUrl, adminUrl, secretKeys, noticed_after_ms, log, lock_timeout_ms } = rotation
  const ids = secretKeys().map(keyIdOf)
  const [newest] = secretKeys()
  const client = await connect(ownerUrl, lock_timeout_ms)
  try {
    await agreeOn(client, ids)
    const from = Date.now()
    let waiting = false
    let last_to_wait_for: string | null = null
    for (;;) {
      const { sealed, unopened } = await resealOnce(client, openSeal(secretKeys), beginningUnder(keyIdOf(newest)), log)
      const noticed = Date.now() - from >= noticed_after_ms
      // Transactions that sealed with a former key may not have committed yet.
      if (noticed) last_to_wait_for ??= await newestTransaction(client)
      else if (sealed === 0 && !waiting) log('Waiting until all nodes have noticed')
      waiting ||= sealed === 0
      if (sealed === 0 && last_to_wait_for !== null && (await hasEnded(client, last_to_wait_for))) {
        if (adminUrl !== null) await resealPasswords(adminUrl, secretKeys)
        await agreeOn(client, ids.slice(0, 1))
        for (const { column, row } of unopened) log(`No key opens ${column} of ${row}: it stays as it is`)
        return unopened.length
      }
      await sleep(between_passes_ms)
    }
  } finally {
    await client.end()
  }
}

/** Stores which keys every node needs; nodes seal with the first of them. */
async function agreeOn(client: Client, ids: readonly Buffer[]) {
  const { rowCount } = await client.query('update installation set key_ids = $1', [ids])
  if (rowCount === 0) throw new CannotStart('Nothing is sealed here yet: start Foyer once, then run this again.')
}

async function newestTransaction(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as id')
  return rows[0]?.id ?? '0'
}
async function hasEnded(client: Client, id: string): Promise<boolean> {
  const { rows } = await client.query<{ ended: boolean }>(
    'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as ended',
    [id],
  )
  return rows[0]?.ended ?? false
}

async function resealPasswords(adminUrl: string, secretKeys: SecretKeys) {
  const server = await connect(adminUrl)
  try {
    await resealLogins(server, logins, secretKeys)
  } finally {
    await server.end()
  }
}

/** Where sealed values are stored, and how they are read and written; all of it trusted SQL. */
interface Source {
  name: string
  table: string
  column: SealedColumnName
  order: string
  row: string
  customer: string
  value: string
  set: string
}
const ofColumns = Object.entries(sealedColumns).map(([name, { order, row, of_customer }]): Source => {
  const [table = '', column = ''] = name.split('.')
  const customer = of_customer ? 'customer_id' : 'null::integer'
  return {
    name,
    table,
    column: name as SealedColumnName,
    order,
    row,
    customer,
    value: column,
    set: `${column} = r.fresh`,
  }
})
/** What an import found, and restores when it is undone: the passwords of accounts, as text in JSON. */
const kept: Source = {
  name: 'import_rows.before',
  table: 'import_rows',
  column: 'account_passwords.sealed_password',
  order: 'id',
  row: 'record_id',
  customer: 'customer_id',
  value: `case when record_table = 'accounts' then decode(before ->> 'sealed_password', 'base64') end`,
  set: `before = jsonb_set(before, '{sealed_password}', to_jsonb(encode(r.fresh, 'base64')))`,
}
export const sources: readonly Source[] = [...ofColumns, kept]

interface Found {
  position: string | Buffer
  customer_id: number | null
  row: string
  sealed: Buffer
}

/** One pass over everything. Values written meanwhile are left for the next pass. */
async function resealOnce(client: Client, seal: Seal, beginning: Buffer, log: (line: string) => void) {
  const unopened: SealedPlace[] = []
  let sealed = 0
  for (const source of sources) {
    let done = 0
    let last: Found['position'] | null = null
    for (;;) {
      const batch: Found[] = await nextBatch(client, source, beginning, last)
      if (batch.length === 0) break
      last = batch.at(-1)?.position ?? null
      const fresh = batch.flatMap((found) => {
        const place = { column: source.column, customer_id: found.customer_id, row: found.row }
        try {
          return { ...found, fresh: seal.close(seal.open(found.sealed, place), place) }
        } catch {
          unopened.push(place)
          return []
        }
      })
      done += await write(client, source, fresh)
      if (done > 0 && (done % 5000 < batch_rows || batch.length < batch_rows))
        log(`${source.name}: ${done.toLocaleString('en-GB')} sealed again`)
    }
    sealed += done
  }
  return { sealed, unopened }
}

async function nextBatch(
  client: Client,
  source: Source,
  beginning: Buffer,
  last: Found['position'] | null,
): Promise<Found[]> {
  const { table, order, customer, row, value } = source
  const { rows } = await client.query<Found>(
    `select ${order} as position, ${customer} as customer_id, (${row})::text as row, sealed
     from ${table}, lateral (select ${value} as sealed offset 0) as v
     where sealed is not null and substring(sealed from 1 for ${beginning.length}) <> $1 ${last === null ? '' : `and ${order} > $2`}
     order by position limit ${batch_rows}`,
    last === null ? [beginning] : [beginning, last],
  )
  return rows
}

const typesOfOrder: Record<string, string> = { id: 'bigint', login_id: 'bigint', fingerprint: 'bytea' }

/** Leaves values that were changed since they were read. */
async function write(client: Client, { table, order, value, set }: Source, fresh: (Found & { fresh: Buffer })[]) {
  if (fresh.length === 0) return 0
  const type = typesOfOrder[order] ?? 'text'
  const { rowCount } = await client.query(
    `update ${table} set ${set} from unnest($1::${type}[], $2::bytea[], $3::bytea[]) as r(position, former, fresh)
     where ${order} = r.position and ${value} = r.former`,
    [fresh.map((one) => one.position), fresh.map((one) => one.sealed), fresh.map((one) => one.fresh)],
  )
  return rowCount ?? 0
}
