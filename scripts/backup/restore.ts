// Restore: brings a backup back. It is unpacked next to the present data, checked against its checksums and started once before
// anything existing is touched; then it takes effect in one step (server/db/restore-swap.ts).
import fs from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { manifest_name, readManifest, type Manifest } from '#scripts/backup/manifest.ts'
import { readArchive, type Entry } from '#scripts/backup/archive.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { lockDirectory } from '#server/db/directory-lock.ts'
import { connect } from '#server/db/logins.ts'
import { findPrograms } from '#server/db/programs.ts'
import { commitRestore, finishRestore } from '#server/db/restore-swap.ts'
import { openStorage } from '#server/files/open-storage.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { Config } from '#server/start/config.ts'

const staged_prefix = 'restoring-'
/** The entries that a backup may have; nothing else is unpacked. */
const known =
  /^(?:about\.json|secret-key|pg18\.password|pg18\/(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w./-]*|files\/\d{1,10}\/[\da-f]{64})$/

export interface Restore {
  config: Config
  file: string
  /** Existing data may be moved aside. */
  replace: boolean
  log: (line: string) => void
  /** From 0 to 1. */
  progress: (part: number) => void
}
export interface Restored extends Manifest {
  customers: number
  /** Where the former data are kept; null if there were none. */
  kept: string | null
}

export async function restore({ config, file, replace, log, progress }: Restore): Promise<Restored> {
  if (config.database_url)
    throw new CannotStart(
      'DATABASE_URL names a server of your own: restore it with its own means. docs/backup.md says how.',
    )
  if (!fs.existsSync(file)) throw new CannotStart(`There is no file ${file}.`)
  const home = config.data_dir
  await mkdir(home, { recursive: true, mode: 0o700 })
  const release = lockDirectory(home)
  try {
    finishRestore(home)
    await clearUnfinished(home)
    if (fs.existsSync(path.join(home, 'pg18')) && !replace)
      throw new CannotStart(
        `There is a database in ${home} already. To put it aside and restore all the same: npm run restore ${file} replace`,
      )
    const staged = await mkdtemp(path.join(home, staged_prefix))
    const manifest = await unpack(file, staged, progress)
    log('All of it is as it was backed up. Starting its database once')
    const customers = await startOnce(staged)
    await placeFiles(staged, config.storage_url)
    commitRestore(staged, home)
    return { ...manifest, customers, kept: finishRestore(home) }
  } finally {
    await clearUnfinished(home)
    release()
  }
}

/** Removes unfinished restores, of this run or earlier ones. */
async function clearUnfinished(home: string) {
  for (const name of fs.readdirSync(home))
    // The database of a killed restore may still be shutting down.
    if (name.startsWith(staged_prefix))
      await rm(path.join(home, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
}

async function unpack(file: string, staged: string, progress: (part: number) => void): Promise<Manifest> {
  let manifest: Manifest | undefined
  const bytes_total = fs.statSync(file).size
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      progress(bytes / bytes_total)
      done(null, chunk)
    },
  })
  const source = fs.createReadStream(file)
  source.on('error', (error) => counted.destroy(error))
  await readArchive(source.pipe(counted), file, async ({ name, content }: Entry) => {
    if (!known.test(name)) throw new Error(`it holds ${name}, which no backup does`)
    if (name === manifest_name && content) manifest = readManifest(await text(content), file)
    else if (!manifest) throw new CannotStart(`${file} is no backup of Foyer.`)
    else await place(path.join(staged, name), content)
  })
  if (!manifest) throw new CannotStart(`${file} is no backup of Foyer.`)
  return manifest
}

async function place(at: string, content: Readable | null) {
  await mkdir(content === null ? at : path.dirname(at), { recursive: true, mode: 0o700 })
  if (content !== null) await pipeline(content, fs.createWriteStream(at, { mode: 0o600, flags: 'wx' }))
}

/** Lets PostgreSQL replay the copied log and write its files to the disk; returns the number of customers. */
async function startOnce(staged: string): Promise<number> {
  changeOwner(staged)
  const database = await startEmbedded({ directory: staged })
  try {
    const client = await connect(new URL('/foyer', database.url).href)
    try {
      const { rows } = await client.query<{ customers: number }>('select count(*)::int as customers from customers')
      return rows[0]?.customers ?? 0
    } finally {
      await client.end()
    }
  } finally {
    await database.stop()
  }
}

/** If PostgreSQL runs as another user, its files must belong to that user. */
function changeOwner(staged: string) {
  const { user } = findPrograms(path.join(staged, 'none'))
  if (!user) return
  const give = (name: string) => fs.chownSync(name, user.uid, user.gid)
  for (const above of [path.dirname(staged), staged]) fs.chmodSync(above, 0o711)
  give(path.join(staged, 'pg18.password'))
  give(path.join(staged, 'pg18'))
  for (const name of fs.readdirSync(path.join(staged, 'pg18'), { recursive: true }))
    give(path.join(staged, 'pg18', String(name)))
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
