// Counted Foyer: the real process on a database that stays, with its effects counted (effects.ts), for proofs that kill it at every
// step: sends a request, kills the process at a given moment, and reports what has changed in the database.
import fs from 'node:fs'
import path from 'node:path'
import type { Client } from 'pg'
import { vi } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { freshDatabase } from '#test/database.ts'
import { password } from '#test/foyer.ts'
import { compiled, startFoyer } from '#test/process.ts'
import { full } from './proof.ts'

/** One request, which may be sent again. */
export interface Operation {
  /** A path of the API, or of the guests' pages. */
  call: string
  at?: 'api' | 'guest'
  body: string | FormData
  type?: string
  headers?: Record<string, string>
  /** The answer when it is done, and the answer when it has been done before, if that differs. */
  answers: number
  /** True once the work after the answer is done, too. */
  isDone?: () => Promise<boolean>
}

export interface Tried {
  status: number | null
  /** What happened until the process was killed, or until all was done. */
  moments: string[]
  killed: boolean
}

/** Rows as text with their counts, without what differs from run to run, such as ids and times. */
export type Changes = Record<string, number>
export type CountedFoyer = Awaited<ReturnType<typeof openCountedFoyer>>

/** In full what is compiled, as `npm run proofs` has done: most of a kill is the start of the next process. */
export const countedProgram = (effects: string) => [
  '--import',
  './scripts/tsx.mjs',
  '--import',
  effects,
  ...(full ? compiled : ['server/main.ts']),
]
const program = countedProgram('./test/proofs/effects.ts')
const patience = { timeout: 120_000, interval: 20 }

interface CountedOptions {
  roles: string
  smtp_url?: string
  /** The host and port of a program that listens to webhooks. */
  webhooks_to?: string
  /** Further environment variables. */
  env?: Record<string, string>
}

export async function openCountedFoyer(folder: string, { roles, smtp_url, webhooks_to, env = {} }: CountedOptions) {
  const database = await freshDatabase()
  const notes = path.join(folder, 'moments')
  const temporary = path.join(folder, 'tmp')
  fs.mkdirSync(temporary, { recursive: true })
  const settings = {
    DATA_DIR: folder,
    TMPDIR: temporary,
    EFFECTS_FILE: notes,
    DATABASE_URL: database.appUrl,
    DATABASE_AUTH_URL: database.authUrl,
    DATABASE_GUEST_URL: database.guestUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    SECRET_KEY: database.secretKey,
    ROLES: roles,
    REQUESTS_PER_MINUTE: '100000',
    QUOTA_INVITATIONS: '100000',
    QUOTA_CODES: '1000000000',
    QUOTA_UPLOADS_MB: '1000000',
    ...(smtp_url && { SMTP_URL: smtp_url }),
    ...(webhooks_to && { ALLOWED_HOSTS: webhooks_to }),
    ...env,
  }
  let foyer = await startFoyer(settings, program)
  const admin = await connect(database.adminUrl)
  const columns = await comparedColumns(admin)

  let headers: Record<string, string> = { 'app-context': 'customer' }
  const send = async ({ call, at, body, type, headers: own }: Operation, more: Record<string, string> = {}) => {
    const port = Number(new URL(foyer.url).port) + (at === 'guest' ? 1 : 0)
    return fetch(`http://127.0.0.1:${port}${at === 'guest' ? '' : '/api/v1'}${call}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...(at !== 'guest' && headers),
        ...(typeof body === 'string' && { 'content-type': type ?? 'application/json' }),
        ...own,
        ...more,
      },
      body,
    })
  }
  /** Retries while the service is busy, when nothing is done. */
  const sendPatiently = async (operation: Operation) => {
    const until = Date.now() + patience.timeout
    for (;;) {
      const answer = await send(operation)
      if (answer.status !== 503 || Date.now() > until) return answer
    }
  }
  const made = async (operation: Operation) => {
    const answer = await sendPatiently(operation)
    if (!answer.ok) throw new Error(`${operation.call} answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: number; access_token: string; url: string } }).data
  }
  const post = (call: string, body: object) => made({ call, body: JSON.stringify(body), answers: 201 })
  const person = { company_name: 'Operator', name: 'Ann', email: 'ann@example.com', password }
  headers = { ...headers, authorization: `Bearer ${(await post('/auth/signup', person)).access_token}` }
  // Otherwise messages to guests wait.
  await admin.query('update customers set confirmed_at = now()')

  const isGone = () => foyer.child.exitCode !== null || foyer.child.signalCode !== null

  return {
    database,
    admin,
    webhooks_to,
    /** Creates something; returns the answer's data. */
    made,
    post,
    /** The folder of guests' files and pictures. */
    storage: path.join(folder, 'files'),
    /** The folder of uploads until they are answered. */
    temporary,

    async start() {
      foyer = await startFoyer(settings, program)
    },
    async restart() {
      await foyer.kill()
      foyer = await startFoyer(settings, program)
    },

    /** The answer's status, or its text. */
    async do(operation: Operation) {
      const answer = await sendPatiently(operation)
      const text = await answer.text()
      return answer.status === operation.answers ? answer.status : `${answer.status} ${text}`
    },

    /** Sends the request, and kills the process at the given moment, counted from its arrival; not if there are fewer moments. */
    async doUntil(kill_at: number, operation: Operation): Promise<Tried> {
      fs.writeFileSync(notes, '')
      let status: number | null = null
      try {
        const answer = await send(operation, { 'kill-at': String(kill_at) })
        await answer.text()
        ;({ status } = answer)
        await vi.waitUntil(async () => isGone() || ((await operation.isDone?.()) ?? true), patience)
        // It counts nothing more from here on, unless it was killed after its answer.
        await fetch(`${foyer.url}/healthz`, { headers: { 'kill-at': 'never' } })
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        await vi.waitUntil(isGone, patience)
      }
      const moments = fs.readFileSync(notes, 'utf8').split('\n').filter(Boolean)
      return { status, moments, killed: isGone() }
    },

    /** The database ends what a killed process had begun once it notices the lost connection. */
    async settled() {
      const { rows } = await admin.query<{ now: string }>('select clock_timestamp()::text as now')
      const left = async () =>
        (
          await admin.query(
            `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
               and xact_start < $1::timestamptz`,
            [rows[0]?.now],
          )
        ).rowCount
      await vi.waitUntil(async () => (await left()) === 0, patience)
    },

    async snapshot(): Promise<Changes> {
      const { rows } = await admin.query<{ row: string; times: number }>(
        columns
          .map(
            ({ table, text }) =>
              `select '${table}: ' || ${text} as row, count(*)::integer as times from ${table} group by 1`,
          )
          .join(' union all '),
      )
      return Object.fromEntries(rows.map(({ row, times }) => [row, times]))
    },

    async close() {
      await foyer.kill()
      await admin.end()
      await database.drop()
    },
  }
}

/** Counters that depend on the clock, sign-ins, and what the jobs of each minute write, or leave when they are killed. */
const not_compared = [
  'rate_limits',
  'used_quotas',
  'sessions',
  'login_devices',
  'login_addresses',
  'property_hours',
  'hour_ledgers',
  'property_states',
  'failed_jobs',
]
/** Random, counted up from run to run, or removed once it is sent. */
const only_whether = [
  'code',
  'public_id',
  'key',
  'nas_identifier',
  'voucher_batches_made',
  'username',
  'text',
  'left_as',
  'byte_size',
]

async function comparedColumns(admin: Client) {
  const { rows } = await admin.query<{ table: string; text: string }>(
    `select c.table_name as table, string_agg(format(
        case
          when c.column_name = any($2) or c.column_name ~ '(^|_)ids?$'
            or c.data_type in ('bytea', 'uuid', 'date') or c.data_type like 'timestamp%' then $$'%1$s ' || (%1$I is not null)$$
          when c.data_type in ('boolean', 'integer', 'bigint', 'numeric', 'smallint')
            then $$'%1$s ' || coalesce(%1$I::text, '-')$$
          else $$'%1$s ' || coalesce(regexp_replace(%1$I::text, '[0-9a-f]*[0-9][0-9a-f]*', '#', 'g'), '-')$$
        end, c.column_name), $$ || ', ' || $$ order by c.ordinal_position) as text
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> all($1)
     group by c.table_name order by c.table_name`,
    [not_compared, only_whether],
  )
  return rows
}

/** The rows added, and the rows removed. */
export function changesBetween(before: Changes, after: Changes): Changes {
  const rows = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...rows].map((row) => [row, (after[row] ?? 0) - (before[row] ?? 0)] as const)
  return Object.fromEntries(changed.filter(([, more]) => more !== 0))
}

export const without = (tables: readonly string[], changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([row]) => !tables.some((table) => row.startsWith(`${table}: `))))
