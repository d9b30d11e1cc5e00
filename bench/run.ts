// Bench: the cost of Foyer, always as a ratio to a simpler baseline within the same run, as absolute times say more about the
// machine. Fails if a ratio is above its limit.
//
//   npm run bench                                 everything; a quarter of an hour
//   npm run bench -- limit --rows 10000           one part, with at most that many rows
//   npm run bench -- radius --beside main~1       in turns with that of a commit, each twice
//   npm run bench -- sessions --rows 10000000     ten million sessions and as many attempts; takes 12 GB and half an hour
//   npm run bench -- reports --rows 10000000      a month's report over ten million sessions, against one over a million
//   npm run bench -- history --rows 600000        layouts for sessions, against the present one; only when named
//   npm run bench -- storage --rows 200000        bytes on the disk of each session, by table and index; only when named
//   npm run bench -- growth --rows 100000000      a hundred million sessions, against ten; takes 45 GB and an hour; only when named
import { parseArgs } from 'node:util'
import { benchFirstList } from './first-list.ts'
import { benchGrowth } from './growth.ts'
import { benchHistory } from './history.ts'
import { benchImports } from './imports.ts'
import { benchLimit } from './limit.ts'
import { benchLists, benchSessions } from './lists.ts'
import { report } from './measurement.ts'
import { benchReports } from './reports.ts'
import { openServer, type Server } from './server.ts'
import { benchPortal } from './portal.ts'
import { benchRadius } from './radius.ts'
import { benchStorage } from './storage.ts'
import { benchTables } from './tables.ts'
import { benchToday } from './today.ts'
import { benchVerdict } from './verdict.ts'
import { benchVouchers } from './vouchers.ts'

const parts: Record<string, (server: Server, rows: number) => Promise<void>> = {
  'first-list': benchFirstList,
  portal: (server) => benchPortal(server),
  radius: (server) => benchRadius(server),
  lists: (server, rows) => benchLists(server, Math.min(rows, 100_000)),
  sessions: benchSessions,
  reports: benchReports,
  history: (server, rows) => benchHistory(server, Math.min(rows, 1_000_000)),
  storage: (server, rows) => benchStorage(server, Math.min(rows, 1_000_000)),
  growth: benchGrowth,
  today: (server) => benchToday(server),
  verdict: (server) => benchVerdict(server),
  tables: (server, rows) => benchTables(server, Math.min(rows, 333_333)),
  // Writing many rows at once, against the raw insert of the same rows.
  vouchers: async (server, rows) => report(await benchVouchers(server, Math.min(rows, 100_000))),
  imports: async (server, rows) => report(await benchImports(server, Math.min(rows, 50_000))),
  // Last, as it turns autovacuum off.
  limit: benchLimit,
}

/** They check no limit, and run only when named. */
const trials = new Set(['growth', 'history', 'storage'])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '1000000' } },
})
const rows = Number(values.rows)
const unknown = positionals.find((name) => !Object.hasOwn(parts, name))
if (unknown !== undefined || !(rows >= 10_000)) {
  console.error(`npm run bench -- [${Object.keys(parts).join(' ')}] [--rows 10000 or more]`)
  process.exit(1)
}
await using server = await openServer()
for (const [name, bench] of Object.entries(parts))
  if (positionals.length === 0 ? !trials.has(name) : positionals.includes(name)) await bench(server, rows)
