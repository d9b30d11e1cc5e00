// Embedded database: a PostgreSQL of our own in the data directory, which runs exactly as long as this process.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockDirectory } from '#server/db/directory-lock.ts'
import { textOf } from '#server/errors/thrown.ts'
import { endStaleServer } from '#server/db/stale-server.ts'
import { findPrograms, type Program, type Programs } from '#server/db/programs.ts'
import { finishRestore, waiting_log } from '#server/db/restore-swap.ts'
import { freePort } from '#server/start/free-port.ts'
import { CannotStart } from '#server/start/cannot-start.ts'

const patience_ms = 60_000
const restarts_a_minute = 3
/** PostgreSQL ends a part of its log at least so often, if anything was written: what is older is on its way. */
const part_max_s = 30
/** Messages of PostgreSQL, the C library and initdb about a full disk. */
const disk_full = /No space left on device|Disk quota exceeded/
const look_for_room_ms = 2000

export type Embedded = {
  /** The superuser's URL. It stays the same when the database has to be restarted. */
  url: string
  stop: () => Promise<void>
}

type Options = {
  directory: string
  /** For tests: several times faster, and not safe against power loss. */
  fast?: boolean
  /** Its log is put into the folder `waiting_log`. */
  archive?: boolean
  /** For a restore: how the log is read, and up to where (scripts/backup/recover.ts). */
  recovery?: Record<string, string>
  log?: (line: string) => void
  /** Called when the database has stopped by itself and cannot be restarted. */
  lost?: (reason: unknown) => void
}

/** Creates the database if there is none, and starts it. Refuses if another process uses the directory. */
export async function startEmbedded({
  directory,
  fast = false,
  archive = false,
  recovery = {},
  log = () => {},
  lost = () => {},
}: Options): Promise<Embedded> {
  const home = openDirectory(directory)
  const release = lockDirectory(home)
  try {
    finishRestore(home)
    // The name contains the major version, because another one cannot read these files.
    const data = path.join(home, 'pg18')
    const programs = findPrograms(data)
    const passwordFile = path.join(home, 'pg18.password')
    if (!fs.existsSync(path.join(data, 'PG_VERSION'))) {
      log('Making the database')
      await makeCluster(programs, data, passwordFile, fast)
    }
    const password = fs.readFileSync(passwordFile, 'utf8').trim()
    const port = await freePort()
    if (archive) openWaiting(home, programs)
    const more = { ...recovery, ...(archive && archiving) }
    const server = await keepRunning(() => startServer({ programs, data, port, fast, more, log }), log, lost)
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      async stop() {
        await server.stop()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/** For what has to know, before the database starts, whose directory this is: its own, or still that of the one before a restore. */
export function completeRestore(directory: string): void {
  const home = openDirectory(directory)
  const release = lockDirectory(home)
  try {
    finishRestore(home)
  } finally {
    release()
  }
}

function openDirectory(directory: string): string {
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
    fs.accessSync(directory, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    return fs.realpathSync(directory)
  } catch (error) {
    throw new CannotStart(
      `Foyer cannot use the data directory ${directory} (${textOf(error)}). ` +
        'Start Foyer as the user to whom it belongs, or set DATA_DIR to another directory.',
    )
  }
}

/** A part has its name once it is on the disk; PostgreSQL keeps its own until then. Seen from PostgreSQL's own folder. */
const archiving = {
  archive_mode: 'on',
  archive_timeout: `${part_max_s}s`,
  archive_command:
    `cp "%p" "../${waiting_log}/%f.new" && sync "../${waiting_log}/%f.new" && ` +
    `mv "../${waiting_log}/%f.new" "../${waiting_log}/%f"`,
}

function openWaiting(home: string, { user }: Programs) {
  const folder = path.join(home, waiting_log)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (user) fs.chownSync(folder, user.uid, user.gid)
}

/** Created under another name until it is complete, so that an interrupted start leaves no half-made database. */
async function makeCluster(programs: Programs, data: string, passwordFile: string, fast: boolean): Promise<void> {
  const home = path.dirname(data)
  for (const name of fs.readdirSync(home))
    if (name.startsWith('pg18.new-')) fs.rmSync(path.join(home, name), { recursive: true, force: true })
  const unfinished = fs.mkdtempSync(`${data}.new-`)
  fs.writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  if (programs.user) {
    // Another user must be able to enter the directory, but not to list it.
    fs.chmodSync(home, 0o711)
    for (const file of [unfinished, passwordFile]) fs.chownSync(file, programs.user.uid, programs.user.gid)
  }
  const initdb = programs.call('initdb', [
    `--pgdata=${unfinished}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    // The C locale folds no letters beyond ASCII; ICU's root collation sorts and folds every language acceptably.
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=und',
    ...(fast ? ['--no-sync'] : []),
  ])
  const { status, output } = await finished(initdb)
  if (status !== 0) {
    const who = programs.user ? ` (as user ${programs.user.uid}, who must be able to reach this directory)` : ''
    throw new CannotStart(`The database could not be made in ${home}${who}: ${output.trim()}`)
  }
  fs.renameSync(unfinished, data)
}

function finished({ command, args, ...user }: Program): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...user, env: environment(), stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output }))
  })
}

type Server = {
  stop: () => Promise<void>
  /** Resolves with the end of its log when the server has ended, for whatever reason. */
  ended: Promise<string>
}

/** Restarts a server that stops by itself, such as one that ran out of memory, and gives up if that does not help. */
async function keepRunning(start: () => Promise<Server>, log: (line: string) => void, lost: (reason: unknown) => void) {
  let stopping = false
  let current = start()
  let restarts: number[] = []
  await current

  const watch = async () => {
    for (;;) {
      const serverLog = await (await current).ended
      if (stopping) return
      if (disk_full.test(serverLog)) {
        log('The database stopped because the disk is full; it is started again as soon as there is room')
        current = startWithRoom()
        continue
      }
      restarts = [...restarts.filter((at) => at > Date.now() - 60_000), Date.now()]
      if (restarts.length > restarts_a_minute) return lost(new Error(`The database keeps stopping: ${serverLog}`))
      log('The database stopped by itself; starting it again')
      current = start()
    }
  }
  /** Recovery needs some room, too: retried for as long as there is none. */
  const startWithRoom = async (): Promise<Server> => {
    for (;;) {
      await sleep(look_for_room_ms, undefined, { ref: false })
      if (stopping) throw new Error('stopping')
      try {
        return await start()
      } catch (error) {
        if (!disk_full.test(textOf(error))) throw error
      }
    }
  }
  watch().catch(lost)

  return {
    async stop() {
      stopping = true
      await current.then((server) => server.stop()).catch(() => {})
    },
  }
}

type Cluster = {
  programs: Programs
  data: string
  port: number
  fast: boolean
  more: Record<string, string>
  log: (line: string) => void
}

/** Resolves when the server answers. */
async function startServer({ programs, data, port, fast, more, log }: Cluster): Promise<Server> {
  const staleProcess = await endStaleServer(data, log)
  const postgres = programs.call('postgres', [
    '-D',
    data,
    ...settings({ port, listen_addresses: '127.0.0.1', unix_socket_directories: '' }),
    ...settings({ timezone: 'UTC', log_timezone: 'UTC', log_checkpoints: 'off' }),
    // Statements that fail stay out of the log: the app reports its own errors, and these would quote guests' data.
    ...settings({ log_min_messages: 'log', log_min_error_statement: 'panic' }),
    ...settings(more),
    ...(fast ? settings({ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }) : []),
  ])
  const deadline = Date.now() + patience_ms
  for (;;) {
    const server = launch(postgres, staleProcess)
    const failure = await Promise.race([server.ready.then(() => null), server.ended])
    if (failure === null) return server
    // What a killed server leaves behind (its child processes, its port) disappears within moments.
    const passing = /shared memory block|Address already in use/.test(failure)
    if (!passing || Date.now() > deadline)
      throw new CannotStart(`The database in ${data} does not start: ${failure.trim()}`)
    await sleep(200)
  }
}

const settings = (values: Record<string, string | number>) =>
  Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/**
 * Runs postgres under a small shell that shuts it down as soon as its own standard input closes. That happens when this
 * process ends, even by `kill -9`, so no orphan keeps the data directory. The input moves to descriptor 3 first, because
 * POSIX gives background processes /dev/null as their input.
 */
const watchdog = `
  exec 3<&0
  "$@" </dev/null 3<&- & server=$!
  (read -r _ <&3; kill -INT $server) 2>/dev/null & watcher=$!
  exec 3<&-
  wait $server; status=$?
  kill $watcher 2>/dev/null
  exit $status`

function launch({ command, args, ...user }: Program, staleProcess: number | null): Server & { ready: Promise<void> } {
  const child = spawn('sh', ['-c', watchdog, 'sh', command, ...args], {
    ...user,
    // A session of its own, so that Ctrl-C in the terminal reaches only this process, which stops the database last.
    detached: true,
    env: environment(staleProcess),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // The shell may already be gone when its input is closed.
  child.stdin.on('error', () => {})
  let serverLog = ''
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(serverLog))
  })
  const ready = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      serverLog = (serverLog + text).slice(-4000)
      if (serverLog.includes('ready to accept connections')) resolve()
    })
  })
  return {
    ready,
    ended,
    async stop() {
      child.stdin.end()
      // A database that needs longer goes on by itself; the next start waits for it.
      await Promise.race([ended, sleep(patience_ms, undefined, { ref: false })])
    },
  }
}

/** Only what PostgreSQL needs: a library path or a PG… variable of the caller must not change how it runs. */
function environment(staleProcess: number | null = null): NodeJS.ProcessEnv {
  const { PATH } = process.env
  // A test that sets this process's clock with libfaketime must set the database's, too, or the two would disagree.
  const clock = Object.entries(process.env).filter(([name]) => /^(FAKETIME|LD_PRELOAD$|NO_FAKE_)/.test(name))
  // PG_GRANDPARENT_PID is how pg_ctl tells postgres that the process with this id is not another server.
  return {
    PATH,
    LC_ALL: 'C',
    ...(clock.some(([name]) => name.startsWith('FAKETIME')) && Object.fromEntries(clock)),
    ...(staleProcess && { PG_GRANDPARENT_PID: String(staleProcess) }),
  }
}
