// Restore swap: how a restored database replaces the former one. Renaming its complete folder is the decision: from then on every
// start goes on with the exchange, wherever it was interrupted, and before that nothing is touched.
import fs from 'node:fs'
import path from 'node:path'
import { giveToOwnerIn } from '#server/start/owner.ts'

/** The parts of the database in a data directory. Customers' files are named by their content and only ever added. */
export const parts = ['pg18', 'pg18.password', 'secret-key'] as const
/** Whose log is archived where, and what was not yet (server/files/log-archive.ts): a restored database begins another one. */
export const log_place = 'log-place'
/** What is to be said of it, before its place has it. */
export const claimed_log_place = 'log-place.new'
/** The address at which it was last reached. */
export const reached_log_place = 'log-place.reached'
export const waiting_log = 'log-waiting'

const decided = 'restored'
const replaced = 'replaced'

/** Makes the restored database the one that counts. `staged` must be in the data directory, too. */
export function commitRestore(staged: string, home: string) {
  syncFolder(staged)
  fs.renameSync(staged, path.join(home, decided))
  syncFolder(home)
}

/** Completes an exchange that was decided. Returns where the former database is kept; null if there was none. */
export function finishRestore(home: string): string | null {
  const restored = path.join(home, decided)
  if (!fs.existsSync(restored)) return null
  const before = path.join(restored, replaced)
  fs.mkdirSync(before, { recursive: true, mode: 0o700 })
  giveToOwnerIn(home, before)
  for (const part of parts) {
    // A missing part was exchanged by an earlier attempt.
    if (!fs.existsSync(path.join(restored, part))) continue
    const place = path.join(home, part)
    if (fs.existsSync(place)) fs.renameSync(place, path.join(before, part))
    fs.renameSync(path.join(restored, part), place)
  }
  for (const part of [log_place, claimed_log_place, reached_log_place, waiting_log])
    if (fs.existsSync(path.join(home, part))) fs.renameSync(path.join(home, part), path.join(before, part))
  syncFolder(home)
  const nothing = fs.readdirSync(before).length === 0
  const kept = path.join(home, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  if (nothing) fs.rmSync(restored, { recursive: true, force: true })
  else {
    fs.renameSync(before, kept)
    fs.rmSync(restored, { recursive: true, force: true })
  }
  return nothing ? null : kept
}

export function syncFolder(folder: string) {
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
