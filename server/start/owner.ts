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

/** Gives them a file, or a folder with all that is in it. Not with `recursive` of Node, which goes where links lead. */
export function giveToOwnerIn(directory: string, written: string): void {
  const owner = ownerIn(directory)
  if (!owner) return
  const give = (name: string) => {
    fs.lchownSync(name, owner.uid, owner.gid)
    if (fs.lstatSync(name).isDirectory()) for (const inside of fs.readdirSync(name)) give(path.join(name, inside))
  }
  give(written)
}
