// Command database: opens the database for an operator's command, also while Foyer runs. An embedded database has then been started by the
// process that uses the data directory, and its port and password are in files there.

import fs from 'node:fs'
import path from 'node:path'
import type { Config } from '#server/start/config.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { checkSettings } from '#server/start/kept-settings.ts'
import { DirectoryInUse } from '#server/db/directory-lock.ts'
import { prepareDatabase } from '#server/db/logins.ts'
import { openDatabase, secretKeysOf, type OpenedDatabase } from '#server/db/open.ts'

type CommandDatabase = OpenedDatabase & { ownerUrl: string }

export async function openCommandDatabase(config: Config, log?: (line: string) => void): Promise<CommandDatabase> {
  const data = path.join(config.data_dir, 'pg18')
  if (!config.database_url && !fs.existsSync(data))
    throw new CannotStart(`There is no installation in ${config.data_dir}. Name its directory with DATA_DIR.`)
  if (!config.database_url) checkSettings(config)
  const opened = await openDatabase(config, { log }).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) return connectTo(config, data)
    throw error
  })
  const { ownerUrl } = opened
  if (ownerUrl !== null) return { ...opened, ownerUrl }
  await opened.stop()
  throw new CannotStart('This command works on all customers: give it DATABASE_OWNER_URL, too.')
}

async function connectTo(config: Config, data: string): Promise<OpenedDatabase> {
  const url = embeddedUrl(data, 'foyer')
  const secretKeys = secretKeysOf(config)
  return { secretKeys, ...(await prepareDatabase({ url, secretKeys })), stop: () => Promise.resolve() }
}

/** The superuser's URL of the embedded database that another process runs. */
export function embeddedUrl(data: string, database: string): string {
  const port = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[3]
  const password = fs.readFileSync(`${data}.password`, 'utf8').trim()
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
}
