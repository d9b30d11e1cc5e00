// The secret keys: they seal provider tokens, gateway secrets and the passwords of the database's logins. There is one, or two while
// it is being changed: the newest seals, all of them open.

import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { CannotStart } from '#server/start/cannot-start.ts'

/** The newest first. Called at each use, since the file may get another key while the program runs. */
export type SecretKeys = () => Keys
export type Keys = readonly [string, ...string[]]

export const least_characters = 32
export const newSecretKey = () => randomBytes(32).toString('base64url')
const fileIn = (directory: string) => path.join(directory, 'secret-key')

/** The keys in the data directory; the first is made on the first start. Only to be called by the process that holds the directory. */
export function keptSecretKeys(directory: string): SecretKeys {
  if (!fs.existsSync(fileIn(directory))) keepSecretKeys(directory, [newSecretKey()])
  let read = { keys: readKeys(directory), state: '' }
  return () => {
    const { ino, mtimeMs } = fs.statSync(fileIn(directory))
    const state = `${ino} ${mtimeMs}`
    if (state !== read.state) read = { keys: readKeys(directory), state }
    return read.keys
  }
}

/** Written under another name first: a key truncated by a power cut would lock the database. */
export function keepSecretKeys(directory: string, keys: Keys): void {
  const file = fileIn(directory)
  // The program may run as another user than the one who changes its key.
  const owner = fs.statSync(fs.existsSync(file) ? file : directory)
  fs.rmSync(`${file}.new`, { force: true })
  fs.writeFileSync(`${file}.new`, `${keys.join('\n')}\n`, { mode: 0o600, flush: true })
  if (process.getuid?.() === 0) fs.chownSync(`${file}.new`, owner.uid, owner.gid)
  fs.renameSync(`${file}.new`, file)
}

/** As they stand there, the newest first; none where they are a setting. */
export function keysIn(directory: string): string[] {
  const file = fileIn(directory)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

function readKeys(directory: string): Keys {
  const file = fileIn(directory)
  const [newest, ...others] = keysIn(directory)
  if (newest === undefined || [newest, ...others].some((key) => key.trim().length < least_characters))
    throw new CannotStart(`The key in ${file} is damaged. Restore it from a backup, or set SECRET_KEY.`)
  return [newest.trim(), ...others.map((key) => key.trim())]
}
