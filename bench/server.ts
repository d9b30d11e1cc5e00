// Server: the PostgreSQL of a run, with a database for each bench.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbedded } from '#server/db/embedded.ts'
import { prepareDatabase, type LoginUrls } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { migrate } from '#server/db/migrate.ts'
import { postmasterOf } from './load.ts'

/** The same for all nodes of a run, as they share the database logins that are derived from it. */
export const secretKey = 'the secret key of every single bench'

export interface Server extends AsyncDisposable {
  /** A migrated database: as administrator, as owner of the tables, and as the running product. */
  database(name: string): Promise<LoginUrls & { url: string; ownerUrl: string }>
  /** The process id of PostgreSQL's postmaster. */
  postmaster: number
  /** A folder for files of the run, removed at its end. */
  scratch: string
}

export async function openServer(): Promise<Server> {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-bench-'))
  const directory = path.join(scratch, 'database')
  const embedded = await startEmbedded({ directory })
  return {
    scratch,
    postmaster: postmasterOf(directory),
    async database(name) {
      const url = new URL(`/${name}`, embedded.url).href
      const logins = await prepareDatabase({ url, secretKeys: () => [secretKey] })
      await migrate(logins.ownerUrl, queues)
      return { url, ...logins }
    },
    async [Symbol.asyncDispose]() {
      await embedded.stop()
      fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
    },
  }
}
