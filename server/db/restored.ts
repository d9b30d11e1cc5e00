// Restored: how a restored database takes the place of the one before. It lies complete in a folder whose name is the
// decision: from then on every start goes on with the exchange, wherever it was cut off, and before that nothing is touched.
import fs from 'node:fs'
import path from 'node:path'

/** What makes up the database of a data directory. Customers' files are named by their content and only ever added. */
export const parts = ['pg18', 'pg18.password', 'secret-key'] as const

const decided = 'restored'
const replaced = 'replaced'

/** From here on the restored database is the one that counts. `staged` lies in the data directory, too. */
export function decideFor(staged: string, home: string) {
  syncFolder(staged)
  fs.renameSync(staged, path.join(home, decided))
  syncFolder(home)
}

/** Goes on with an exchange that was decided. Answers where what was there before is kept; null where there was nothing. */
export function finishRestore(home: string): string | null {
  const restored = path.join(home, decided)
  if (!fs.existsSync(restored)) return null
  const before = path.join(restored, replaced)
  fs.mkdirSync(before, { recursive: true, mode: 0o700 })
  for (const part of parts) {
    // What is not here any more was exchanged by an earlier try.
    if (!fs.existsSync(path.join(restored, part))) continue
    const place = path.join(home, part)
    if (fs.existsSync(place)) fs.renameSync(place, path.join(before, part))
    fs.renameSync(path.join(restored, part), place)
  }
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
