// The secret key: seals provider tokens and gateway secrets, and makes the passwords of the database logins.

import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { CannotStart } from '#server/start/cannot-start.ts'

/** The key kept in the data directory, made on the first start. Only the process that holds the directory may call this. */
export function keptSecretKey(directory: string): string {
  const file = path.join(directory, 'secret-key')
  if (!fs.existsSync(file)) {
    // Under another name first: a key cut short by a power cut would lock the database.
    fs.writeFileSync(`${file}.new`, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
    fs.renameSync(`${file}.new`, file)
  }
  const key = fs.readFileSync(file, 'utf8').trim()
  if (key.length < 32)
    throw new CannotStart(`The key in ${file} is damaged. Restore it from a backup, or set SECRET_KEY.`)
  return key
}
