// Directory lock: locks a directory for one process at a time, until that process ends, however it ends.

import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from '#server/start/cannot-start.ts'
import { giveToOwnerIn } from '#server/start/owner.ts'

/** Caught by commands that can work while another process has the directory locked. */
export class DirectoryInUse extends CannotStart {}

const sqlite_busy = 5

/**
 * Locks the directory for this process, or refuses. Returns a function that releases it.
 *
 * A file with a process id would outlive `kill -9`, and the id would one day belong to another process. The kernel's file
 * locks end with their process; Node has no call for them, but its built-in SQLite takes one.
 */
export function lockDirectory(directory: string): () => void {
  const pidFile = path.join(directory, 'foyer.pid')
  const lockFile = path.join(directory, 'lock')
  const lock = new DatabaseSync(lockFile)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== sqlite_busy) throw error
    const holder = fs.existsSync(pidFile) ? ` (process ${fs.readFileSync(pidFile, 'utf8').trim()})` : ''
    throw new DirectoryInUse(
      `Another Foyer${holder} already uses the data directory ${directory}. ` +
        'Stop it first, or give this one a directory of its own with DATA_DIR.',
    )
  }
  // Only for people: for the message above, and for finding the process.
  fs.writeFileSync(pidFile, `${process.pid}\n`)
  for (const file of [pidFile, lockFile]) giveToOwnerIn(directory, file)
  return () => {
    fs.rmSync(pidFile, { force: true })
    lock.close()
  }
}
