// Backfills: what an upgrade fills or builds after the start, while nodes serve: rows in chunks, and indexes and constraints without
// a lock on their table. One node does so at a time, and after a kill another one goes on with the next chunk.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { inTransaction, withTries } from '#server/db/apply-migrations.ts'
import { connect } from '#server/db/logins.ts'
import type { Log } from '#server/watch/log.ts'

/**
 * A file of this folder. Its second line names what is filled, `-- table: radius_sessions`, and its statement changes the rows of
 * `customer_id = $1 and id > $2 and id <= $3`. With `-- once` its statements are run one after the other, each outside a
 * transaction, and may be run again: `create index concurrently if not exists …`, `alter table … validate constraint …`.
 */
export interface Backfill {
  name: string
  table: string | null
  statement: string
}

/** Next to this file, in the sources as well as in dist. */
export const backfills_folder = path.join(import.meta.dirname, 'backfills')

export function readBackfills(folder = backfills_folder): Backfill[] {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((file) => file.endsWith('.sql')) : []
  return files.toSorted().map((file) => {
    const statement = fs.readFileSync(path.join(folder, file), 'utf8')
    const [, table, once] = /^-- (?:table: (\w+)|(once))$/m.exec(statement) ?? []
    if (!table && !once) throw new Error(`${file} has no line \`-- table: …\` or \`-- once\``)
    return { name: path.basename(file, '.sql'), table: table ?? null, statement }
  })
}

export async function pendingBackfills(owner: Client, folder?: string): Promise<Backfill[]> {
  const { rows } = await owner.query<{ name: string }>('select name from upgrade_backfills where done_at is not null')
  const done = new Set(rows.map(({ name }) => name))
  return readBackfills(folder).filter(({ name }) => !done.has(name))
}

/** In a new database: there are no rows, and what is built once is built at once. */
export async function completeBackfills(owner: Client, folder?: string): Promise<void> {
  for (const { name, table, statement } of await pendingBackfills(owner, folder)) {
    if (table === null) for (const one of statementsOf(statement)) await owner.query(one)
    await owner.query('insert into upgrade_backfills (name, done_at) values ($1, now())', [name])
  }
}

interface Running {
  signal: AbortSignal
  /** Of a backfill: rows seen, and how many there are by the last count of the database. */
  progress(name: string, seen: number, rows: number): void
  /** The part of the time that is left to others. */
  rest: number
  folder?: string | undefined
  /** For tests, which see each chunk. */
  chunk_rows?: number
}

/** Any number that no other program uses on the same server. Held by a connection, it ends with the process. */
const advisory_lock = 0x666f7968
const lock_ms = 700
const tries_ms = 10 * 60_000

/** @returns false if another node is at it */
export async function runBackfills(owner: Client, running: Running): Promise<boolean> {
  const { rows } = await owner.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [advisory_lock])
  if (!rows[0]?.mine) return false
  for (const backfill of await pendingBackfills(owner, running.folder)) {
    await owner.query('insert into upgrade_backfills (name) values ($1) on conflict do nothing', [backfill.name])
    if (backfill.table === null) await runOnce(owner, backfill.statement)
    else await runChunks(owner, { ...backfill, table: backfill.table }, running)
    if (running.signal.aborted) return true
    await owner.query('update upgrade_backfills set done_at = now() where name = $1', [backfill.name])
  }
  return true
}

async function runOnce(owner: Client, statement: string) {
  // What a killed node left of an index.
  const { rows } = await owner.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indexrelid
     where not indisvalid and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of rows) await owner.query(`drop index concurrently if exists ${name}`)
  // It waits for transactions that began before, and keeps nobody waiting meanwhile.
  await owner.query(`set lock_timeout = 0`)
  for (const one of statementsOf(statement)) await owner.query(one)
}

/** Each ends with its line. PostgreSQL would take them together for one transaction. */
const statementsOf = (text: string) => text.split(/;$/m).filter((one) => one.trim() !== '')

const chunk_ms = 100
const chunk_rows_max = 5000

async function runChunks(owner: Client, backfill: Backfill & { table: string }, running: Running) {
  const { name, table } = backfill
  await owner.query(`set lock_timeout = ${lock_ms}`)
  const counted = await owner.query<{ rows: number }>(
    'select greatest(reltuples, 0)::float8 as rows from pg_class where oid = $1::regclass',
    [table],
  )
  const rows = counted.rows[0]?.rows ?? 0
  let size = running.chunk_rows ?? 100
  while (!running.signal.aborted) {
    const began = performance.now()
    const limit = size
    const chunk = await withTries(tries_ms, () => inTransaction(owner, () => runChunk(owner, backfill, limit)))
    if (chunk === null) return
    running.progress(name, chunk.seen, rows)
    const took = performance.now() - began
    if (running.chunk_rows === undefined)
      size = Math.round(Math.min(chunk_rows_max, Math.max(10, size / 2, Math.min(size * 2, (size * chunk_ms) / took))))
    await sleep((took * running.rest) / (1 - running.rest), null, { signal: running.signal }).catch(() => {})
  }
}

/** Null when there are no more rows. Rows that are made meanwhile have the new values from their first moment. */
async function runChunk(owner: Client, { name, table, statement }: Backfill & { table: string }, size: number) {
  const began = performance.now()
  const found = await owner.query<{ customer: number; after: number; through: number; rows: number }>(
    `with reached as (select customer_id, row_id from upgrade_backfills where name = $1 for update),
       here as (select t.id from ${table} as t, reached
         where t.customer_id = reached.customer_id and t.id > reached.row_id order by t.id limit $2),
       next as (select min(t.customer_id) as customer from ${table} as t, reached where t.customer_id > reached.customer_id)
     select customer_id as customer, row_id::float8 as after, max(id)::float8 as through, count(*)::int as rows
       from here, reached group by 1, 2
     union all
     select customer, 0, 0, 0 from next where customer is not null and not exists (select from here)`,
    [name, size],
  )
  const [chunk] = found.rows
  if (!chunk) return null
  const { customer, after, through, rows } = chunk
  await owner.query(`select set_config('app.customer_id', $1, true)`, [String(customer)])
  if (rows > 0) await owner.query(statement, [customer, after, through])
  const { rows: written } = await owner.query<{ seen: number }>(
    `update upgrade_backfills set customer_id = $2, row_id = $3, seen = seen + $4, worked_ms = worked_ms + $5
     where name = $1 returning seen::float8 as seen`,
    [name, customer, through, rows, Math.round(performance.now() - began)],
  )
  return { seen: written[0]?.seen ?? 0 }
}

const again_ms = 30_000

/**
 * Runs what is pending beside the work of this node, with as much rest as work, until all of it is done here or elsewhere. Errors are
 * logged, and it goes on later.
 */
export function openBackfills({ ownerUrl, log, folder }: { ownerUrl: string; log: Log; folder?: string }) {
  const closing = new AbortController()
  const { signal } = closing
  const told = new Map<string, number>()
  function progress(backfill: string, seen: number, rows: number) {
    const percent = Math.min(99, Math.floor((seen / Math.max(rows, seen, 1)) * 10) * 10)
    if (told.get(backfill) === percent) return
    told.set(backfill, percent)
    log.info({ backfill, percent }, 'filling in the background what the upgrade brought')
  }
  async function attempt(): Promise<'done' | 'again'> {
    const owner = await connect(ownerUrl)
    // A statement may take hours. The database goes on with it, and with the right to fill; its end is found by whoever has that next.
    const leave = () => void owner.end()
    signal.addEventListener('abort', leave)
    try {
      signal.throwIfAborted()
      const pending = await pendingBackfills(owner, folder)
      if (pending.length === 0) return 'done'
      if (!(await runBackfills(owner, { signal, progress, rest: 0.5, folder }))) return 'again'
      if (!signal.aborted) log.info({ backfills: pending.map(({ name }) => name) }, 'the upgrade is complete')
      return 'done'
    } finally {
      signal.removeEventListener('abort', leave)
      await owner.end()
    }
  }
  async function run() {
    while (!signal.aborted) {
      const result = await attempt().catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err }, 'what the upgrade brought could not be filled, and is tried again')
        return 'again'
      })
      if (result === 'done') return
      await sleep(again_ms, null, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}
