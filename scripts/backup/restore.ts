// Restore: brings a backup back. It is unpacked next to the present data, checked against its checksums and started once before
// anything existing is touched; then it takes effect in one step (server/db/restore-swap.ts).
import fs from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { openedFile } from '#server/files/age.ts'
import type { Manifest } from '#scripts/backup/manifest.ts'
import { recoverOnce, type Recovery } from '#scripts/backup/recover.ts'
import { removeStaged, startOnce, tryOut, unpack } from '#scripts/backup/unpack.ts'
import { noteFound, sha256Of, tellOpened } from '#server/db/backup-notes.ts'
import { lockDirectory } from '#server/db/directory-lock.ts'
import { commitRestore, finishRestore } from '#server/db/restore-swap.ts'
import { openBackupPlace } from '#server/files/backup-place.ts'
import { openStorage } from '#server/files/open-storage.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { Config } from '#server/start/config.ts'
import { checkSettings } from '#server/start/kept-settings.ts'

const staged_prefix = 'restoring-'

export interface Trial {
  config: Config
  file: string
  /** The file with the identity that an encrypted backup is opened with. */
  identity?: string | null
  log: (line: string) => void
  /** From 0 to 1. */
  progress: (part: number) => void
}
export interface Restore extends Trial {
  /** Existing data may be moved aside. */
  replace: boolean
  /** Brings it forward by the archived log; null: it stays as it was when it was made. */
  to?: Recovery['to'] | null
}
export interface Restored extends Manifest {
  customers: number
  /** Where the former data are kept; null if there were none. */
  kept: string | null
}

export async function restore({
  config,
  file,
  identity = null,
  replace,
  to = null,
  log,
  progress,
}: Restore): Promise<Restored> {
  refuseOwnServer(config, file)
  checkSettings(config)
  const place = to === null ? null : await openLog(config)
  const home = config.data_dir
  await mkdir(home, { recursive: true, mode: 0o700 })
  const release = lockDirectory(home)
  try {
    finishRestore(home)
    await clearUnfinished(home)
    if (fs.existsSync(path.join(home, 'pg18')) && !replace)
      throw new CannotStart(
        `There is a database in ${home} already. To put it aside and restore anyway: npm run restore ${file} replace`,
      )
    const staged = await mkdtemp(path.join(home, staged_prefix))
    const manifest = await unpack(await openedFile(file, { identity, progress }), file, staged)
    if (to instanceof Date && manifest.made_at > to.toISOString())
      throw new CannotStart(
        `This backup was made at ${manifest.made_at}, after ${to.toISOString()}. Name an earlier one.`,
      )
    log('Everything is as it was backed up. Starting its database once')
    const { customers } =
      to !== null && place !== null ? await recoverOnce(staged, { to, place, identity, home }) : await startOnce(staged)
    await placeFiles(staged, config.storage_url)
    commitRestore(staged, home)
    return { ...manifest, customers, kept: finishRestore(home) }
  } finally {
    await clearUnfinished(home)
    release()
  }
}

function openLog({ backup_url }: Config) {
  if (backup_url === null)
    throw new CannotStart('--to needs the log of the database: set BACKUP_URL to where it was archived.')
  return openBackupPlace(backup_url)
}

/** Restores it into a spare folder and removes that again; Foyer may be running. Noted for the installation that made it. */
export async function tryRestore({ config, file, identity = null, log, progress }: Trial) {
  refuseOwnServer(config, file)
  const sha256 = await sha256Of(file)
  const found = await tryOut(await openedFile(file, { identity, progress }), file, {
    home: config.data_dir,
    reserve_bytes: config.disk_reserve_bytes,
  })
  const opened_at = new Date().toISOString()
  noteFound(config.data_dir, sha256, { opened_at, compared_at: opened_at, is_same: true })
  try {
    tellOpened(file, { sha256, opened_at })
  } catch {
    log(`Nothing could be written beside ${file}, so the installation that made it will not know of this test.`)
  }
  return found
}

function refuseOwnServer(config: Config, file: string) {
  if (config.database_url)
    throw new CannotStart(
      'DATABASE_URL names a server of your own: restore it with its own tools. docs/backup.md says how.',
    )
  if (!fs.existsSync(file)) throw new CannotStart(`There is no file ${file}.`)
}

/** Removes unfinished restores, of this run or earlier ones. */
async function clearUnfinished(home: string) {
  for (const name of fs.readdirSync(home)) if (name.startsWith(staged_prefix)) await removeStaged(path.join(home, name))
}

/** Customers' files are only ever added, as they are named by their content. */
async function placeFiles(staged: string, storage_url: string) {
  const storage = await openStorage(storage_url)
  const root = path.join(staged, 'files')
  if (!fs.existsSync(root)) return
  for (const customer of fs.readdirSync(root))
    for (const hash of fs.readdirSync(path.join(root, customer))) {
      const stored = await storage.put(Number(customer), fs.readFileSync(path.join(root, customer, hash)))
      if (stored !== hash) throw new CannotStart(`The file ${hash} is not what its name says.`)
    }
  await rm(root, { recursive: true })
}
