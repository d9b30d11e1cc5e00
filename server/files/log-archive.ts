// Log archive: what the embedded database writes is sent to BACKUP_URL within a minute, encrypted, so that any moment since a backup can be
// restored (docs/backup.md).
//
// PostgreSQL puts each part of its log into a folder beside it (server/db/embedded.ts), and removes its own. From there it goes to the
// place; while that does not answer it waits.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { completeRestore } from '#server/db/embedded.ts'
import { claimed_log_place, log_place, reached_log_place, waiting_log } from '#server/db/restore-swap.ts'
import { textOf, underlying } from '#server/errors/thrown.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { encrypted } from './age.ts'
import { openBackupPlace, type BackupPlace } from './backup-place.ts'

/** A segment, the history of a timeline, or where a base backup began. */
const part_pattern = /^(?:[\dA-F]{24}(?:\.[\dA-F]{8}\.backup)?|[\dA-F]{8}\.history)$/
export const placeOfPart = (part: string) => `log/${part}.zst.age`
const every_ms = 2000
/** How long a start waits for a place that says nothing. */
const start_max_ms = 10_000
const compressed = promisify(zstdCompress)

/** Whose log is in a place: parts of two installations, or of one before and after a restore, have the same names. */
const claimed_as = 'log/installation'

interface Archived {
  data_dir: string
  backup_url: string
  backup_recipients: readonly string[]
}

/**
 * To be opened before the database, and closed after it: its last part comes when it stops. A place that was reached before may be
 * away: then the log waits, as it does later.
 *
 * @throws CannotStart if the place has another installation's log, refuses, or was never reached
 */
export async function openLogArchive(
  { data_dir, backup_url, backup_recipients }: Archived,
  log: (line: string) => void,
): Promise<{ close(): Promise<void> }> {
  const place = await openBackupPlace(backup_url)
  completeRestore(data_dir)
  const folder = path.join(data_dir, waiting_log)
  let isClaimed = false
  let isWrong = false

  /** Nothing is sent before it is known that the place is this installation's. */
  async function claimOnce() {
    if (isClaimed) return
    await claim(place, data_dir)
    fs.writeFileSync(path.join(data_dir, reached_log_place), backup_url, { mode: 0o600 })
    isClaimed = true
  }

  async function send(part: string) {
    const file = path.join(folder, part)
    const content = await encrypted(Readable.from([await compressed(await readFile(file))]), backup_recipients)
    await place.put(placeOfPart(part), await buffer(content))
    await rm(file, { force: true })
  }
  async function sendAll() {
    try {
      await claimOnce()
      const names = await readdir(folder).catch(() => [])
      for (const part of names.filter((name) => part_pattern.test(name)).toSorted()) await send(part)
      if (isWrong) log('The log of the database is archived again.')
      isWrong = false
    } catch (error) {
      if (!isWrong)
        log(
          `The log of the database cannot be archived to BACKUP_URL (${textOf(underlying(error))}). It waits in ${folder}.`,
        )
      isWrong = true
    }
  }

  // A mark alone may be of the place that was named before.
  const wasReached = markIn(data_dir) !== null && readIn(data_dir, reached_log_place) === backup_url
  const claiming = claimOnce()
  const isLate = sleep(start_max_ms, undefined, { ref: false })
  await (wasReached ? Promise.race([claiming, isLate]) : claiming).catch(async (error: unknown) => {
    if (error instanceof CannotStart) throw error
    if (!wasReached || !(await place.isAway(error))) throw unusable(error)
  })

  const over = new AbortController()
  const running = (async () => {
    while (!over.signal.aborted) {
      await sendAll()
      await sleep(every_ms, undefined, { signal: over.signal }).catch(() => {})
    }
  })()
  return {
    async close() {
      over.abort()
      await running
      await sendAll()
    },
  }
}

/** How long, in seconds, the oldest part has waited; 0 where none does. */
export async function logWaiting_s(data_dir: string): Promise<number> {
  const folder = path.join(data_dir, waiting_log)
  const names = (await readdir(folder).catch(() => [])).filter((name) => part_pattern.test(name))
  // One that is sent meanwhile is gone.
  const written = await Promise.all(
    names.map((name) =>
      stat(path.join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => Date.now(),
      ),
    ),
  )
  return Math.max(0, Date.now() - Math.min(Date.now(), ...written)) / 1000
}

async function claim(place: BackupPlace, data_dir: string): Promise<void> {
  const claiming = path.join(data_dir, claimed_log_place)
  const own = markIn(data_dir) ?? readIn(data_dir, claimed_log_place)
  const claimed = await markOf(place)
  if (claimed !== null && claimed !== own)
    throw new CannotStart(
      'BACKUP_URL has the log of another installation, or of this one before it was restored: parts of both would have the same names. ' +
        'Choose an empty place, and make a backup once Foyer runs.',
    )
  if (claimed === null) {
    const mark = own ?? randomUUID()
    // Written here first: a mark in the place that nobody has would close it for ever.
    fs.writeFileSync(claiming, mark, { mode: 0o600 })
    await place.put(claimed_as, Buffer.from(mark))
  }
  if (fs.existsSync(claiming)) fs.renameSync(claiming, path.join(data_dir, log_place))
}

/** Whether a place has the log of what is in this directory: after a restore both have parts of the same names. */
export async function hasLogOf(place: BackupPlace, data_dir: string): Promise<boolean> {
  const own = markIn(data_dir)
  const claimed = await markOf(place).catch((error: unknown) => {
    throw unusable(error)
  })
  return own !== null && own === claimed
}

/** Of the place that a directory's log goes to, once it was reached. */
const markIn = (data_dir: string) => readIn(data_dir, log_place)

function readIn(data_dir: string, name: string): string | null {
  const file = path.join(data_dir, name)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}

const markOf = async (place: BackupPlace) => (await place.read(claimed_as))?.toString() ?? null

function unusable(error: unknown): CannotStart {
  return new CannotStart(
    `BACKUP_URL cannot be used: ${textOf(underlying(error))}. Check that Foyer may write there; under systemd its unit has to ` +
      'name a folder as ReadWritePaths=, too.',
  )
}
