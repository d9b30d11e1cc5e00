// Kept settings: which of the settings that say where an installation is, and who may read its backups, its node was given. Their names
// are in the data directory, so that a command that was not given one refuses: it would leave out files, or write them in the open.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { Config } from '#server/start/config.ts'

type Given = Pick<Config, 'data_dir' | 'secret_keys' | 'storage_url' | 'backup_url' | 'backup_recipients'>

const fileIn = (data_dir: string) => path.join(data_dir, 'settings.json')

function namesOf({ data_dir, secret_keys, storage_url, backup_url, backup_recipients }: Given): string[] {
  const given = {
    SECRET_KEY: secret_keys !== null,
    STORAGE_URL: storage_url !== pathToFileURL(path.join(data_dir, 'files')).href,
    BACKUP_URL: backup_url !== null,
    BACKUP_RECIPIENT: backup_recipients.length > 0,
  }
  return Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []))
}

/** At each start of the node that runs the embedded database. */
export function keepSettings(config: Given): void {
  const file = fileIn(config.data_dir)
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(namesOf(config))}\n`, { mode: 0o600 })
  fs.renameSync(`${file}.new`, file)
}

/**
 * For a command on the embedded database.
 *
 * @throws CannotStart
 */
export function checkSettings(config: Given): void {
  const file = fileIn(config.data_dir)
  if (!fs.existsSync(file)) return
  const given = namesOf(config)
  const missing = (JSON.parse(fs.readFileSync(file, 'utf8')) as string[]).filter((name) => !given.includes(name))
  if (missing.length === 0) return
  throw new CannotStart(
    `Foyer last started here with ${missing.join(' and ')}, and this command was started without. Give it the settings of Foyer ` +
      `(docs/backup.md says how); if Foyer has them no more, start it once, or remove ${file}.`,
  )
}
