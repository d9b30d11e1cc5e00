// Runs a command with TEST_DATABASE_URL set to a PostgreSQL 15 of the system, which is started just for it:
//   node scripts/with-postgres-15.mjs npm test

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { giveUp, run } from './processes.mjs'

const programs = process.env.POSTGRES_15 ?? '/usr/lib/postgresql/15/bin'
const [command, ...args] = process.argv.slice(2)
if (!command) giveUp('Which command? For instance: node scripts/with-postgres-15.mjs npm test')
if (!fs.existsSync(programs))
  giveUp(`There is no PostgreSQL 15 in ${programs}; name its folder of programs in POSTGRES_15.`)

// PostgreSQL refuses to run as root; this namespace maps root to another user.
const prefix = process.getuid() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : []
const call = (name, ...options) => [...prefix, path.join(programs, name), ...options]

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-postgres-15-'))
const data = path.join(scratch, 'data')
const port = 20_000 + (process.pid % 12_000)

const [initdb, ...options] = call('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync')
const made = spawnSync(initdb, options, { encoding: 'utf8' })
if (made.status !== 0) giveUp(made.stderr)
const quickly = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']
const [postgres, ...settings] = call(
  'postgres',
  '-D',
  data,
  '-p',
  port,
  '-k',
  '',
  '-c',
  'listen_addresses=127.0.0.1',
  ...quickly,
)
const server = spawn(postgres, settings, { stdio: ['ignore', 'ignore', 'pipe'] })
for await (const text of server.stderr.iterator({ destroyOnReturn: false }))
  if (String(text).includes('ready to accept')) break
server.stderr.resume()

process.exitCode = await run(command, args, {
  env: { TEST_DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres` },
})

server.kill('SIGINT')
await once(server, 'exit')
fs.rmSync(scratch, { recursive: true, force: true })
