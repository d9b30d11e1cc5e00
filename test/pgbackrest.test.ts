// pgBackRest: the files of deploy/pgbackrest and the commands of docs/backup.md bring a PostgreSQL of one's own back to a moment.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { freePort } from '#server/start/free-port.ts'

const deploy = path.join(import.meta.dirname, '../deploy/pgbackrest')
const bin = '/usr/lib/postgresql/15/bin'
const isRoot = process.getuid?.() === 0
const isHere =
  isRoot &&
  spawnSync('pgbackrest', ['version']).status === 0 &&
  spawnSync(`${bin}/postgres`, ['--version']).status === 0
const without = isHere ? '' : ' (not run: it needs root, pgbackrest and postgresql-15)'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-pgbackrest-'))
const at = (name: string) => path.join(folder, name)
/** As the user of the database, as the service would. */
const as = (program: string, ...args: string[]) =>
  execFileSync('setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
  })
afterAll(() => {
  if (fs.existsSync(at('data/postmaster.pid'))) as(`${bin}/pg_ctl`, '-D', at('data'), '-m', 'immediate', 'stop')
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

/** The commands that the documentation has for a restore, and for the rest. */
const documented = () => {
  const page = fs.readFileSync(path.join(import.meta.dirname, '../docs/backup.md'), 'utf8')
  const lines = [...page.matchAll(/^pgbackrest .*$/gm)].map(([line]) => line)
  expect(lines).toHaveLength(4)
  return lines
}

test.runIf(isHere)(`a PostgreSQL of one's own goes back to a moment${without}`, { timeout: 180_000 }, async () => {
  fs.chmodSync(folder, 0o755)
  for (const name of ['data', 'repository', 'log', 'lock', 'spool']) {
    fs.mkdirSync(at(name), { mode: 0o700 })
    execFileSync('chown', ['postgres:', at(name)])
  }
  const port = await freePort()
  const conf = fs
    .readFileSync(path.join(deploy, 'pgbackrest.conf'), 'utf8')
    .replace(/^repo1-path=.*$/m, `repo1-path=${at('repository')}`)
    .replace(/^pg1-path=.*$/m, `pg1-path=${at('data')}`)
    .replace(/^pg1-port=.*$/m, `pg1-port=${port}\npg1-socket-path=${at('lock')}`)
    .replace('[foyer]', `log-path=${at('log')}\nlock-path=${at('lock')}\nspool-path=${at('spool')}\n[foyer]`)
  fs.writeFileSync(at('pgbackrest.conf'), conf, { mode: 0o644 })
  const command = (line: string) =>
    as('sh', '-c', line.replace('pgbackrest ', `pgbackrest --config=${at('pgbackrest.conf')} `))
  as(`${bin}/initdb`, '-D', at('data'), '--auth=trust', '--username=postgres')
  const archive = fs
    .readFileSync(path.join(deploy, 'archive.conf'), 'utf8')
    .replace('pgbackrest ', `pgbackrest --config=${at('pgbackrest.conf')} `)
  const own = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${at('lock')}'\n`
  fs.appendFileSync(path.join(at('data'), 'postgresql.conf'), archive + own)
  const begin = () => as(`${bin}/pg_ctl`, '-D', at('data'), '-w', '-l', path.join(at('log'), 'postgres.log'), 'start')
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const run = async (statement: string) => {
    const client = await connect(url)
    try {
      return (await client.query(statement)).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }

  const [create = '', check = '', backup = '', restore = ''] = documented()
  begin()
  for (const line of [create, check]) command(line)
  await run('create table written (word text)')
  command(backup)
  await run(`insert into written values ('early')`)
  await sleep(1100)
  const [now] = await run(`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as at`)
  await sleep(1100)
  await run(`insert into written values ('late')`)
  as(`${bin}/pg_ctl`, '-D', at('data'), '-m', 'fast', '-w', 'stop')

  command(restore.replace(/"[^"]*"/, `"${String(now?.['at'])}+00"`))
  begin()
  await expect
    .poll(() => run('select word from written where not pg_is_in_recovery()'), { timeout: 60_000 })
    .toEqual([{ word: 'early' }])
  // Nobody without the key reads it.
  const kept = fs
    .readdirSync(at('repository'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
  expect(kept.length).toBeGreaterThan(3)
  for (const { parentPath, name } of kept)
    expect(fs.readFileSync(path.join(parentPath, name)).includes('written')).toBe(false)
})
