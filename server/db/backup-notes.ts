// Backup notes: which backups of this installation were made, and what has been tried of them since. Kept in DATA_DIR beside the database
// and not in it: they must be there when it is not.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { giveToOwnerIn } from '#server/start/owner.ts'

export interface BackupNote {
  file: string
  bytes: number
  /** Of the file as it is, encrypted or not. */
  sha256: string
  made_at: string
  is_encrypted: boolean
  /** When all of it was restored into a spare folder, from the stream that became the file. */
  tried_at: string | null
  /** When it was last restored into a spare folder from the file itself, with its identity if it is encrypted. */
  opened_at: string | null
  /** When the file was last compared with its SHA-256, and whether it was the same. */
  compared_at: string | null
  is_same: boolean | null
}

const name = 'backups.json'
const kept_max = 100

/** The newest first. */
export function backupNotes(home: string): BackupNote[] {
  const file = path.join(home, name)
  if (!fs.existsSync(file)) return []
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as BackupNote[]).map((note) => {
    const opened_at = openedElsewhere(note)
    return opened_at !== null && opened_at > (note.opened_at ?? '') ? { ...note, opened_at } : note
  })
}

/** Those that still lie where they were written: of a name that was used again the newest note alone tells, and some files are gone. */
export function backupsThere(home: string): BackupNote[] {
  const notes = backupNotes(home)
  const isNewest = (note: BackupNote) => notes.find(({ file }) => file === note.file) === note
  return notes.filter((note) => isNewest(note) && !isGone(note.file))
}
/** One that may not be looked at is not gone. */
function isGone(file: string): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** The last time of each, by all that is known; null: never. */
export interface LastBackups {
  made_at: string | null
  /** Of one that was restored into a spare folder, while it was made or from its file. */
  tried_at: string | null
  /** From its file. */
  opened_at: string | null
  /** How many of those that are there are not what was written. */
  damaged: number
}

export function lastBackups(home: string): LastBackups {
  const notes = backupNotes(home)
  const last = (at: (note: BackupNote) => string | null) =>
    notes
      .flatMap((note) => at(note) ?? [])
      .toSorted()
      .at(-1) ?? null
  return {
    made_at: last(({ made_at }) => made_at),
    tried_at: last(({ tried_at, opened_at }) => opened_at ?? tried_at),
    opened_at: last(({ opened_at }) => opened_at),
    damaged: backupsThere(home).filter(({ is_same }) => is_same === false).length,
  }
}

function write(home: string, notes: BackupNote[]) {
  const file = path.join(home, name)
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(notes.slice(0, kept_max), null, 2)}\n`, { mode: 0o600 })
  giveToOwnerIn(home, `${file}.new`)
  fs.renameSync(`${file}.new`, file)
}

export const noteBackup = (home: string, note: BackupNote) => write(home, [note, ...backupNotes(home)])

/** What was found of the file with this SHA-256; where it was not made here, nothing is noted. */
export function noteFound(home: string, sha256: string, found: Partial<BackupNote>): void {
  const notes = backupNotes(home)
  if (notes.some((note) => note.sha256 === sha256))
    write(
      home,
      notes.map((note) => (note.sha256 === sha256 ? { ...note, ...found } : note)),
    )
}

/** Written beside a file that was opened, so that the installation hears of a trial on another machine when the folder comes back. */
const openedFile = (file: string) => `${file}.opened.json`
export function tellOpened(file: string, found: { sha256: string; opened_at: string }): void {
  // Whoever brings it back, Foyer reads it there.
  fs.writeFileSync(openedFile(file), `${JSON.stringify(found)}\n`, { mode: 0o644 })
}
function openedElsewhere({ file, sha256 }: BackupNote): string | null {
  try {
    const found = JSON.parse(fs.readFileSync(openedFile(file), 'utf8')) as { sha256?: unknown; opened_at?: unknown }
    return found.sha256 === sha256 && typeof found.opened_at === 'string' ? found.opened_at : null
  } catch {
    return null
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(fs.createReadStream(file), hash)
  return hash.digest('hex')
}
