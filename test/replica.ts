// Replica: a second PostgreSQL that follows another by streaming replication, as an operator would set it up.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openBaseBackup } from '#server/db/base-backup.ts'
import { connect } from '#server/db/logins.ts'
import { findPrograms } from '#server/db/programs.ts'
import { freePort } from '#server/start/free-port.ts'

/**
 * @param url a superuser's address of the primary
 * @param followed the data directory of the primary; both run as the same user
 */
export async function startReplica(url: string, followed: string, home: string) {
  const data = path.join(home, 'replica')
  fs.mkdirSync(data, { mode: 0o700 })
  const backup = await openBaseBackup(url)
  const unpack = spawn('tar', ['-x', '--no-same-owner', '-C', data], { stdio: ['pipe', 'inherit', 'inherit'] })
  const unpacked = once(unpack, 'exit')
  await pipeline(backup.tar, unpack.stdin)
  await unpacked
  await backup.close()
  const { hostname, port: source, username, password } = new URL(url)
  const login = `host=${hostname} port=${source} user=${username} password=${password}`
  fs.appendFileSync(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${login}'\n`)
  fs.writeFileSync(path.join(data, 'standby.signal'), '')
  const programs = findPrograms(followed)
  if (programs.user) {
    fs.chmodSync(home, 0o711)
    await once(spawn('chown', ['-R', `${programs.user.uid}:${programs.user.gid}`, data]), 'exit')
  }
  const port = await freePort()

  async function start() {
    const options = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, fsync: 'off' }
    const set = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { command, args, ...user } = programs.call('postgres', ['-D', data, ...set])
    const server = spawn(command, args, { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
    let log = ''
    await new Promise<void>((resolve, reject) => {
      server.once('exit', () => reject(new Error(`The replica did not start: ${log}`)))
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text
        if (/ready to accept (read-only )?connections/.test(log)) resolve()
      })
    })
    return server
  }
  let server = await start()
  async function end(signal: NodeJS.Signals) {
    if (server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }
  const at = new URL(url)
  at.port = String(port)

  async function run(statement: string) {
    const client = await connect(at.href)
    try {
      return (await client.query(statement)).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }
  return {
    /** A superuser's address. */
    url: at.href,
    run,
    /** It still receives changes, but does not show them. */
    pause: () => run('select pg_wal_replay_pause()'),
    resume: () => run('select pg_wal_replay_resume()'),
    /** Its data directory, for a copy of this copy. */
    data,
    /** From now on it takes what is written itself. */
    promote: () => run('select pg_promote()'),
    stop: () => end('SIGINT'),
    /** As a power cut does. */
    kill: () => end('SIGKILL'),
    async start() {
      server = await start()
    },
  }
}
