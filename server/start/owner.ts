// Owner: an operator's commands run as root, beside a service that runs as another user. What root writes into a directory of that user is
// given to them: the service could not read it, and would not start.
import fs from 'node:fs'
import path from 'node:path'

/** To whom root gives what it writes into a directory. Null: it is theirs already. */
export function ownerIn(directory: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const { uid, gid } = fs.statSync(directory)
  return uid === 0 ? null : { uid, gid }
}

/** Gives them a file, or a folder with all that is in it. */
export function giveToOwnerIn(directory: string, written: string): void {
  const owner = ownerIn(directory)
  if (!owner) return
  const inside = fs.lstatSync(written).isDirectory() ? fs.readdirSync(written, { recursive: true }) : []
  for (const name of ['', ...inside]) fs.lchownSync(path.join(written, String(name)), owner.uid, owner.gid)
}
