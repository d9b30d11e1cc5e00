// Holding a directory: one process at a time, until that process ends, however it ends.

import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from '#server/start/cannot-start.ts'

/** What wants to work beside the process that holds the directory goes on from here. */
export class DirectoryInUse extends CannotStart {}

const sqlite_busy = 5

/**
 * Takes the directory for this process, or refuses. Returns the function that lets it go.
 *
 * A file with a process id would outlive `kill -9`, and its id would one day belong to someone else. The kernel's file
 * locks die with their holder; Node has no call for them, but the SQLite inside it takes one.
 */
export function holdDirectory(directory: string): () => void {
  const pidFile = path.join(directory, 'foyer.pid')
  const lock = new DatabaseSync(path.join(directory, 'lock'))
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
  // Only for people: the message above, and whoever looks for the process.
  fs.writeFileSync(pidFile, `${process.pid}\n`)
  return () => {
    fs.rmSync(pidFile, { force: true })
    lock.close()
  }
}
